"""The sentence that an analogy is put into, such as "What {h1} is to {t1}, {h2} is to {t2}" (section 2)."""

from __future__ import annotations

import string
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import polars as pl

from relprobe.core.errors import ConfigError
from relprobe.studies.analogies.schemas import ANALOGY

POSITIVE = {"h1": "query_head", "t1": "query_tail", "h2": "head", "t2": "tail"}
NEGATIVE = {**POSITIVE, "h2": "negative_head", "t2": "negative_tail"}
"""Place -> column of INSTANCES that holds its word, for the positive and for the negative tuple."""
WHERE = "config: analogies.template"


@dataclass(frozen=True)
class Template:
    """A text with slots for words, in the order of the text.

    `literals` are the texts before each slot and, as the last one, the text after all of them.
    """

    literals: tuple[str, ...]
    slots: tuple[str, ...]

    @classmethod
    def of(cls, text: str) -> Template:
        """Read a text in which each slot of ANALOGY stands once, in braces. ConfigError: the text has another form.

        The text must not begin with a word of the second tuple: a causal model may give the first word no probability.

        >>> Template.of("What {h1} is to {t1}, {h2} is to {t2}.").slots
        ('h1', 't1', 'h2', 't2')
        """
        parts = list(fields(text, WHERE))
        literals, slots = [literal for literal, _ in parts], [name for _, name in parts if name is not None]
        if sorted(slots) != sorted(ANALOGY):
            raise ConfigError(
                f"{WHERE} is {text!r}, but must hold each of {{h1}}, {{t1}}, {{h2}} and {{t2}} once: correct it."
            )
        if literals[0] == "" and slots[0] in ("h2", "t2"):
            raise ConfigError(f"{WHERE} is {text!r}, but must not begin with {{{slots[0]}}}: put a word first.")
        return cls((*literals, *[""] * (len(slots) + 1 - len(literals))), tuple(slots))

    def fill(self, words: Sequence[str]) -> tuple[str, dict[str, tuple[int, int]]]:
        """Put a word into every slot, in the order of the text; return the text and each slot's (start, stop).

        The stop is exclusive; both count characters.

        >>> Template.of("{h1} to {t1}: {h2} to {t2}").fill(["paris", "france", "rome", "italy"])
        ('paris to france: rome to italy', {'h1': (0, 5), 't1': (9, 15), 'h2': (17, 21), 't2': (25, 30)})
        """
        text, spans = self.literals[0], {}
        for slot, word, literal in zip(self.slots, words, self.literals[1:], strict=True):
            spans[slot] = (len(text), len(text) + len(word))
            text += word + literal
        return text, spans

    def solve(self, example: Sequence[str]) -> str:
        """Put the words of an example (h1, t1, h2, t2) into their slots.

        >>> Template.of("what {h2} is to {t2}, {h1} is to {t1}").solve(["big", "bigger", "cold", "colder"])
        'what cold is to colder, big is to bigger'
        """
        words = dict(zip(ANALOGY, example, strict=True))
        return self.fill([words[slot] for slot in self.slots])[0]

    def expression(self, columns: dict[str, str]) -> pl.Expr:
        """Return the polars expression of the filled texts of a table whose `columns` (slot -> column) hold the words."""
        parts: list[pl.Expr] = [pl.lit(self.literals[0])]
        for slot, literal in zip(self.slots, self.literals[1:], strict=True):
            parts += [pl.col(columns[slot]), pl.lit(literal)]
        return pl.concat_str(parts)


def fields(text: str, where: str) -> Iterator[tuple[str, str | None]]:
    """Yield the parts of a text with places: the text before a place, and its name; None after the last place.

    ConfigError, which names `where`: a brace is single or doubled, or the braces hold something other than a name.

    >>> list(fields("{h} and {t}!", "config: a template"))
    [('', 'h'), (' and ', 't'), ('!', None)]
    """
    try:
        if "{{" in text or "}}" in text:
            raise ValueError("doubled braces")
        for literal, name, form, conversion in string.Formatter().parse(text):
            if form or conversion:
                raise ValueError("a place is a name alone")
            yield literal, name
    except ValueError as error:
        raise ConfigError(f"{where} is {text!r} ({error}): write every place as a name in single braces.") from None


def check_pair_template(text: str, pooling: str, where: str) -> None:
    """Check the template of an encoder of pairs, which encoder.py fills.

    ConfigError, which names `where`: the template has other marks than {h}, {t} and {mask}, or it lacks one that is needed.
    """
    marks = {name for _, name in fields(text, where) if name is not None}
    needed = {"h", "t"} | ({"mask"} if pooling == "mask" else set())
    if not needed <= marks <= {"h", "t", "mask"}:
        names = ", ".join(f"{{{name}}}" for name in sorted(needed))
        raise ConfigError(f"{where} is {text!r}, but must hold {names} and may hold {{mask}}: correct it.")
