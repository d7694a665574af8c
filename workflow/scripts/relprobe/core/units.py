"""Units of measurement: how the values of agents become averages with intervals, and tests between agents.

Every study writes one table per agent: a row per metric and value, with the columns that say under which condition it was
measured (a part of speech, a relation, a cut-off, …) and of which unit it is (a probe, an item, a group of synsets, …).
UNITS is the plainest such table. The functions here read the tables of all agents, agent -> table, and the study's metrics.
"""

import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import polars as pl

from relprobe.core.metric import Metric
from relprobe.core.stats import Test, bootstrap_interval, holm, mcnemar, wilcoxon
from relprobe.core.unit_schemas import AVERAGES, COMPARISON, TESTS, UNITS

__all__ = ["AVERAGES", "COMPARISON", "TESTS", "UNITS", "averages", "item_values", "paired_tests", "pairwise"]
SEED = 1
"""Of the bootstrap, so that the same values have the same intervals."""
PAPER_TESTS: dict[str, Callable[..., Test]] = {"McNemar": mcnemar, "Wilcoxon": wilcoxon}


def item_values(values: Mapping[str, pl.DataFrame], metric: Metric, groups: Sequence[str]) -> pl.DataFrame:
    """Average the values of each item, as over a target's prompts: agent, metric, the groups, the item's columns, value."""
    key = [*groups, *metric.item]
    tables = [
        table.filter(metric=metric.name)
        .group_by(key)
        .agg(pl.col("value").mean())
        .select(pl.lit(agent).alias("agent"), pl.lit(metric.name).alias("metric"), *key, "value")
        for agent, table in values.items()
    ]
    return pl.concat(tables).sort(*key)


def averages(
    values: Mapping[str, pl.DataFrame], metrics: Iterable[Metric], groups: Sequence[str] = ("condition",)
) -> pl.DataFrame:
    """Return every agent's mean per metric and group, with its 95 % bootstrap interval over the items (AVERAGES).

    `groups` are the columns in which one mean differs from another; they take the place of AVERAGES' condition. Rows are
    sorted by metric and groups, the agents in their order. ValueError: the values have a metric that is not among these.
    """
    agents = pl.col("agent").cast(pl.Enum(list(values)))
    parts = []
    for metric in _declared(values, metrics):
        items = item_values(values, metric, groups)
        rows = [
            {"metric": metric.name, **dict(zip(["agent", *groups], names, strict=True)), **_average(of_group["value"])}
            for names, of_group in items.group_by("agent", *groups, maintain_order=True)
        ]
        schema = _with_groups(AVERAGES, items, groups)
        parts.append(pl.DataFrame(rows, schema=schema).sort(*groups, agents, maintain_order=True))
    return pl.concat(parts)


def _average(values: pl.Series) -> dict[str, Any]:
    interval = bootstrap_interval(values.to_numpy(), SEED)
    mean = values.mean()
    return {"value": mean, "low": interval.low, "high": interval.high, "units": interval.n, "note": interval.note}


def paired_tests(
    values: Mapping[str, pl.DataFrame], metrics: Iterable[Metric], groups: Sequence[str] = ("condition",)
) -> pl.DataFrame:
    """Compare every pair of agents per metric and group by the paper's test, on the units that both have (TESTS).

    The values of a unit are averaged first, if there are several. Holm's adjustment is over the pairs of agents of one
    metric and group. A metric without a test has no rows; order, `groups` and ValueError are as for `averages`.
    """
    parts = []
    for metric in _declared(values, metrics):
        if metric.test is None:
            continue
        wide = _by_unit(values, metric, groups)
        rows = [
            {"metric": metric.name, **dict(zip(groups, names, strict=True)), **result}
            for names, units in wide.group_by(*groups, maintain_order=True)
            for result in pairwise(units, PAPER_TESTS[metric.test], values)
        ]
        parts.append(pl.DataFrame(rows, schema=_with_groups(TESTS, wide, groups)))
    return pl.concat(parts) if parts else pl.DataFrame(schema=TESTS)


def _by_unit(values: Mapping[str, pl.DataFrame], metric: Metric, groups: Sequence[str]) -> pl.DataFrame:
    """Return a row per group and unit and a column per agent; null where the agent has no value."""
    key = [*groups, *metric.unit]
    long = [
        table.filter(metric=metric.name).group_by(key).agg(pl.col("value").mean()).with_columns(agent=pl.lit(agent))
        for agent, table in values.items()
    ]
    return pl.concat(long).pivot("agent", index=key, values="value").sort(*key)


def _declared(values: Mapping[str, pl.DataFrame], metrics: Iterable[Metric]) -> list[Metric]:
    """Return the metrics that any agent has values of, by name."""
    present = {name for table in values.values() for name in table["metric"].unique()}
    known = {metric.name: metric for metric in metrics}
    if unknown := present - known.keys():
        raise ValueError(f"the values have metrics that the study does not declare: {', '.join(sorted(unknown))}")
    return [known[name] for name in sorted(present)]


def _with_groups(schema: pl.Schema, table: pl.DataFrame, groups: Sequence[str]) -> pl.Schema:
    """Return a schema with the group columns of a table in place of `condition`."""
    columns: dict[str, Any] = {}
    for name, kind in schema.items():
        columns |= {group: table.schema[group] for group in groups} if name == "condition" else {name: kind}
    return pl.Schema(columns)


def pairwise(wide: pl.DataFrame, test: Callable[..., Test], agents: Iterable[str]) -> list[dict[str, Any]]:
    """Test every pair of agents that has a column in `wide` (a row per unit); the columns of COMPARISON.

    Holm's adjustment is over these pairs.
    """
    present = [agent for agent in agents if agent in wide.columns]
    results = [_compare(wide, test, a, b) for a, b in itertools.combinations(present, 2)]
    adjusted = holm([result["p"] for result in results])
    return [{**result, "p_holm": p} for result, p in zip(results, adjusted, strict=True)]


def _compare(wide: pl.DataFrame, test: Callable[..., Test], a: str, b: str) -> dict[str, Any]:
    both = wide.select(a, b).drop_nulls()
    result = test(both[a].to_numpy(), both[b].to_numpy())
    return {
        "agent_a": a,
        "agent_b": b,
        "test": result.name,
        "units": result.n,
        "value_a": both[a].mean(),
        "value_b": both[b].mean(),
        "effect": result.effect,
        "p": result.p,
        "note": result.note,
    }
