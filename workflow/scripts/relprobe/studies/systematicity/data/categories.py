"""The categories that hyponyms are to be recognised as."""

import itertools
import re
from collections.abc import Mapping, Sequence

import polars as pl

Entry = str | Mapping[str, str]
"""A category in the configuration: a word, the id of a synset, or both as `word` and `sense`."""
Categories = Mapping[str, Sequence[str]]
"""Superordinate category (animals) -> the words of the categories below it (bird, insect, fish)."""
SENSE = re.compile(r"(.+)\.n\.\d\d")


def words_of(categories: Mapping[str, Sequence[Entry]]) -> dict[str, list[str]]:
    """Return the words of the configured categories, by superordinate category.

    >>> words_of({"things": ["tool", "musical_instrument.n.01", {"word": "car", "sense": "motor_vehicle.n.01"}]})
    {'things': ['tool', 'musical instrument', 'car']}
    """
    return {group: [_word(entry) for entry in entries] for group, entries in categories.items()}


def senses_of(categories: Mapping[str, Sequence[Entry]]) -> dict[str, str]:
    """Return word -> id of its synset, of the categories that have one; the others are meant in all of their senses.

    >>> senses_of({"things": ["tool", "musical_instrument.n.01", {"word": "car", "sense": "motor_vehicle.n.01"}]})
    {'musical instrument': 'musical_instrument.n.01', 'car': 'motor_vehicle.n.01'}
    """
    entries = itertools.chain.from_iterable(categories.values())
    return {_word(entry): sense for entry in entries if (sense := _sense(entry)) is not None}


def _word(entry: Entry) -> str:
    if not isinstance(entry, str):
        return entry["word"]
    match = SENSE.fullmatch(entry)
    return match[1].replace("_", " ") if match else entry


def _sense(entry: Entry) -> str | None:
    if not isinstance(entry, str):
        return entry["sense"]
    return entry if SENSE.fullmatch(entry) else None


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
