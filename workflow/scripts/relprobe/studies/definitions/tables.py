"""The tables of the report: Tables 4 to 7 and 10 of the paper for every agent, and what each agent confuses."""

from collections.abc import Mapping, Sequence

import polars as pl

from relprobe.studies.definitions.conditions import depth_names, frequency_names
from relprobe.studies.definitions.metrics import METRICS
from relprobe.studies.definitions.prompts import POS
from relprobe.studies.definitions.schemas import GUESS, TASKS

EXAMPLES = 5
"""Confusions per agent, task and part of speech."""


def all_tables(
    averages: pl.DataFrame, responses: Mapping[str, pl.DataFrame], groups: pl.DataFrame
) -> dict[str, pl.DataFrame]:
    """Return the tables by their names. `responses`: agent -> RESPONSES."""
    return {
        "overview": overview(averages),
        "averages": averages,
        "frequency": by_frequency(averages),
        "depth": by_depth(averages),
        "confusions": confusions(responses, groups),
    }


def overview(averages: pl.DataFrame) -> pl.DataFrame:
    """Return Tables 4 and 5 in one: a row per part of speech and agent, a column per metric."""
    return _wide(averages, POS).rename({"condition": "part_of_speech"})


def by_frequency(averages: pl.DataFrame) -> pl.DataFrame:
    """Return Tables 7 and 10, with verbs added: a row per frequency band of the target and agent."""
    return _wide(averages, [name for pos in POS for name in frequency_names(pos).values()])


def by_depth(averages: pl.DataFrame) -> pl.DataFrame:
    """Return Table 6 for every agent and both tasks: a row per range of depths and agent."""
    return _wide(averages, depth_names())


def _wide(averages: pl.DataFrame, conditions: Sequence[str]) -> pl.DataFrame:
    """Return a row per condition and agent, in the order of `conditions`, and a column per metric.

    `groups` and `families` count what is averaged, `answered` the groups that the agent has answered; `own_groups`: these
    are not the groups of the other agents. A sample may have no group under any of the conditions; the table then has no
    rows.
    """
    rows = averages.filter(pl.col("condition").is_in(list(conditions)))
    counts = {"groups": "units", "families": "clusters", "answered": "answered", "own_groups": "own_units"}
    wide = rows.pivot("metric", index=["condition", "agent", *counts.values()], values="value", maintain_order=True)
    missing = [pl.lit(None, pl.Float64).alias(one.name) for one in METRICS if one.name not in wide.columns]
    wide = wide.with_columns(missing).select("condition", "agent", *(one.name for one in METRICS), **counts)
    return wide.sort(pl.col("condition").cast(pl.Enum(list(conditions))), maintain_order=True)


def confusions(responses: Mapping[str, pl.DataFrame], groups: pl.DataFrame) -> pl.DataFrame:
    """Return, per agent, task and part of speech, the most frequent targets whose task the agent misses.

    `answer` is the candidate that the agent ranks first, `rank` the rank of the right one. The random baseline has no
    rows, since its answers say nothing.
    """
    about = groups.select("group", "pos", "word", "definition", "zipf")
    parts = [
        table.filter(pl.col("rank") > 1).join(about, on="group").with_columns(agent=pl.lit(agent))
        for agent, table in responses.items()
        if agent != GUESS
    ]
    missed = pl.concat(parts).sort("zipf", "group", descending=[True, False])
    examples = missed.group_by("agent", "task", "pos", maintain_order=True).head(EXAMPLES)
    agents, tasks = pl.col("agent").cast(pl.Enum(list(responses))), pl.col("task").cast(pl.Enum(TASKS))
    return examples.sort(agents, tasks, "pos", maintain_order=True).select(
        *("agent", pl.col("task").str.to_uppercase(), pl.col("pos").alias("part_of_speech")),
        *("word", "definition", "answer", "rank", "candidates"),
    )
