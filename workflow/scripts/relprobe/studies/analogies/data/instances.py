"""The tuples of all relations in two partitions, and a negative tuple for every positive one (sections 2.2 and 2.3).

All of it is done in several draws: each draw divides the tuples anew, and draws other negatives.
"""

import itertools
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import polars as pl

from relprobe.core.errors import DataError
from relprobe.studies.analogies.data.families import families, nearest_sum
from relprobe.studies.analogies.data.negatives import Choices, Pair, Partition, shared_pairs
from relprobe.studies.analogies.schemas import INSTANCES, PROBE_TYPES, TUPLES

MIN_TUPLES = 3
"""A partition needs three tuples: the query, the positive, and one that gives the negative its words."""


@dataclass(frozen=True)
class Split:
    """How the tuples of a relation are divided into training and test.

    `train_share`: the share of the tuples for training; `draws`: how many times they are divided. `lexical`: tuples that
    share a word stay together, so that no word of a test tuple is seen in training.
    """

    train_share: float
    seed: int
    draws: int = 1
    lexical: bool = False


def tuples(pairs: pl.DataFrame, size: int | None, split: Split) -> pl.DataFrame:
    """Split the tuples of every relation (ANALOGIES) at random into training and test (TUPLES).

    `size`: how many tuples of each relation are sampled (None: all of them). All draws divide the same sample. The sample
    and the draws of a relation depend only on the seed and on the tuples of this relation. DataError: a partition has fewer
    than three tuples, or a relation fewer than `size`.
    """
    parts = []
    for (code,), rows in pairs.group_by("relation", maintain_order=True):
        if size is not None and rows.height < size:
            raise DataError(f"{code} has {rows.height} tuples, but the config samples {size}: lower `sample.tuples`.")
        chance = random.Random(f"{split.seed} {code}")  # noqa: S311
        places = sorted(chance.sample(range(rows.height), size or rows.height))
        sampled = rows[places].with_columns(tail=pl.col("answers").list.first())
        family = families(sampled.select("head", "tail").rows())
        for draw in range(1, split.draws + 1):
            train = _training(str(code), family, split, draw)
            partition = pl.Series(["train" if place in train else "test" for place in range(len(places))])
            parts.append(sampled.with_columns(family=pl.Series(family), draw=pl.lit(draw), partition=partition))
    return pl.concat(parts).select(list(TUPLES)).cast(TUPLES)


def _training(code: str, family: Sequence[str], split: Split, draw: int) -> set[int]:
    """Return the places of the training tuples of a draw, among tuples of these families; DataError as in `tuples`."""
    count = len(family)
    chance = random.Random(f"{split.seed} {code} draw {draw}")  # noqa: S311
    order = chance.sample(range(count), count)
    train = set(order[: round(count * split.train_share)])
    if split.lexical:
        members = {name: [place for place in order if family[place] == name] for name in dict.fromkeys(family)}
        together = chance.sample(list(members.values()), len(members))
        chosen = nearest_sum([len(group) for group in together], len(train))
        train = {place for number in chosen for place in together[number]}
    if min(len(train), count - len(train)) < MIN_TUPLES:
        raise DataError(
            f"{code}: {len(train)} of {count} tuples are for training, but both partitions need {MIN_TUPLES}: "
            "raise `sample.tuples` or change `split.train_share`."
        )
    return train


def instances(
    table: pl.DataFrame, pairs: pl.DataFrame, size: int | None, seed: int, choices: Choices | None = None
) -> pl.DataFrame:
    """Pair every tuple of a partition, as the query, with every other as the positive, and add a negative (INSTANCES).

    `table`: the tuples of the study (TUPLES); `pairs`: all relations (ANALOGIES). `choices`: how negatives are made. A
    partition of n tuples has n(n-1) instances per draw and probe type. If `size` is smaller, `size` of them are drawn at
    random, the same for all probe types. Unless `choices` says otherwise, a negative is never a tuple of the relation:
    all answers count, and so do tuples that the sample left out. Within a draw, no pair of words is judged in both
    partitions; the same two words in the other order may be, for example as a negative of the type probe. DataError: a
    positive has no negative.
    """
    rows: list[tuple[str | int | None, ...]] = []
    for (code,), relation in table.group_by("relation", maintain_order=True):
        answers = {
            head: frozenset(words) for head, words in pairs.filter(relation=code).select("head", "answers").iter_rows()
        }
        for (draw,), of_draw in relation.group_by("draw", maintain_order=True):
            name = f"{code} draw {draw}"
            for partition in _partitions(of_draw, answers, f"{seed} {name}", choices or Choices()):
                for probe, *words in _of_partition(name, partition, size, f"{seed} {name} {partition.name}"):
                    rows.append((code, draw, partition.name, probe, *words))
    return pl.DataFrame(rows, schema=INSTANCES, orient="row")


def _partitions(
    of_draw: pl.DataFrame, answers: Mapping[str, frozenset[str]], seed: str, choices: Choices
) -> list[Partition]:
    pairs_of: dict[str, list[Pair]] = {
        name: of_draw.filter(partition=name).select("head", "tail").rows() for name in ("train", "test")
    }
    words = [{word for pair in pairs for word in pair} for pairs in pairs_of.values()]
    forbidden = shared_pairs(words[0] & words[1], random.Random(f"{seed} shared"))  # noqa: S311
    return [
        Partition(name, pairs, answers, of_other, choices)
        for (name, pairs), of_other in zip(pairs_of.items(), forbidden, strict=True)
    ]


def _of_partition(where: str, partition: Partition, size: int | None, seed: str) -> Iterator[tuple[str | None, ...]]:
    """Yield the columns of INSTANCES from the probe on, of one partition of a relation in one draw."""
    pairs = partition.pairs
    numbers = list(itertools.permutations(range(len(pairs)), 2))
    if size is not None and size < len(numbers):
        numbers = sorted(random.Random(seed).sample(numbers, size))  # noqa: S311
    for probe in PROBE_TYPES:
        chance = random.Random(f"{seed} {probe}")  # noqa: S311
        for query, positive in numbers:
            negative = partition.negative(probe, query, positive, chance)
            if negative is None:
                raise DataError(
                    f"{where}, {partition.name}: {' : '.join(pairs[positive])} has no negative for the probe {probe!r} "
                    "that is not in the relation: raise `sample.tuples`, change `split.seed`, or leave this relation out."
                )
            yield probe, *pairs[query], *pairs[positive], *negative, None
