"""Words of sentences: numbers with their nouns, lists that end after a few names, and what an unknown word may stand for."""

import difflib
from collections.abc import Iterable

NEAR = 0.7
"""How alike two words are of which one may stand for the other: `plot` does not stand for `export` (0.6)."""

SHOWN = 5
"""How many names of a long list a sentence has."""


def amount(number: float, noun: str, several: str = "") -> str:
    """Return a number with its noun.

    >>> amount(1, "target"), amount(1200, "target"), amount(3, "category", "categories")
    ('1 target', '1,200 targets', '3 categories')
    """
    return f"{number:,.0f} {noun if number == 1 else several or f'{noun}s'}"


def amount_of(number: float, several: str) -> str:
    """Return a number with a noun that is given in the plural, as that of a metric's items is.

    >>> amount_of(8, "targets"), amount_of(1, "target words"), amount_of(1, "subcategories"), amount_of(1, "classes")
    ('8 targets', '1 target word', '1 subcategory', '1 class')
    """
    endings = (("ies", "y"), ("sses", "ss"), ("ches", "ch"), ("shes", "sh"), ("xes", "x"), ("s", ""))
    singular = next((several.removesuffix(end) + sign for end, sign in endings if several.endswith(end)), several)
    return amount(number, singular, several)


def enumeration(parts: Iterable[str]) -> str:
    """Join the parts of an enumeration.

    >>> enumeration(["a", "b", "c"]), enumeration(["a", "b"]), enumeration(["a"]), enumeration([])
    ('a, b and c', 'a and b', 'a', '')
    """
    listed = list(parts)
    return " and ".join(filter(None, [", ".join(listed[:-1]), *listed[-1:]]))


def first_few(names: Iterable[str], most: int = SHOWN) -> str:
    """Return a list as a sentence has it, whose length is that of the data: its first names, and how many more there are.

    >>> first_few(["a", "b", "c"]), first_few("abcdefg"), first_few("abc", most=2)
    ('a, b and c', 'a, b, c, d, e and 2 more', 'a, b and 1 more')
    """
    listed = list(names)
    return enumeration([*listed[:most], *([f"{len(listed) - most:,} more"] if len(listed) > most else [])])


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
