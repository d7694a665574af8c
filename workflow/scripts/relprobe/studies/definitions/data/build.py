"""The groups of sister synsets, and the candidates of their two tasks (section 2)."""

import random
from collections.abc import Collection
from dataclasses import dataclass

import polars as pl

from relprobe.core.errors import DataError
from relprobe.studies.definitions.schemas import TASKS


@dataclass(frozen=True)
class Limits:
    """How many different strings, and how many different definitions, a group of the benchmark has: both inclusive.

    With five of each at least, WordNet 3.0 has exactly the groups of Table 2.
    """

    minimum: int = 5
    maximum: int | None = None


BENCHMARK_LIMITS = Limits()


def sisters(synsets: pl.DataFrame) -> pl.DataFrame:
    """Return the groups G(t) = {x | ∃y: t < y ∧ x < y} of one part of speech (section 2.1), a row per target and member.

    Targets and members are row numbers of `synsets`. Every synset with a hypernym has a group, of any size, and is a member
    of it. In this example, the first and the second synset are sisters, and the third has no hypernym:

    >>> sisters(pl.DataFrame({"hypernyms": [["bird"], ["bird"], []]}, schema={"hypernyms": pl.List(pl.String)})).rows()
    [(0, 0), (0, 1), (1, 0), (1, 1)]
    """
    links = synsets.select(pl.int_range(pl.len(), dtype=pl.UInt32).alias("target"), "hypernyms").explode("hypernyms")
    links = links.drop_nulls("hypernyms")
    members = links.rename({"target": "member"})
    return links.join(members, on="hypernyms").select("target", "member").unique().sort("target", "member")


def large_groups(pairs: pl.DataFrame, synsets: pl.DataFrame, limits: Limits = BENCHMARK_LIMITS) -> pl.DataFrame:
    """Keep the pairs of the groups with as many different strings, and different definitions, as the limits allow."""
    codes = _codes(synsets)
    sizes = pairs.join(codes, left_on="member", right_on="row").group_by("target").agg(pl.exclude("member").n_unique())
    least, most = pl.min_horizontal("word", "definition"), pl.max_horizontal("word", "definition")
    kept = sizes.filter(
        (least >= limits.minimum) & (pl.lit(True) if limits.maximum is None else most <= limits.maximum)
    )
    return pairs.join(kept.select("target"), on="target", how="semi", maintain_order="left")


def sample(pairs: pl.DataFrame, size: int, pos: str, seed: int) -> pl.DataFrame:
    """Draw `size` groups without replacement and keep their pairs; the same seed draws the same groups.

    Samples are nested: with the same seed, a larger one holds all groups of a smaller one. DataError: there are fewer than
    `size` groups.
    """
    targets = pairs["target"].unique().sort()
    if len(targets) < size:
        raise DataError(
            f"definitions.sample: there are only {len(targets)} groups of {pos}s, but the config asks for {size}: "
            "take fewer, or all with `sample: null`."
        )
    drawn, draws = set[int](), random.Random(f"{seed} {pos}")  # noqa: S311
    while len(drawn) < size:
        drawn.add(draws.randrange(len(targets)))
    return _pairs_of(pairs, targets[sorted(drawn)])


def keep_targets(pairs: pl.DataFrame, synsets: pl.DataFrame, names: Collection[str]) -> pl.DataFrame:
    """Keep the pairs of the groups whose target has one of these names: a synset such as beckon.v.01, or its string."""
    targets = synsets.with_row_index("row").filter(pl.col("synset").is_in(names) | pl.col("word").is_in(names))
    return _pairs_of(pairs, targets["row"])


def _pairs_of(pairs: pl.DataFrame, targets: pl.Series) -> pl.DataFrame:
    wanted = pl.DataFrame({"target": targets.cast(pl.UInt32)})
    return pairs.join(wanted, on="target", how="semi", maintain_order="left")


def candidates(pairs: pl.DataFrame, synsets: pl.DataFrame) -> pl.DataFrame:
    """Return the candidates of both tasks: the columns task, target, word, definition (as codes) and right.

    W2D: the candidates are the target's definition and the different definitions of the members with another string than
    the target's; a definition of the same string would be right as well. D2W: the candidates are the target's string and
    the different strings of the members with another definition. With these candidates, a guess is right as often as Tables
    4 and 5 say. A task whose only candidate is the right one is left out.
    """
    codes = _codes(synsets)
    both = pairs.join(codes, left_on="member", right_on="row").join(
        codes, left_on="target", right_on="row", suffix="_target"
    )
    own = pl.col("member") == pl.col("target")
    w2d = both.filter(own | (pl.col("word") != pl.col("word_target"))).with_columns(word="word_target")
    d2w = both.filter(own | (pl.col("definition") != pl.col("definition_target")))
    d2w = d2w.with_columns(definition="definition_target")
    key = ["target", "word", "definition"]
    right = (pl.col("word") == pl.col("word_target")) & (pl.col("definition") == pl.col("definition_target"))
    parts = [
        part.with_columns(task=pl.lit(task), right=right).select("task", *key, "right").unique()
        for task, part in zip(TASKS, (w2d, d2w), strict=True)
    ]
    return pl.concat(parts).filter(pl.len().over("task", "target") > 1)


def targets(synsets: pl.DataFrame) -> pl.DataFrame:
    """Return the columns of GROUPS that describe a target, for every synset, and `row`, the number of the synset."""
    row = pl.int_range(pl.len(), dtype=pl.UInt32)
    about = synsets.select(row.alias("row"), "pos", "word", "definition", "depth", group="synset")
    return about.with_columns(families(synsets))


def families(synsets: pl.DataFrame) -> pl.Series:
    """Return the family of each synset's group, which is the synset's hypernym; null: it has none, and no group.

    The groups of a family have nearly the same candidates, so the tests and the intervals take a family as one observation.
    Of several hypernyms the first by name counts. Such a group shares candidates with a second family (1,234 of the 51,260
    groups of nouns do). In this example, goose and robin are of one family:

    >>> families(pl.DataFrame({"synset": ["robin", "goose"], "hypernyms": [["bird"], ["pet", "bird"]]})).to_list()
    ['bird', 'bird']
    """
    return synsets["hypernyms"].list.sort().list.first().alias("family")


def _codes(synsets: pl.DataFrame) -> pl.DataFrame:
    """Give every different string and definition a number, in the order of their first synsets."""
    parts = []
    for name in ("word", "definition"):
        distinct = synsets.select(name).unique(maintain_order=True).with_row_index("code")
        parts.append(synsets.join(distinct, on=name, how="left", maintain_order="left")["code"].alias(name))
    return pl.DataFrame(parts).with_columns(pl.int_range(pl.len(), dtype=pl.UInt32).alias("row"))
