"""What a user may have meant with a word that is not known."""

import difflib
from collections.abc import Iterable

NEAR = 0.7
"""How alike two words are of which one may stand for the other: `plot` does not stand for `export` (0.6)."""


def near(word: str, names: Iterable[str]) -> str:
    """Return the end of a sentence on an unknown word: the nearest of the known `names`; "" if none is near.

    >>> near("runn", ["init", "run"]), near("plot", ["init", "run"])
    ("did you mean 'run'?", '')
    """
    matches = difflib.get_close_matches(word, list(names), 1, NEAR)
    return f"did you mean {matches[0]!r}?" if matches else ""


def hint(word: str, names: Iterable[str], more: Iterable[str] = ()) -> str:
    """Return the end of a sentence on an unknown word: the nearest name, or all `names` if none is near.

    `more`: names that may be suggested, too, but are not listed.

    >>> hint("runn", ["init", "run"]), hint("plot", ["init", "run"], more=["plots"]), hint("see", ["init", "run"])
    ("did you mean 'run'?", "did you mean 'plots'?", 'known are init, run.')
    """
    listed = list(names)
    return near(word, [*listed, *more]) or f"known are {', '.join(listed)}."
