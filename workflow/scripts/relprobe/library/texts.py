"""What users give: texts, words, candidates and spans, checked and in the form of the engine."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from numbers import Real
from typing import TYPE_CHECKING, Literal, get_args

from relprobe.core.errors import ProbeError
from relprobe.library.asking import SLOT, check_composed
from relprobe.lm.requests import SLOT as ENGINE_SLOT
from relprobe.lm.words.spacing import is_unspaced, joint
from relprobe.lm.words.tokens import HALF
from relprobe.lm.words.word_list import WordList

if TYPE_CHECKING:
    pass

Texts = str | Sequence[str]
Words = Sequence[str] | Mapping[str, float]
Join = Literal["auto", "space", "none"]


def texts_of(texts: object, what: str = "text") -> list[str]:
    """Return a list of texts. ProbeError: one of them is none, has decomposed letters, or a slot as others write it.

    >>> texts_of("a robin"), texts_of(("a", "b"))
    (['a robin'], ['a', 'b'])
    """
    if isinstance(texts, str):
        texts = [texts]
    if hasattr(texts, "columns") or isinstance(texts, Mapping):  # a loop over it would take the names of its columns
        raise ProbeError(f"a table is given where a list of {what}s is expected: give one of its columns.")
    if not isinstance(texts, Iterable):
        raise ProbeError(f"{texts!r} is no {what}: give a text, or a list of texts.")
    listed = list(texts)
    for number, text in enumerate(listed):
        if not isinstance(text, str):
            raise ProbeError(f"{what} {number} is {text!r}, which is no text: write it as one, or leave it out.")
        if HALF.search(text):
            raise ProbeError(
                f"{what} {number} is {text!r}, which holds half of a character: write the whole character."
            )
        check_composed(f"{what} {number}", text)
        if what == "text":
            check_slot(f"text {number}", text)
    return listed


OTHER_SLOTS = re.compile(
    r"[\[<{【]+\|? *g?(?:slot|mask|blank)(?:[ _-]?token)?(?:[ _-]?\d+)? *\|?[\]>}】]+|<extra_id_\d+>"  # of models
    r"|\[ *[vwxy] *\]|(?<![^\W_＿])[_＿]{2,}(?![^\W_＿])",  # of templates, and of forms for people
    re.IGNORECASE,
)
"""What stands for a slot in models, in other libraries, in the studies, and in forms for people."""


def check_slot(where: str, text: str) -> None:
    """Check that a text has no slot as models or other libraries write it, which would be scored as plain text.

    >>> check_slot("text 0", "a robin is a <mask>")
    Traceback (most recent call last):
    relprobe.core.errors.ProbeError: text 0 holds '<mask>', which is no slot here: write [SLOT] in its place.
    """
    match = OTHER_SLOTS.search(text.replace(SLOT, ""))
    if match is not None:
        raise ProbeError(f"{where} holds {match[0]!r}, which is no slot here: write {SLOT} in its place.")


def word_spans(texts: Sequence[str]) -> list[tuple[tuple[int, int], ...]]:
    """Return where each text has its words, which are what stands between white space.

    >>> word_spans(["a robin sings."])
    [((0, 1), (2, 7), (8, 14))]
    """
    return [tuple(word.span() for word in re.finditer(r"\S+", text)) for text in texts]


def with_slot(number: int, text: str) -> str:
    """Return a text with the engine's slot. ProbeError: it has not exactly one slot.

    >>> with_slot(0, "a robin is a [SLOT]")
    'a robin is a [V]'
    """
    if text.count(SLOT) != 1:
        raise ProbeError(f"text {number} has {text.count(SLOT)} slots {SLOT} where exactly one is needed: {text!r}.")
    return text.replace(SLOT, ENGINE_SLOT)


def slot_is_unspaced(text: str) -> bool:
    """Return whether the text at a slot is in a script without spaces.

    >>> [slot_is_unspaced(text) for text in ("知更鸟是一种[SLOT]", "[SLOT]是鸟", "a robin is a [SLOT]", "鳥 means a [SLOT]")]
    [True, True, False, False]
    """
    head, _, after = text.partition(SLOT)
    neighbour = head.rstrip()[-1:] or after.lstrip()[:1]
    return bool(neighbour) and is_unspaced(neighbour)


def slot_forms(number: int, text: str, candidates: Sequence[str], join: Join) -> list[tuple[int, str, list[int]]]:
    """Return the forms of a text with the engine's slot, each with its number and the indices of the candidates in it.

    ProbeError: `join` is unknown, there are no candidates, or one begins with white space that is no space.

    >>> slot_forms(0, "a robin", ["sings", "."], "auto")
    [(0, 'a robin [V]', [0]), (0, 'a robin[V]', [1])]
    >>> slot_forms(0, "a robin is a [SLOT]", ["bird", "fish"], "none")
    [(0, 'a robin is a [V]', [0, 1])]
    """
    if join not in get_args(Join):
        raise ProbeError(f"join={join!r} is no way to join texts and candidates: use {', '.join(get_args(Join))}.")
    if not candidates:
        raise ProbeError(f"text {number} has no candidates: give at least one.")
    positions: dict[str, list[int]] = {}
    for position, candidate in enumerate(candidates):
        if candidate.lstrip(" ") != candidate.lstrip():
            raise ProbeError(
                f"the candidate {candidate!r} of text {number} begins with a line break or a tab, which belongs to the "
                "text: put it at the text's end."
            )
        slotted = text if SLOT in text else f"{text}{_joint(text, candidate, join)}{SLOT}"
        positions.setdefault(with_slot(number, slotted), []).append(position)
    return [(number, form, group) for form, group in positions.items()]


def _joint(text: str, candidate: str, join: Join) -> str:
    if candidate.startswith(" ") or join == "space":
        return "" if text.endswith(" ") else " "
    return joint(text, candidate) if join == "auto" else ""


def word_list(words: Words) -> WordList:
    """Return the engine's list of words, with their frequencies if they are given. ProbeError: one of them is no text."""
    if isinstance(words, Mapping):
        return WordList(tuple(texts_of([*words], "word")), tuple(_frequency(*item) for item in words.items()))
    return WordList(tuple(texts_of(words, "word")))


def _frequency(word: str, value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, Real):
        raise ProbeError(f"the word {word!r} has the frequency {value!r}, which is no number: give one above 0.")
    return float(value)


def lists_of(candidates: Sequence[str] | Sequence[Sequence[str]], texts: int) -> list[list[str]]:
    """Return a list of candidates for each text.

    >>> lists_of(["bird"], 2), lists_of([["bird"], ["fish", "eel"]], 2)
    ([['bird'], ['bird']], [['bird'], ['fish', 'eel']])
    """
    if isinstance(candidates, str):
        raise ProbeError(f"the candidates are one text, {candidates!r}: give a list of them.")
    if not isinstance(candidates, Iterable):
        raise ProbeError(f"the candidates are {candidates!r}: give a list of texts.")
    if not any(isinstance(candidate, Iterable) and not isinstance(candidate, str) for candidate in candidates):
        return [texts_of(candidates, "candidate")] * texts
    if len(candidates) != texts:
        raise ProbeError(f"there are {len(candidates)} lists of candidates for {texts} texts: give one for each text.")
    return [texts_of(candidate, "candidate") for candidate in candidates]


def spans_of(texts: Sequence[str], words: Sequence[str]) -> list[tuple[int, int]]:
    """Return where each text has its word, as (start, stop) in characters.

    >>> spans_of(["a robin sings"], ["robin"])
    [(2, 7)]
    """
    if len(texts) != len(words):
        raise ProbeError(f"there are {len(words)} words for {len(texts)} texts: give one for each text.")
    matches = [re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text) for text, word in zip(texts, words, strict=True)]
    for number, (text, word, match) in enumerate(zip(texts, words, matches, strict=True)):
        if match is None:
            raise ProbeError(f"text {number} does not hold the word {word!r}: {text!r}.")
    return [match.span() for match in matches if match is not None]
