"""Training, development and test parts of the pairs, with hypernyms seen in training and unseen (section 2.2)."""

import random
from collections.abc import Mapping, Sequence

import polars as pl

from relprobe.core.errors import ConfigError
from relprobe.studies.systematicity.categories import Categories, flat
from relprobe.studies.systematicity.requests import CONTEXTS
from relprobe.studies.systematicity.schemas import PAIRS

PARTS = ("train", "dev", "test")


def of_released(
    released: pl.DataFrame, categories: Categories, folds: int, seed: int
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return the released pairs (GROUNDED) as PAIRS, and their CONTEXTS.

    The splits with unseen hypernyms are the released ones. Those with seen hypernyms, which were not released, are made
    anew of the pairs that the released training parts hold.
    """
    contexts, told = numbered(released)
    as_released = told.with_columns(setting=pl.lit("unseen")).select(list(PAIRS)).cast(PAIRS)
    return pl.concat([seen(training_pool(told), flat(categories), folds, seed), as_released]), contexts


def of_carried(pool: pl.DataFrame, categories: Categories, folds: int, seed: int) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return pairs in carrier sentences as PAIRS, with seen and with unseen hypernyms, and their CONTEXTS."""
    contexts, told = numbered(pool)
    return pl.concat([seen(told, flat(categories), folds, seed), unseen(told, categories, seed)]), contexts


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


def training_pool(released: pl.DataFrame) -> pl.DataFrame:
    """Return the pairs with several contexts that the released training parts hold: hyponym, hypernym, label, contexts.

    A hyponym's pairs stand in the training parts of two folds, each time with other untrue hypernyms; those of the first
    are taken.
    """
    train = released.filter(part="train")
    return train.filter(pl.col("fold") == pl.col("fold").min().over("hyponym")).drop("fold", "part")


def unseen(pool: pl.DataFrame, categories: Categories, seed: int) -> pl.DataFrame:
    """Return a fold per superordinate category (PAIRS): its hyponyms are held out, and its categories with them.

    Half of the held-out hyponyms of each category make the development part.
    """
    own = _own_category(pool)
    folds = [_shuffled(own, [*of_group], seed) for of_group in categories.values()]
    return _folds(pool, folds, "unseen")


def seen(pool: pl.DataFrame, categories: Sequence[str], folds: int, seed: int) -> pl.DataFrame:
    """Return `folds` folds (PAIRS): each holds out another share of every category's hyponyms.

    Half of the held-out hyponyms make the development part. Test hyponyms are unseen, their hypernyms are not.
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


def _folds(pool: pl.DataFrame, held_out: Sequence[Sequence[str]], setting: str) -> pl.DataFrame:
    """Return a fold per list of held-out hyponyms (PAIRS). ConfigError: one has too few for both of its parts."""
    parts = []
    for fold, words in enumerate(held_out, start=1):
        if len(words) < 2:
            raise ConfigError(
                f"config: systematicity leaves {len(words)} hyponyms to fold {fold} with {setting} hypernyms, which must "
                "have two, for development and test: lower minimum_zipf, or take other categories or fewer folds."
            )
        of_part = {"dev": words[::2], "test": words[1::2]}
        away = pl.Series(words, dtype=pl.String).implode()
        parts.append(_part(pool.filter(~pl.col("hyponym").is_in(away)), setting, fold, "train"))
        for part, hyponyms in of_part.items():
            chosen = pool.filter(pl.col("hyponym").is_in(pl.Series(hyponyms, dtype=pl.String).implode()))
            one_each = chosen.unique(["hyponym", "label"], keep="first", maintain_order=True)
            parts.append(_part(one_each, setting, fold, part))
    return pl.concat(parts)


def _part(rows: pl.DataFrame, setting: str, fold: int, part: str) -> pl.DataFrame:
    about = {"setting": pl.lit(setting), "fold": pl.lit(fold), "part": pl.lit(part)}
    return rows.with_columns(**about).select(list(PAIRS)).cast(PAIRS)
