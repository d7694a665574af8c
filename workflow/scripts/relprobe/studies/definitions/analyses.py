"""From the metrics of all agents to results: the tables of the paper, tests between agents, and what is confused."""

from collections.abc import Mapping

import polars as pl

from relprobe.core.units import paired_tests
from relprobe.studies.definitions.build import TASKS
from relprobe.studies.definitions.conditions import depth_names, frequency_names
from relprobe.studies.definitions.metrics import METRICS, PRECISIONS
from relprobe.studies.definitions.prompts import POS

CONFUSIONS = 5
"""Examples per agent, task and part of speech."""


def tests(values: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    """Compare every pair of agents on every metric per part of speech (TESTS): McNemar on P@1, Wilcoxon on RS."""
    by_pos = {agent: table.filter(pl.col("condition").is_in(list(POS))) for agent, table in values.items()}
    return paired_tests(by_pos, binary=PRECISIONS)


def overview(averages: pl.DataFrame) -> pl.DataFrame:
    """Return Tables 4 and 5 in one: a row per part of speech and agent, a column per metric."""
    return _wide(averages, list(POS)).rename({"condition": "part_of_speech"})


def by_frequency(averages: pl.DataFrame) -> pl.DataFrame:
    """Return Tables 7 and 10, for verbs as well: a row per band of the target's frequency and agent."""
    return _wide(averages, [name for pos in POS for name in frequency_names(pos).values()])


def by_depth(averages: pl.DataFrame) -> pl.DataFrame:
    """Return Table 6 for every agent and both tasks: a row per range of depths and agent."""
    return _wide(averages, depth_names())


def _wide(averages: pl.DataFrame, conditions: list[str]) -> pl.DataFrame:
    rows = averages.filter(pl.col("condition").is_in(conditions))
    wide = rows.pivot("metric", index=["condition", "agent", "units"], values="value", maintain_order=True)
    wide = wide.select("condition", "agent", *METRICS, groups="units")
    return wide.sort(pl.col("condition").cast(pl.Enum(conditions)), maintain_order=True)


def confusions(responses: Mapping[str, pl.DataFrame], groups: pl.DataFrame) -> pl.DataFrame:
    """Return what each agent takes for right in the tasks it misses: per task and part of speech the most frequent targets.

    Agents whose answers are drawn have none.
    """
    about = groups.select("group", "pos", "word", "definition", "zipf")
    parts = [
        table.filter(pl.col("rank") > 1).join(about, on="group").with_columns(agent=pl.lit(agent))
        for agent, table in responses.items()
        if agent != "random"
    ]
    ranked = pl.concat(parts).sort("zipf", "group", descending=[True, False])
    first = ranked.group_by("agent", "task", "pos", maintain_order=True).head(CONFUSIONS)
    agents, tasks = pl.col("agent").cast(pl.Enum(list(responses))), pl.col("task").cast(pl.Enum(TASKS))
    shown = first.sort(agents, tasks, "pos", maintain_order=True)
    return shown.select(
        *("agent", pl.col("task").str.to_uppercase(), pl.col("pos").alias("part_of_speech")),
        *("word", "definition", "answer", "rank", "candidates"),
    )


def tables(
    averages: pl.DataFrame,
    tests: pl.DataFrame,
    sizes: pl.DataFrame,
    responses: Mapping[str, pl.DataFrame],
    groups: pl.DataFrame,
) -> dict[str, pl.DataFrame]:
    """Return every table of the report by the name of its file."""
    return {
        "overview": overview(averages),
        "metrics": averages,
        "tests": tests,
        "frequency": by_frequency(averages),
        "depth": by_depth(averages),
        "confusions": confusions(responses, groups),
        "data": sizes,
    }
