"""Pairs put into the sentences of relations, and into analogies."""

from collections.abc import Sequence
from dataclasses import dataclass

from relprobe.lm.requests import SLOT
from relprobe.studies.degrees.data.descriptions import X, Y


@dataclass(frozen=True)
class FilledSentence:
    """A sentence with a pair in it, and the (start, stop) of its two words in characters."""

    text: str
    x: tuple[int, int]
    y: tuple[int, int]


def fill(template: str, x: str, y: str) -> FilledSentence:
    """Put a pair into a template.

    >>> fill("[Y] functions as [X]", "tool", "hammer")
    FilledSentence(text='hammer functions as tool', x=(20, 24), y=(0, 6))
    """
    first, second = sorted([(template.index(X), X, x), (template.index(Y), Y, y)])
    start = first[0]
    shift = len(first[2]) - len(first[1])
    spans = {
        first[1]: (start, start + len(first[2])),
        second[1]: (second[0] + shift, second[0] + shift + len(second[2])),
    }
    return FilledSentence(template.replace(X, x).replace(Y, y), spans[X], spans[Y])


def analogy(paradigms: Sequence[str]) -> str:
    """Return the analogy of a subcategory's paradigms, which ends in a slot for another pair.

    >>> analogy(["a:b", "c:d"])
    'a is to b as c is to d as [V]'
    """
    return " as ".join([*map(clause, paradigms), SLOT])


def clause(pair: str) -> str:
    """Return a pair as a clause of an analogy.

    >>> clause("x:y")
    'x is to y'
    """
    return " is to ".join(pair.split(":"))
