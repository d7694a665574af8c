"""What the study asks: items (hyponyms with their prompts), probes, and pairs of words in contexts (section 2)."""

import logging
import random
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, cast

import inflect
import polars as pl

from relprobe.core.errors import ConfigError, DataError
from relprobe.lm.requests import SLOT
from relprobe.sources.systematicity import ITEMS
from relprobe.studies.systematicity.categories import Categories, flat
from relprobe.studies.systematicity.requests import PROBES

logger = logging.getLogger("relprobe")
BUILT = "wordnet"
"""The set of items that is built from WordNet."""


def built_items(hyponyms: Mapping[str, Sequence[str]]) -> pl.DataFrame:
    """Return the items (ITEMS) of category -> hyponyms, worded as the released ones; they have no contextual sentence.

    The article before the slot is the category's, as in the paper, so that "an" gives an insect away. A hyponym of two
    categories has no single answer and is left out.
    """
    pairs = [(hyponym, category) for category, words in hyponyms.items() for hyponym in words]
    seen = pl.DataFrame(pairs, schema=["hyponym", "category"], orient="row").filter(pl.len().over("hyponym") == 1)
    rows = []
    for hyponym, category in seen.iter_rows():
        start = with_article(hyponym)
        singular = f"{start[0].upper()}{start[1:]} is {with_article(category).split()[0]} {SLOT}."
        several = plural(hyponym)
        rows.append((BUILT, hyponym, category, several, plural(category), singular, f"{several} are {SLOT}.", None))
    return pl.DataFrame(rows, schema=ITEMS, orient="row")


def check_categories(items: pl.DataFrame, categories: Categories) -> pl.DataFrame:
    """Return the items. DataError: one of a category that the configuration does not have, or with another plural."""
    plurals = {category: plural(category) for category in flat(categories)}
    for hyponym, category, found in items.select("hyponym", "category", "category_plural").iter_rows():
        if category not in plurals:
            raise DataError(
                f"the released item {hyponym!r} is of the category {category!r}, which systematicity.categories of the "
                "config lacks: add it."
            )
        if found != plurals[category]:
            raise DataError(
                f"the released item {hyponym!r} has {found!r} as the plural of its category {category!r}, which is "
                f"{plurals[category]!r} here: correct plural.tsv."
            )
    return items


def probes(items: pl.DataFrame, categories: Categories) -> pl.DataFrame:
    """Return the probes of the items (PROBES): the three diagnostics, and the controls that tell no relation.

    A control is the hyponym and the slot alone ("robin [V]"; section 3.2). Candidates are the categories in the plural for
    plural probes, in the singular for the others (section 3.1).
    """
    one = flat(categories)
    several = [plural(word) for word in one]
    if len(set(several)) < len(several):
        raise ConfigError("config: two of systematicity.categories have the same plural: leave one out.")
    rows = []
    for row in items.iter_rows(named=True):
        texts = {
            "singular": row["singular"],
            "plural": row["plural"],
            "contextual": row["contextual"],
            "control_singular": f"{row['hyponym']} {SLOT}",
            "control_plural": f"{row['hyponym_plural']} {SLOT}",
        }
        for kind, text in texts.items():
            if text is not None:
                word, candidates = (
                    (row["hyponym_plural"], several) if kind.endswith("plural") else (row["hyponym"], one)
                )
                probe_id = f"{row['set']}:{kind}:{row['hyponym']}"
                rows.append((probe_id, row["set"], kind, row["hyponym"], word, text, candidates))
    return pl.DataFrame(rows, schema=PROBES, orient="row")


def carried(items: pl.DataFrame, categories: Categories, carriers: Sequence[str], seed: int) -> pl.DataFrame:
    """Return as many true and untrue pairs per hyponym as there are carrier sentences, each word in one of them.

    The columns are those of GROUNDED but fold and part. An untrue hypernym is another category of the same superordinate
    one (section 2.2.2), and every hypernym is as often untrue as true, as in the released training parts, so that it tells
    nothing by itself. Where a category has more hyponyms than the others of its superordinate one together, that cannot
    be; the rest of them, drawn with the seed, has no pairs, and the log counts them. ConfigError: a superordinate category
    has hyponyms in fewer than two categories.
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
                    first, second = _carry(carrier, hyponym), _carry(other_carrier, hypernym)
                    rows.append(_pooled(hyponym, hypernym, label, first, second))
    return pl.DataFrame(rows)


def _balanced(own: Mapping[str, Sequence[str]], draw: random.Random) -> dict[str, list[str]]:
    """Return category -> hyponyms, the largest category with no more than all others have."""
    kept = {category: draw.sample(words, len(words)) for category, words in own.items()}
    largest = max(kept, key=lambda category: len(kept[category]))
    others = sum(map(len, kept.values())) - len(kept[largest])
    logger.info("%d hyponyms of %r have no pairs", max(0, len(kept[largest]) - others), largest)
    return kept | {largest: kept[largest][:others]}


def _with_untrue(own: Mapping[str, Sequence[str]], draw: random.Random) -> list[tuple[str, str, str]]:
    """Return hyponym, category and another category, every category as often second as third.

    The hyponyms stand in a ring, those of a category together; each gets the category of the one that stands as far ahead
    as the largest category is long, which lies beyond its own.
    """
    ring = [(word, category) for category, words in own.items() for word in draw.sample(words, len(words))]
    ahead = max(map(len, own.values()))
    return [(word, true, ring[(place + ahead) % len(ring)][1]) for place, (word, true) in enumerate(ring)]


def _carry(carrier: str, word: str) -> tuple[str, int, int]:
    start = carrier.index("[W]")
    return carrier.replace("[W]", word), start, start + len(word)


def _pooled(hyponym: str, hypernym: str, label: int, *places: tuple[str, int, int]) -> dict[str, Any]:
    row: dict[str, Any] = {"hyponym": hyponym, "hypernym": hypernym, "label": label}
    for word, (text, start, stop) in zip(("hyponym", "hypernym"), places, strict=True):
        row |= {f"{word}_text": text, f"{word}_start": start, f"{word}_stop": stop}
    return row


@cache
def _engine() -> inflect.engine:
    return inflect.engine()


def plural(word: str) -> str:
    """Return the plural of a noun."""
    return cast(str, _engine().plural_noun(word))


def with_article(word: str) -> str:
    """Return a word after its indefinite article."""
    return cast(str, _engine().a(word))
