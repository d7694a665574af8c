"""The categories that hyponyms are to be recognised as."""

import itertools
from collections.abc import Mapping, Sequence

Categories = Mapping[str, Sequence[str]]
"""Superordinate category (animals) -> the categories below it (bird, insect, fish)."""


def flat(categories: Categories) -> list[str]:
    """Return all categories, in order.

    >>> flat({"animals": ["bird", "fish"], "plants": ["tree"]})
    ['bird', 'fish', 'tree']
    """
    return list(itertools.chain.from_iterable(categories.values()))
