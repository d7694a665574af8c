"""What the study asks of each part of speech, and what groups the benchmark has."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import polars as pl

from relprobe.studies.definitions.data.build import (
    Limits,
    candidates,
    keep_targets,
    large_groups,
    sample,
    sisters,
    targets,
)
from relprobe.studies.definitions.schemas import BENCHMARK, TASKS


class Part(NamedTuple):
    """The synsets of a part of speech, the pairs of its groups that are asked (`sisters`), and its rows of BENCHMARK."""

    synsets: pl.DataFrame
    pairs: pl.DataFrame
    benchmark: pl.DataFrame


def part(
    pos: str, synsets: pl.DataFrame, sampling: Mapping[str, Any] | None, names: Sequence[str], limits: Limits
) -> Part:
    """Draw the groups of one part of speech, and add those of some names; `synsets`: SYNSETS.

    `sampling` holds the number of groups to draw per part of speech, and the seed; None takes all groups. DataError: there
    are fewer groups.
    """
    pairs = sisters(synsets)
    large = large_groups(pairs, synsets, limits)
    drawn = sample(large, sampling[pos], pos, sampling["seed"]) if sampling else large
    asked = pl.concat([drawn, keep_targets(large, synsets, names)]).unique().sort("target", "member")
    return Part(synsets, asked, _rows(pairs, large, drawn, synsets, limits))


def _rows(
    pairs: pl.DataFrame, large: pl.DataFrame, drawn: pl.DataFrame, synsets: pl.DataFrame, limits: Limits
) -> pl.DataFrame:
    """Return a row of BENCHMARK per group of one part of speech with enough synsets."""
    members = pairs.group_by(row="target").agg(synsets=pl.len().cast(pl.UInt16))
    members = members.filter(pl.col("synsets") >= limits.minimum)
    lengths = candidates(large, synsets).group_by("target", "task").agg(length=pl.len().cast(pl.UInt16))
    of_tasks = [lengths.filter(task=task).select(row="target", **{task: pl.col("length")}) for task in TASKS]
    table = targets(synsets).join(members, on="row", maintain_order="left")
    for lists in of_tasks:
        table = table.join(lists, on="row", how="left", maintain_order="left")
    kept, sampled = (pl.col("row").is_in(part["target"].unique().to_list()) for part in (large, drawn))
    return table.with_columns(kept=kept, drawn=sampled).select(list(BENCHMARK))
