"""What the study asks: BATS' tuples in two partitions, and a negative tuple for every positive (sections 2.2 and 2.3)."""

import itertools
import random
from collections.abc import Mapping

import polars as pl

from relprobe.core.errors import DataError
from relprobe.studies.analogies.negatives import Pair, Partition, shared_pairs
from relprobe.studies.analogies.relations import GROUPS
from relprobe.studies.analogies.schemas import INSTANCES, PROBES, TUPLES

SMALLEST = 3
"""Tuples that a partition must have: the query, the positive, and one to take a negative from."""


def tuples(pairs: pl.DataFrame, size: int | None, train_share: float, seed: int) -> pl.DataFrame:
    """Split the tuples of every relation of BATS (`sources.bats.PAIRS`) into training and test (TUPLES), by chance.

    `size`: how many tuples to draw of each relation (None: all of them). A relation's draw depends on the seed and on
    nothing but its own tuples. DataError: fewer than three tuples in a partition, or fewer than `size` in all.
    """
    parts = []
    for (code,), rows in pairs.group_by("relation", maintain_order=True):
        if size is not None and rows.height < size:
            raise DataError(f"{code} has {rows.height} tuples, but the config samples {size}: lower `sample.tuples`.")
        drawn = random.Random(f"{seed} {code}").sample(range(rows.height), size or rows.height)  # noqa: S311
        train = round(len(drawn) * train_share)
        if min(train, len(drawn) - train) < SMALLEST:
            raise DataError(
                f"{code}: {train} of {len(drawn)} tuples are for training, but both partitions need {SMALLEST}: "
                "raise `sample.tuples` or change `split.train_share`."
            )
        chosen = rows.with_row_index("row").filter(pl.col("row").is_in(drawn))
        partition = pl.when(pl.col("row").is_in(drawn[:train])).then(pl.lit("train")).otherwise(pl.lit("test"))
        parts.append(chosen.with_columns(partition=partition))
    tail, group = pl.col("answers").list.first(), pl.col("relation").str.head(1).replace_strict(GROUPS)
    return pl.concat(parts).with_columns(tail=tail, group=group).select(list(TUPLES))


def instances(table: pl.DataFrame, pairs: pl.DataFrame, size: int | None, seed: int) -> pl.DataFrame:
    """Pair every tuple of a partition with every other as positives, each with a negative per probe (INSTANCES).

    `table`: the tuples that were drawn; `pairs`: all of BATS (`sources.bats.PAIRS`). A partition of n tuples has n(n-1)
    instances per probe, or `size` of them if that is less, drawn by chance and the same for all probes. A negative tuple
    is never one of the relation, whichever answers are taken and whether it was drawn or not, and no pair of words is
    judged in both partitions; the same two words in the other order may be, as a negative of the type probe for example
    (97 of them on the whole of BATS). DataError: a positive has no negative.
    """
    rows: list[tuple[str, ...]] = []
    for (code,), relation in table.group_by("relation", maintain_order=True):
        known = dict(pairs.filter(relation=code).select("head", "answers").iter_rows())
        for partition in _partitions(str(code), relation, known, seed):
            rows += _of_partition(str(code), partition, size, seed)
    return pl.DataFrame(rows, schema=INSTANCES, orient="row")


def _partitions(code: str, relation: pl.DataFrame, answers: Mapping[str, list[str]], seed: int) -> list[Partition]:
    known = {head: frozenset(words) for head, words in answers.items()}
    named: dict[str, list[Pair]] = {
        name: relation.filter(partition=name).select("head", "tail").rows() for name in ("train", "test")
    }
    words = [{word for pair in pairs for word in pair} for pairs in named.values()]
    forbidden = shared_pairs(words[0] & words[1], random.Random(f"{seed} {code} shared"))  # noqa: S311
    return [
        Partition(name, pairs, known, barred) for (name, pairs), barred in zip(named.items(), forbidden, strict=True)
    ]


def _of_partition(code: str, partition: Partition, size: int | None, seed: int) -> list[tuple[str, ...]]:
    places = list(itertools.permutations(range(len(partition.pairs)), 2))
    if size is not None and size < len(places):
        chance = random.Random(f"{seed} {code} {partition.name}")  # noqa: S311
        places = sorted(chance.sample(places, size))
    rows: list[tuple[str, ...]] = []
    for probe in PROBES:
        chance = random.Random(f"{seed} {code} {partition.name} {probe}")  # noqa: S311
        for query, positive in places:
            negative = partition.negative(probe, query, positive, chance)
            if negative is None:
                raise DataError(
                    f"{code}, {partition.name}: {' : '.join(partition.pairs[positive])} has no negative for the probe "
                    f"{probe!r} that is not in the relation: raise `sample.tuples` or leave this relation out."
                )
            pairs = partition.pairs
            rows.append((code, partition.name, probe, *pairs[query], *pairs[positive], *negative))
    return rows
