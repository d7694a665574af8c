"""The probes: definitions with the words that the tasks of the groups need; the groups name their candidates by them."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import polars as pl

from relprobe.core.errors import DataError
from relprobe.studies.definitions.data.benchmark import Part, part
from relprobe.studies.definitions.data.build import BENCHMARK_LIMITS, Limits, candidates
from relprobe.studies.definitions.data.build import targets as describe
from relprobe.studies.definitions.data.synsets import Synsets
from relprobe.studies.definitions.schemas import GROUPS, PROBES, TASKS, Benchmark, Groups, Probes


class ProbeTables(NamedTuple):
    """The groups that are asked, the probes of their tasks, and all groups with enough synsets."""

    groups: Groups
    probes: Probes
    benchmark: Benchmark


def probe_tables(
    dictionary: Synsets,
    limits: Limits = BENCHMARK_LIMITS,
    *,
    sample: dict[str, Any] | None = None,
    targets: list[str] | None = None,
) -> ProbeTables:
    """Build the groups of sister synsets, a sample of them, and the probes of their tasks (section 2.1).

    `dictionary` is the prepared WordNet or an own dictionary, which has its own parts of speech. `sample` holds the number
    of groups to draw per part of speech and the seed, such as {"noun": 20, "verb": 20, "seed": 1}; without it, all groups
    are kept. `targets`: synsets or words that are asked in any case. DataError: there are fewer groups than the sample asks
    for, or a target has none.
    """
    names = targets or []
    parts = {pos: part(pos, synsets, sample, names, limits) for pos, synsets in dictionary.items()}
    groups, of_groups = _tables(parts)
    known = {*groups["group"], *groups["word"]}
    if unknown := [name for name in names if name not in known]:
        raise DataError(
            f"definitions.targets names {unknown[0]!r}, which has no group of {limits.minimum} candidates or more: correct "
            "it, or leave it out."
        )
    return ProbeTables(groups, of_groups, pl.concat([one.benchmark for one in parts.values()]))


def _tables(parts: Mapping[str, Part]) -> tuple[Groups, Probes]:
    """Return the groups and the probes. `parts`: part of speech -> what is asked of it.

    A probe is a definition with all words that any task needs with it, so that a model reads the definition once per
    pattern.
    """
    groups, probes, first = [], [], 0
    for pos, (synsets, pairs, _) in parts.items():
        rows = candidates(pairs, synsets)
        key = ["definition", "word"]
        scored = rows.group_by(key).agg(questions=pl.len()).sort(key)
        scored = scored.with_columns(pair=pl.int_range(pl.len(), dtype=pl.UInt32) + first)
        probes.append(_probes(scored, synsets, pos))
        groups.append(_groups(rows.join(scored, on=key), pairs, synsets))
        first += scored.height
    return pl.concat(groups), pl.concat(probes)


def _probes(scored: pl.DataFrame, synsets: pl.DataFrame, pos: str) -> pl.DataFrame:
    """Return a row of PROBES per definition from the pairs (definition, word) that a model scores."""
    words, definitions = (synsets[name].unique(maintain_order=True) for name in ("word", "definition"))
    texts = scored.with_columns(words=words.gather(scored["word"]))
    rows = texts.group_by("definition", maintain_order=True).agg("words", pl.col("questions").sum().cast(pl.UInt32))
    return rows.select(
        pl.lit(pos).alias("pos"),
        "words",
        "questions",
        probe_id=pl.format("{}:{}", pl.lit(pos), "definition"),
        definition=definitions.gather(rows["definition"]),
    ).select(list(PROBES))


def _groups(rows: pl.DataFrame, pairs: pl.DataFrame, synsets: pl.DataFrame) -> pl.DataFrame:
    """Return a row of GROUPS per target from the candidates and the numbers of their pairs."""
    lists = pairs.select("target").unique()
    for task in TASKS:
        of_task = rows.filter(task=task).sort("right", "pair", descending=[True, False])
        lists = lists.join(
            of_task.group_by("target", maintain_order=True).agg(pl.col("pair").alias(task)), on="target", how="left"
        )
    about = describe(synsets).join(lists, left_on="row", right_on="target", maintain_order="left")
    none = pl.lit([], dtype=pl.List(pl.UInt32))
    return about.with_columns(pl.col(task).fill_null(none) for task in TASKS).select(list(GROUPS))
