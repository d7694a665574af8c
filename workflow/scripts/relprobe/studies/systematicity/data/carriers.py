"""Pairs of hyponym and hypernym in carrier sentences, where there are no released pairs (section 2.2.2)."""

import logging
import random
from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from relprobe.core.errors import ConfigError
from relprobe.studies.systematicity.data.categories import Categories
from relprobe.studies.systematicity.schemas import Items

logger = logging.getLogger("relprobe")


def pairs_in_carriers(items: Items, categories: Categories, carriers: Sequence[str], seed: int) -> pl.DataFrame:
    """Return a true and an untrue pair per hyponym and carrier sentence, the two words of a pair in different carriers.

    The columns are those of GROUNDED without fold and part. An untrue hypernym is another category of the same superordinate
    category (section 2.2.2). Every hypernym is as often untrue as true, as in the released training parts, so that the
    hypernym alone does not give the label away. This needs a limit: a category has at most as many hyponyms in pairs as the
    other categories of its superordinate category together. The seed draws the hyponyms without pairs, and the log counts
    them. ConfigError: a superordinate category has hyponyms in fewer than two categories.
    """
    own = {str(name): rows["hyponym"].to_list() for (name,), rows in items.group_by("category", maintain_order=True)}
    rows: list[dict[str, Any]] = []
    for group, of_group in categories.items():
        if sum(category in own for category in of_group) < 2:
            raise ConfigError(
                f"config: systematicity.categories.{group} has hyponyms in fewer than two of its categories, so that they "
                "have no untrue hypernym: add a category that has some."
            )
        draw = random.Random(f"{seed} {' '.join(of_group)}")  # noqa: S311
        balanced = _balanced({category: own.get(category, []) for category in of_group}, draw)
        for number, carrier in enumerate(carriers):
            other_carrier = carriers[(number + 1) % len(carriers)]
            for hyponym, true, untrue in _with_untrue(balanced, draw):
                for label, hypernym in ((1, true), (0, untrue)):
                    places = {"hyponym": _place(carrier, hyponym), "hypernym": _place(other_carrier, hypernym)}
                    rows.append({"hyponym": hyponym, "hypernym": hypernym, "label": label, **_columns(places)})
    return pl.DataFrame(rows)


def _balanced(own: Mapping[str, Sequence[str]], draw: random.Random) -> dict[str, list[str]]:
    """Return category -> hyponyms; the largest category has no more of them than all others together."""
    shuffled = {category: draw.sample(words, len(words)) for category, words in own.items()}
    largest = max(shuffled, key=lambda category: len(shuffled[category]))
    others = sum(map(len, shuffled.values())) - len(shuffled[largest])
    logger.info("%d hyponyms of %r have no pairs", max(0, len(shuffled[largest]) - others), largest)
    return shuffled | {largest: shuffled[largest][:others]}


def _with_untrue(own: Mapping[str, Sequence[str]], draw: random.Random) -> list[tuple[str, str, str]]:
    """Return (hyponym, its category, another category); every category is as often the other one as the true one.

    The hyponyms stand in a ring, those of a category together. A hyponym's untrue category is that of the hyponym that
    stands n places ahead, where n is the size of the largest category, so that this place lies beyond its own category.
    For example, n = 2 for robin, wren (birds), ant, bee (insects): the untrue category of robin is that of ant.
    """
    ring = [(word, category) for category, words in own.items() for word in draw.sample(words, len(words))]
    ahead = max(map(len, own.values()))
    return [(word, true, ring[(place + ahead) % len(ring)][1]) for place, (word, true) in enumerate(ring)]


def _place(carrier: str, word: str) -> tuple[str, int, int]:
    """Return the carrier sentence with the word in it, and where the word starts and stops, in characters."""
    start = carrier.index("[W]")
    return carrier.replace("[W]", word), start, start + len(word)


def _columns(places: Mapping[str, tuple[str, int, int]]) -> dict[str, Any]:
    columns: dict[str, Any] = {}
    for word, (text, start, stop) in places.items():
        columns |= {f"{word}_text": text, f"{word}_start": start, f"{word}_stop": stop}
    return columns
