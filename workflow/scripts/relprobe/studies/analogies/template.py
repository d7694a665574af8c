"""The sentence that an analogy is put into, such as "What {h1} is to {t1}, {h2} is to {t2}"."""

import string
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import polars as pl

from relprobe.core.errors import ConfigError

ANALOGY = ("h1", "t1", "h2", "t2")
"""The places of an analogy: head and tail of the query, head and tail of the other tuple."""
WHERE = "config: analogies.template"


@dataclass(frozen=True)
class Template:
    """A text with places: `literals` stand before the places and, the last one, after them; `places` are in text order."""

    literals: tuple[str, ...]
    places: tuple[str, ...]

    @classmethod
    def of(cls, text: str) -> "Template":
        """Read a text in which each place of ANALOGY stands once, in braces. ConfigError: it is no such text.

        Its first word must not be of the second tuple: a causal model may give it no probability.
        """
        parts = list(fields(text, WHERE))
        literals, found = [literal for literal, _ in parts], [name for _, name in parts if name is not None]
        if sorted(found) != sorted(ANALOGY):
            raise ConfigError(
                f"{WHERE} is {text!r}, but must hold each of {{h1}}, {{t1}}, {{h2}} and {{t2}} once: correct it."
            )
        if literals[0] == "" and found[0] in ("h2", "t2"):
            raise ConfigError(f"{WHERE} is {text!r}, but must not begin with {{{found[0]}}}: put a word first.")
        return cls((*literals, *[""] * (len(found) + 1 - len(literals))), tuple(found))

    def fill(self, words: Sequence[str]) -> tuple[str, dict[str, tuple[int, int]]]:
        """Put a word into every place, in text order; return the text and each place's (start, stop) in characters."""
        text, spans = self.literals[0], {}
        for place, word, literal in zip(self.places, words, self.literals[1:], strict=True):
            spans[place] = (len(text), len(text) + len(word))
            text += word + literal
        return text, spans

    def expression(self, columns: dict[str, str]) -> pl.Expr:
        """Return the filled texts of a table whose `columns` (place -> column) hold the words."""
        parts: list[pl.Expr] = [pl.lit(self.literals[0])]
        for place, literal in zip(self.places, self.literals[1:], strict=True):
            parts += [pl.col(columns[place]), pl.lit(literal)]
        return pl.concat_str(parts)


def fields(text: str, where: str) -> Iterator[tuple[str, str | None]]:
    """Yield the parts of a text with places: what stands before a place, and its name; None after the last place.

    ConfigError naming `where`: a brace without its partner or beside its like, or something other than a name in braces.
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
    """Check the template of a relation embedding, as encoder.py fills it.

    ConfigError naming `where`: other places than {h}, {t} and {mask}, or not all of those that are needed.
    """
    found = {name for _, name in fields(text, where) if name is not None}
    needed = {"h", "t"} | ({"mask"} if pooling == "mask" else set())
    if not needed <= found <= {"h", "t", "mask"}:
        places = ", ".join(f"{{{name}}}" for name in sorted(needed))
        raise ConfigError(f"{where} is {text!r}, but must hold {places} and may hold {{mask}}: correct it.")
