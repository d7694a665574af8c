"""What a user may have meant with a word that is not known."""

import difflib
from collections.abc import Iterable

NEAR = 0.7
"""How alike two words are of which one may stand for the other: `plot` does not stand for `export` (0.6)."""


def near(word: str, known: Iterable[str]) -> str:
    """Return the end of a sentence on an unknown word: the known one that is nearest to it; "" if none is near.

    >>> near("runn", ["init", "run"]), near("plot", ["init", "run"])
    ("did you mean 'run'?", '')
    """
    matches = difflib.get_close_matches(word, list(known), 1, NEAR)
    return f"did you mean {matches[0]!r}?" if matches else ""


def hint(word: str, known: Iterable[str], beside: Iterable[str] = ()) -> str:
    """Return such an end of a sentence, with all that is known where none is near; what is `beside` may be near only.

    >>> hint("runn", ["init", "run"]), hint("plot", ["init", "run"], beside=["plots"]), hint("see", ["init", "run"])
    ("did you mean 'run'?", "did you mean 'plots'?", 'known are init, run.')
    """
    names = list(known)
    return near(word, [*names, *beside]) or f"known are {', '.join(names)}."
