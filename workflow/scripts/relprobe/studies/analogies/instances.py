"""The tuples of BATS in two partitions, and a negative tuple for every positive one (sections 2.2 and 2.3)."""

import itertools
import random
from collections.abc import Mapping

import polars as pl

from relprobe.core.errors import DataError
from relprobe.studies.analogies.negatives import Pair, Partition, shared_pairs
from relprobe.studies.analogies.relations import GROUPS
from relprobe.studies.analogies.schemas import INSTANCES, PROBE_TYPES, TUPLES

MIN_TUPLES = 3
"""A partition needs three tuples: the query, the positive, and one that gives the negative its words."""


def tuples(pairs: pl.DataFrame, size: int | None, train_share: float, seed: int) -> pl.DataFrame:
    """Split the tuples of every relation of BATS (`sources.bats.PAIRS`) at random into training and test (TUPLES).

    `size`: how many tuples to draw of each relation (None: all of them). The draw of a relation depends only on the seed
    and on the tuples of this relation. DataError: a partition has fewer than three tuples, or a relation fewer than `size`.
    """
    parts = []
    for (code,), rows in pairs.group_by("relation", maintain_order=True):
        if size is not None and rows.height < size:
            raise DataError(f"{code} has {rows.height} tuples, but the config samples {size}: lower `sample.tuples`.")
        sample = random.Random(f"{seed} {code}").sample(range(rows.height), size or rows.height)  # noqa: S311
        train = round(len(sample) * train_share)
        if min(train, len(sample) - train) < MIN_TUPLES:
            raise DataError(
                f"{code}: {train} of {len(sample)} tuples are for training, but both partitions need {MIN_TUPLES}: "
                "raise `sample.tuples` or change `split.train_share`."
            )
        sampled = rows.with_row_index("row").filter(pl.col("row").is_in(sample))
        partition = pl.when(pl.col("row").is_in(sample[:train])).then(pl.lit("train")).otherwise(pl.lit("test"))
        parts.append(sampled.with_columns(partition=partition))
    tail, group = pl.col("answers").list.first(), pl.col("relation").str.head(1).replace_strict(GROUPS)
    return pl.concat(parts).with_columns(tail=tail, group=group).select(list(TUPLES))


def instances(table: pl.DataFrame, pairs: pl.DataFrame, size: int | None, seed: int) -> pl.DataFrame:
    """Pair every tuple of a partition, as the query, with every other as the positive, and add a negative (INSTANCES).

    `table`: the tuples of the study (TUPLES); `pairs`: all of BATS (`sources.bats.PAIRS`). A partition of n tuples has
    n(n-1) instances per probe type. If `size` is smaller, `size` of them are drawn at random, the same for all probe types.
    A negative is never a tuple of the relation: all answers count, and so do tuples that the sample left out. No pair of
    words is judged in both partitions; the same two words in the other order may be, for example as a negative of the type
    probe (97 of them on the whole of BATS). DataError: a positive has no negative.
    """
    rows: list[tuple[str, ...]] = []
    for (code,), relation in table.group_by("relation", maintain_order=True):
        answers = dict(pairs.filter(relation=code).select("head", "answers").iter_rows())
        for partition in _partitions(str(code), relation, answers, seed):
            rows += _of_partition(str(code), partition, size, seed)
    return pl.DataFrame(rows, schema=INSTANCES, orient="row")


def _partitions(code: str, relation: pl.DataFrame, answers: Mapping[str, list[str]], seed: int) -> list[Partition]:
    answer_sets = {head: frozenset(words) for head, words in answers.items()}
    pairs_of: dict[str, list[Pair]] = {
        name: relation.filter(partition=name).select("head", "tail").rows() for name in ("train", "test")
    }
    words = [{word for pair in pairs for word in pair} for pairs in pairs_of.values()]
    forbidden = shared_pairs(words[0] & words[1], random.Random(f"{seed} {code} shared"))  # noqa: S311
    return [
        Partition(name, pairs, answer_sets, of_other)
        for (name, pairs), of_other in zip(pairs_of.items(), forbidden, strict=True)
    ]


def _of_partition(code: str, partition: Partition, size: int | None, seed: int) -> list[tuple[str, ...]]:
    """Return the rows of INSTANCES of one partition of a relation."""
    numbers = list(itertools.permutations(range(len(partition.pairs)), 2))
    if size is not None and size < len(numbers):
        chance = random.Random(f"{seed} {code} {partition.name}")  # noqa: S311
        numbers = sorted(chance.sample(numbers, size))
    rows: list[tuple[str, ...]] = []
    for probe in PROBE_TYPES:
        chance = random.Random(f"{seed} {code} {partition.name} {probe}")  # noqa: S311
        for query, positive in numbers:
            negative = partition.negative(probe, query, positive, chance)
            if negative is None:
                raise DataError(
                    f"{code}, {partition.name}: {' : '.join(partition.pairs[positive])} has no negative for the probe "
                    f"{probe!r} that is not in the relation: raise `sample.tuples` or leave this relation out."
                )
            pairs = partition.pairs
            rows.append((code, partition.name, probe, *pairs[query], *pairs[positive], *negative))
    return rows
