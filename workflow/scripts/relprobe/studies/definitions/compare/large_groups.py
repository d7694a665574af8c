"""Groups of more candidates than people get, which models that choose are asked about in samples."""

from collections.abc import Mapping

import polars as pl

from relprobe.core.metric import Metric
from relprobe.stats.averages import averages
from relprobe.studies.definitions.schemas import FEW, Groups, ReplyChoices
from relprobe.studies.letters import absence, readable

P_AT_1 = Metric("p@1", cluster=("cluster",), share=True)
LARGE = pl.Schema(
    {
        "agent": pl.String(),
        "task": pl.String(),
        "groups": pl.UInt32(),
        "families": pl.UInt32(),
        "candidates": pl.Float64(),  # the mean number of candidates of a group
        "shown": pl.Float64(),  # the mean number of those that were shown
        "p@1": pl.Float64(),  # the share of right answers, and its 95 % interval over the families
        "low": pl.Float64(),
        "high": pl.Float64(),
        "expected": pl.Float64(),  # the share of right answers of a guess among those shown
        "note": pl.String(),  # why there is no value or no interval
    }
)


def large_groups(choices: Mapping[str, ReplyChoices], groups: Groups) -> pl.DataFrame:
    """Return how often each agent chooses rightly in groups of more than FEW candidates in one of the tasks (LARGE).

    `choices`: agent -> its answers. A value of a group is the share of right answers over all orders and samples. Of a task
    with more than FEW candidates the agent has seen a sample, in which the right one is easier to find than among all of
    them: the values are of no use beside those of agents that choose among all candidates.
    """
    families = groups.select("group", cluster="family")
    tables = {
        agent: table.filter(pl.col("candidates").max().over("group") > FEW).join(families, on="group", how="left")
        for agent, table in choices.items()
    }
    values = {agent: _values(readable(table)) for agent, table in tables.items() if not readable(table).is_empty()}
    means = (
        averages(values, [P_AT_1], ("task",), targets="own") if values else pl.DataFrame(schema={"agent": pl.String})
    )
    of_means = {(row["agent"], row["task"]): row for row in means.iter_rows(named=True)}
    rows = [
        _row(agent, str(task), part, of_means.get((agent, str(task)), {}))
        for agent, table in tables.items()
        for (task,), part in table.group_by("task", maintain_order=True)
    ]
    return pl.DataFrame(rows, schema=LARGE)


def _values(choices: pl.DataFrame) -> pl.DataFrame:
    """Return the share of right answers of each task and group."""
    shares = choices.group_by("task", "group", "cluster", maintain_order=True).agg(value=pl.col("right").mean())
    return shares.select("task", "cluster", "value", metric=pl.lit(P_AT_1.name), unit="group")


def _row(agent: str, task: str, part: pl.DataFrame, mean: dict[str, object]) -> dict[str, object]:
    shown = part["shown"].list.len()
    return {
        "agent": agent,
        "task": task,
        "groups": part["group"].n_unique(),
        "families": part["cluster"].n_unique(),
        "candidates": part["candidates"].mean(),
        "shown": shown.mean(),
        "p@1": mean.get("value"),
        "low": mean.get("low"),
        "high": mean.get("high"),
        "expected": (1 / shown).mean(),
        "note": mean.get("note") or absence(part),
    }
