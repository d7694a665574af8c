"""The pairs of the classifier and the contexts of their words: the authors' or, without them, carrier sentences (2.2.2)."""

import logging
import random
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import polars as pl

from relprobe.core.errors import ConfigError
from relprobe.sources.systematicity import Grounded
from relprobe.studies.systematicity.hyponyms import Categories, flat
from relprobe.studies.systematicity.method import seen_splits, unseen_splits, with_untrue
from relprobe.studies.systematicity.schemas import CONTEXTS, PAIRS, Contexts, Items, Pairs

logger = logging.getLogger("relprobe")


class Splits(NamedTuple):
    """The classifier's pairs, and the contexts of their words."""

    pairs: Pairs
    contexts: Contexts


def splits(
    item_table: Items,
    released: Grounded | None = None,
    *,
    categories: dict[str, list[str]],
    carriers: list[str],
    folds: int,
    seed: int,
) -> Splits:
    """Make the classifier's pairs and the contexts of their words: of the authors' splits or, without them, of the items.

    `carriers` are sentences with one [W] around the words of items; `folds` is the number of folds with seen hypernyms.
    """
    if released is not None:
        return released_splits(released, categories, folds, seed)
    return carrier_splits(pairs_in_carriers(item_table, categories, carriers, seed), categories, folds, seed)


def released_splits(released: Grounded, categories: Categories, folds: int, seed: int) -> Splits:
    """Return the released pairs, and their contexts.

    The splits with unseen hypernyms are the released ones. The authors did not release those with seen hypernyms; they are
    made anew of the pairs in the released training parts.
    """
    contexts, pairs = number_contexts(released)
    as_released = pairs.with_columns(setting=pl.lit("unseen")).select(list(PAIRS)).cast(PAIRS)
    return Splits(pl.concat([seen_splits(training_pool(pairs), flat(categories), folds, seed), as_released]), contexts)


def carrier_splits(pool: pl.DataFrame, categories: Categories, folds: int, seed: int) -> Splits:
    """Return pairs in carrier sentences, with seen and with unseen hypernyms, and their contexts."""
    contexts, pairs = number_contexts(pool)
    seen = seen_splits(pairs, flat(categories), folds, seed)
    return Splits(pl.concat([seen, unseen_splits(pairs, categories, seed)]), contexts)


def number_contexts(pairs: pl.DataFrame) -> tuple[Contexts, pl.DataFrame]:
    """Return the contexts of pairs, each once, and the pairs with the contexts' numbers in their place."""
    columns = ("text", "start", "stop")
    long = [
        pairs.select(*(pl.col(f"{word}_{name}").alias(name) for name in columns), word=word)
        for word in ("hyponym", "hypernym")
    ]
    contexts = pl.concat(long).unique(maintain_order=True).with_row_index("context")
    for word in ("hyponym", "hypernym"):
        named = contexts.rename({"context": f"{word}_context", "word": word} | {n: f"{word}_{n}" for n in columns})
        pairs = pairs.join(named, on=named.columns[1:], how="left", maintain_order="left")
    pairs = pairs.drop([f"{word}_{name}" for word in ("hyponym", "hypernym") for name in columns])
    return contexts.select(list(CONTEXTS)).cast(CONTEXTS), pairs


def training_pool(released: pl.DataFrame) -> pl.DataFrame:
    """Return the pairs in the released training parts: hyponym, hypernym, label, contexts.

    The pairs of a hyponym stand in the training parts of two folds, with different untrue hypernyms; those of the first of
    these folds are in the pool.
    """
    train = released.filter(part="train")
    return train.filter(pl.col("fold") == pl.col("fold").min().over("hyponym")).drop("fold", "part")


# Pairs of hyponym and hypernym in carrier sentences, where there are no released pairs.


def pairs_in_carriers(items: Items, categories: Categories, carriers: Sequence[str], seed: int) -> pl.DataFrame:
    """Return a true and an untrue pair per hyponym and carrier sentence, the two words of a pair in different carriers.

    The columns are those of GROUNDED without fold and part. An untrue hypernym is another category of the same superordinate
    category (section 2.2.2). Every hypernym is as often untrue as true, as in the released training parts, so that the
    hypernym alone does not give the label away. This needs a limit: a category has at most as many hyponyms in pairs as the
    other categories of its superordinate category together. The seed draws the hyponyms without pairs, and the log counts
    them. ConfigError: a superordinate category has hyponyms in fewer than two categories.
    """
    hyponyms_by_category = {
        str(name): rows["hyponym"].to_list() for (name,), rows in items.group_by("category", maintain_order=True)
    }
    rows: list[dict[str, Any]] = []
    for group, group_categories in categories.items():
        if sum(category in hyponyms_by_category for category in group_categories) < 2:
            raise ConfigError(
                f"config: systematicity.categories.{group} has hyponyms in fewer than two of its categories, so that they "
                "have no untrue hypernym: add a category that has some."
            )
        draw = random.Random(f"{seed} {' '.join(group_categories)}")  # noqa: S311
        balanced = _balanced({category: hyponyms_by_category.get(category, []) for category in group_categories}, draw)
        for number, carrier in enumerate(carriers):
            other_carrier = carriers[(number + 1) % len(carriers)]
            for hyponym, true, untrue in with_untrue(balanced, draw):
                for label, hypernym in ((1, true), (0, untrue)):
                    spans = {"hyponym": _place(carrier, hyponym), "hypernym": _place(other_carrier, hypernym)}
                    rows.append({"hyponym": hyponym, "hypernym": hypernym, "label": label, **_columns(spans)})
    return pl.DataFrame(rows)


def _balanced(hyponyms: Mapping[str, Sequence[str]], draw: random.Random) -> dict[str, list[str]]:
    """Return category -> hyponyms; the largest category has no more of them than all others together."""
    shuffled = {category: draw.sample(words, len(words)) for category, words in hyponyms.items()}
    largest = max(shuffled, key=lambda category: len(shuffled[category]))
    room = sum(map(len, shuffled.values())) - len(shuffled[largest])
    logger.info("%d hyponyms of %r have no pairs", max(0, len(shuffled[largest]) - room), largest)
    return shuffled | {largest: shuffled[largest][:room]}


def _place(carrier: str, word: str) -> tuple[str, int, int]:
    """Return the carrier sentence with the word in it, and where the word starts and stops, in characters."""
    start = carrier.index("[W]")
    return carrier.replace("[W]", word), start, start + len(word)


def _columns(spans: Mapping[str, tuple[str, int, int]]) -> dict[str, Any]:
    columns: dict[str, Any] = {}
    for word, (text, start, stop) in spans.items():
        columns |= {f"{word}_text": text, f"{word}_start": start, f"{word}_stop": stop}
    return columns
