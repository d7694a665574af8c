"""The pairs of hyponym and category in contexts, and the folds that they are trained and tested in."""

import logging
import random
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import polars as pl

from relprobe.core.errors import ConfigError
from relprobe.sources.systematicity import Grounded
from relprobe.studies.systematicity.data import Categories, flat
from relprobe.studies.systematicity.schemas import CONTEXTS, PAIRS, Contexts, Items, Pairs

# Pairs of hyponym and hypernym in carrier sentences, where there are no released pairs (section 2.2.2).


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


# Training, development and test parts of the pairs, with hypernyms seen in training and unseen (section 2.2).


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
