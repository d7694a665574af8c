"""What the study asks: items (hyponyms with their prompts), probes, and pairs of words in contexts (section 2)."""

import itertools
import random
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, cast

import inflect
import polars as pl

from relprobe.errors import ConfigError, DataError
from relprobe.lm.requests import SLOT
from relprobe.sources.systematicity import ITEMS
from relprobe.systematicity.requests import CONTEXTS, PROBES

Categories = Mapping[str, Sequence[str]]
"""Superordinate category (animals) -> the categories below it (bird, insect, fish)."""
BUILT = "wordnet"
"""The set of items that is built from WordNet."""


def flat(categories: Categories) -> list[str]:
    """Return all categories, in order."""
    return list(itertools.chain.from_iterable(categories.values()))


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
        rows.append((BUILT, hyponym, several, category, singular, f"{several} are {SLOT}.", None))
    return pl.DataFrame(rows, schema=ITEMS, orient="row")


def check_categories(items: pl.DataFrame, categories: Categories) -> pl.DataFrame:
    """Return the items. DataError: one of a category that the configuration does not have."""
    unknown = items.filter(~pl.col("category").is_in(flat(categories)))
    if unknown.height:
        hyponym, category = unknown.select("hyponym", "category").row(0)
        raise DataError(
            f"the released item {hyponym!r} is of the category {category!r}, which systematicity.categories of the "
            "config lacks: add it."
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
            "singular": (row["singular"], one),
            "plural": (row["plural"], several),
            "contextual": (row["contextual"], one),
            "control_singular": (f"{row['hyponym']} {SLOT}", one),
            "control_plural": (f"{row['hyponyms']} {SLOT}", several),
        }
        for kind, (text, candidates) in texts.items():
            if text is not None:
                probe_id = f"{row['set']}:{kind}:{row['hyponym']}"
                rows.append((probe_id, row["set"], kind, row["hyponym"], text, candidates))
    return pl.DataFrame(rows, schema=PROBES, orient="row")


def carried(items: pl.DataFrame, categories: Categories, carriers: Sequence[str], seed: int) -> pl.DataFrame:
    """Return as many true and untrue pairs per hyponym as there are carrier sentences, each word in one of them.

    The columns are those of GROUNDED but fold and part. An untrue hypernym is another category of the same superordinate
    one (section 2.2.2), drawn anew for each sentence.
    """
    group = {category: [*others] for others in categories.values() for category in others}
    rows: list[dict[str, Any]] = []
    for hyponym, category in items.select("hyponym", "category").iter_rows():
        draw = random.Random(f"{seed} {hyponym}")  # noqa: S311
        wrong = [other for other in group[category] if other != category]
        for number, carrier in enumerate(carriers):
            other_carrier = carriers[(number + 1) % len(carriers)]
            for label, hypernym in ((1, category), (0, draw.choice(wrong))):
                first, second = _carry(carrier, hyponym), _carry(other_carrier, hypernym)
                rows.append(_pooled(hyponym, hypernym, label, first, second))
    return pl.DataFrame(rows)


def _carry(carrier: str, word: str) -> tuple[str, int, int]:
    start = carrier.index("[W]")
    return carrier.replace("[W]", word), start, start + len(word)


def _pooled(hyponym: str, hypernym: str, label: int, *places: tuple[str, int, int]) -> dict[str, Any]:
    row: dict[str, Any] = {"hyponym": hyponym, "hypernym": hypernym, "label": label}
    for word, (text, start, stop) in zip(("hyponym", "hypernym"), places, strict=True):
        row |= {f"{word}_text": text, f"{word}_start": start, f"{word}_stop": stop}
    return row


def numbered(pairs: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return the contexts of pairs (CONTEXTS), each once, and the pairs with the contexts' numbers in their place."""
    columns = ("text", "start", "stop")
    long = [
        pairs.select(*(pl.col(f"{word}_{name}").alias(name) for name in columns), word=word)
        for word in ("hyponym", "hypernym")
    ]
    contexts = pl.concat(long).unique(maintain_order=True).with_row_index("context")
    for word in ("hyponym", "hypernym"):
        named = contexts.rename({"context": f"{word}_context", "word": word} | {n: f"{word}_{n}" for n in columns})
        pairs = pairs.join(named, on=named.columns[1:], how="left", maintain_order="left")
    told = pairs.drop([f"{word}_{name}" for word in ("hyponym", "hypernym") for name in columns])
    return contexts.select(list(CONTEXTS)).cast(CONTEXTS), told


@cache
def _engine() -> inflect.engine:
    return inflect.engine()


def plural(word: str) -> str:
    """Return the plural of a noun."""
    return cast(str, _engine().plural_noun(word))


def with_article(word: str) -> str:
    """Return a word after its indefinite article."""
    return cast(str, _engine().a(word))
