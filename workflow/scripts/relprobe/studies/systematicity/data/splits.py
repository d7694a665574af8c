"""Training, development and test parts of the pairs, with hypernyms seen in training and unseen (section 2.2)."""

import random
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import polars as pl

from relprobe.core.errors import ConfigError
from relprobe.sources.systematicity import Grounded
from relprobe.studies.systematicity.data.carriers import pairs_in_carriers
from relprobe.studies.systematicity.data.categories import Categories, flat
from relprobe.studies.systematicity.schemas import CONTEXTS, PAIRS, Contexts, Items, Pairs


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


def unseen_splits(pool: pl.DataFrame, categories: Categories, seed: int) -> Pairs:
    """Return a fold per superordinate category, which holds out its hyponyms, and its categories with them.

    Half of the held-out hyponyms of each category make the development part.
    """
    own = _own_category(pool)
    folds = [_shuffled(own, [*of_group], seed) for of_group in categories.values()]
    return _folds(pool, folds, "unseen")


def seen_splits(pool: pl.DataFrame, categories: Sequence[str], folds: int, seed: int) -> Pairs:
    """Return `folds` folds: each holds out another share of every category's hyponyms.

    Half of the held-out hyponyms make the development part. Test hyponyms do not occur in training, their hypernyms do.
    """
    shuffled = _shuffled(_own_category(pool), [*categories], seed)
    return _folds(pool, [shuffled[fold::folds] for fold in range(folds)], "seen")


def _own_category(pool: pl.DataFrame) -> dict[str, list[str]]:
    """Return category -> its hyponyms, sorted."""
    true = pool.filter(label=1).select("hyponym", "hypernym").unique().sort("hypernym", "hyponym")
    return {str(name): rows["hyponym"].to_list() for (name,), rows in true.group_by("hypernym", maintain_order=True)}


def _shuffled(own: Mapping[str, list[str]], categories: Sequence[str], seed: int) -> list[str]:
    """Return the hyponyms of the categories, one category after the other, each in an order drawn with the seed."""
    order = []
    for category in categories:
        words = list(own.get(category, []))
        random.Random(f"{seed} {category}").shuffle(words)  # noqa: S311
        order += words
    return order


def _folds(pool: pl.DataFrame, held_out: Sequence[Sequence[str]], setting: str) -> Pairs:
    """Return a fold per list of held-out hyponyms. ConfigError: a list has too few for two parts."""
    parts = []
    for fold, words in enumerate(held_out, start=1):
        if len(words) < 2:
            raise ConfigError(
                f"config: systematicity leaves {len(words)} hyponyms to fold {fold} with {setting} hypernyms, which must "
                "have two, for development and test: lower minimum_zipf or raise minimum_hyponyms, or take other categories "
                "or fewer folds."
            )
        of_part = {"dev": words[::2], "test": words[1::2]}
        away = pl.Series(words, dtype=pl.String).implode()
        parts.append(_part(pool.filter(~pl.col("hyponym").is_in(away)), setting, fold, "train"))
        for part, hyponyms in of_part.items():
            rows = pool.filter(pl.col("hyponym").is_in(pl.Series(hyponyms, dtype=pl.String).implode()))
            one_each = rows.unique(["hyponym", "label"], keep="first", maintain_order=True)
            parts.append(_part(one_each, setting, fold, part))
    return pl.concat(parts)


def _part(rows: pl.DataFrame, setting: str, fold: int, part: str) -> pl.DataFrame:
    about = {"setting": pl.lit(setting), "fold": pl.lit(fold), "part": pl.lit(part)}
    return rows.with_columns(**about).select(list(PAIRS)).cast(PAIRS)
