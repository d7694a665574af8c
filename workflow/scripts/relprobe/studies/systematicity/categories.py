"""The categories that hyponyms are to be recognised as."""

import itertools
from collections.abc import Mapping, Sequence

import polars as pl

Categories = Mapping[str, Sequence[str]]
"""Superordinate category (animals) -> the categories below it (bird, insect, fish)."""


def flat(categories: Categories) -> list[str]:
    """Return all categories, in order.

    >>> flat({"animals": ["bird", "fish"], "plants": ["tree"]})
    ['bird', 'fish', 'tree']
    """
    return list(itertools.chain.from_iterable(categories.values()))


def with_category(pairs: pl.DataFrame) -> pl.DataFrame:
    """Add the column `category` to PAIRS: the hyponym's own category, which is the hypernym of its true pairs.

    >>> pairs = {"hyponym": ["robin", "robin"], "hypernym": ["fish", "bird"], "label": [0, 1]}
    >>> with_category(pl.DataFrame(pairs))["category"].to_list()
    ['bird', 'bird']
    """
    own = pairs.filter(label=1).group_by("hyponym").agg(category=pl.col("hypernym").min())
    return pairs.join(own, on="hyponym", how="left", maintain_order="left")
