"""The study's data: the groups of sister synsets, the probes of their tasks, and what groups the benchmark has."""

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from relprobe.core.errors import DataError
from relprobe.studies.definitions.data.build import BENCHMARK_LIMITS, Limits, candidates, large_groups, sample, sisters
from relprobe.studies.definitions.data.build import named as of_names
from relprobe.studies.definitions.data.build import tables as build_tables
from relprobe.studies.definitions.data.build import targets as describe
from relprobe.studies.definitions.schemas import BENCHMARK, TASKS


def benchmark(
    synsets: Mapping[str, pl.DataFrame],
    sampling: Mapping[str, Any] | None = None,
    targets: Sequence[str] = (),
    limits: Limits = BENCHMARK_LIMITS,
) -> tuple[pl.DataFrame, pl.DataFrame, pl.DataFrame]:
    """Return the tables GROUPS, PROBES and BENCHMARK.

    `synsets`: part of speech -> SYNSETS. `sampling` holds the number of groups to draw per part of speech, and the seed;
    None takes all groups. `targets`: synsets or words whose groups are asked whether they are drawn or not. DataError: there
    are fewer groups than it asks for, or a target has none.
    """
    parts, rows = {}, []
    for pos, of_pos in synsets.items():
        pairs = sisters(of_pos)
        large = large_groups(pairs, of_pos, limits)
        drawn = sample(large, sampling[pos], pos, sampling["seed"]) if sampling else large
        extra = of_names(large, of_pos, targets)
        parts[pos] = of_pos, pl.concat([drawn, extra]).unique().sort("target", "member")
        rows.append(_rows(pairs, large, drawn, of_pos, limits))
    groups, probes = build_tables(parts)
    known = {*groups["group"], *groups["word"]}
    if unknown := [name for name in targets if name not in known]:
        raise DataError(
            f"definitions.targets names {unknown[0]!r}, which has no group of {limits.minimum} candidates or more: correct "
            "it, or leave it out."
        )
    return groups, probes, pl.concat(rows)


def _rows(
    pairs: pl.DataFrame, large: pl.DataFrame, drawn: pl.DataFrame, synsets: pl.DataFrame, limits: Limits
) -> pl.DataFrame:
    """Return a row of BENCHMARK per group of one part of speech with enough synsets."""
    members = pairs.group_by(row="target").agg(synsets=pl.len().cast(pl.UInt16))
    members = members.filter(pl.col("synsets") >= limits.minimum)
    lengths = candidates(large, synsets).group_by("target", "task").agg(length=pl.len().cast(pl.UInt16))
    of_tasks = [lengths.filter(task=task).select(row="target", **{task: pl.col("length")}) for task in TASKS]
    table = describe(synsets).join(members, on="row", maintain_order="left")
    for lists in of_tasks:
        table = table.join(lists, on="row", how="left", maintain_order="left")
    kept, sampled = (pl.col("row").is_in(part["target"].unique().to_list()) for part in (large, drawn))
    return table.with_columns(kept=kept, drawn=sampled).select(list(BENCHMARK))
