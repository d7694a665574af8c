"""Averages with confidence intervals, and tests between agents, for the metrics of all studies.

A study writes one table of values per agent. Each row has one value of one metric. Further columns name the condition under
which it was measured (a part of speech, a relation, a cut-off …) and its unit (a probe, a target, a group of synsets …).
UNITS is the simplest schema of such a table. The functions here read these tables as a mapping, agent -> table, and the
study's table of metrics (core/metric.py).
"""

import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import polars as pl

from relprobe.core.metric import Metric, by_name
from relprobe.core.stats import TestResult, bootstrap_interval, holm, mcnemar, wilcoxon
from relprobe.core.unit_schemas import AVERAGES, COMPARISON, TESTS, UNITS

__all__ = ["AVERAGES", "COMPARISON", "TESTS", "UNITS", "averages", "item_values", "paired_tests", "pairwise"]
SEED = 1
"""The seed of the bootstrap. It is fixed so that equal values have equal intervals."""
PAPER_TESTS: dict[str, Callable[..., TestResult]] = {"McNemar": mcnemar, "Wilcoxon": wilcoxon}
"""The name of a test in a Metric -> the function that computes it."""


def item_values(values: Mapping[str, pl.DataFrame], metric: Metric, groups: Sequence[str]) -> pl.DataFrame:
    """Average the values of each item, for example those of a target over its prompts.

    Return a row per agent, group and item with the columns agent, metric, `groups`, the metric's item columns, and value.
    """
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
    """Return the mean of every agent, metric and group, with its 95 % bootstrap interval over the items (AVERAGES).

    `groups` names the columns whose values get a mean each; in the result they replace the column `condition` of AVERAGES.
    The values of an item are averaged first (`item_values`). Rows are sorted by metric and groups; the agents of a group
    keep the order of `values`. ValueError: a table has a metric that `metrics` does not declare.

    >>> rows = [("right", "noun", "robin", 1.0), ("right", "noun", "wall", 0.0), ("right", "noun", "tree", 0.0)]
    >>> bert = pl.DataFrame(rows, schema=UNITS, orient="row")
    >>> table = averages({"bert": bert}, [Metric("right")])
    >>> table.select("agent", "metric", "condition", pl.col("value").round(3), "units").row(0)
    ('bert', 'right', 'noun', 0.333, 3)
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
    return pl.concat(parts or [_empty(AVERAGES, values, groups)])


def _average(values: pl.Series) -> dict[str, Any]:
    interval = bootstrap_interval(values.to_numpy(), SEED)
    mean = values.mean()
    return {"value": mean, "low": interval.low, "high": interval.high, "units": interval.n, "note": interval.note}


def paired_tests(
    values: Mapping[str, pl.DataFrame],
    metrics: Iterable[Metric],
    groups: Sequence[str] = ("condition",),
    *,
    absent: bool = False,
) -> pl.DataFrame:
    """Compare every pair of agents per metric and group, by the metric's test, on the units that both have (TESTS).

    Several values of a unit are averaged first. The p-values of the pairs of agents of one metric and group are adjusted
    together by Holm's method. A metric without a test has no rows. An agent that has the metric, but no value in a group,
    has no rows there or, with `absent`, rows that say so. The order of the rows, `groups` and the ValueError are as in
    `averages`.

    >>> rows = [("right", "noun", unit, 1.0) for unit in ("robin", "wall", "tree")]
    >>> a = pl.DataFrame(rows, schema=UNITS, orient="row")
    >>> table = paired_tests({"a": a, "b": a.with_columns(value=0.0)}, [Metric("right", test="McNemar")])
    >>> table.select("agent_a", "agent_b", "units", "effect", "p").row(0)  # three wins: p = 2 · 1/2³
    ('a', 'b', 3, 0.5, 0.25)
    """
    parts = []
    for metric in _declared(values, metrics):
        if metric.test is None:
            continue
        wide = _by_unit(values, metric, groups)
        rows = [
            {"metric": metric.name, **dict(zip(groups, names, strict=True)), **result}
            for names, units in wide.group_by(*groups, maintain_order=True)
            for result in pairwise(units if absent else _present(units), PAPER_TESTS[metric.test], values)
        ]
        parts.append(pl.DataFrame(rows, schema=_with_groups(TESTS, wide, groups)))
    return pl.concat(parts or [_empty(TESTS, values, groups)])


def _present(units: pl.DataFrame) -> pl.DataFrame:
    """Leave out the columns of agents that have no value of any unit."""
    return units.select(column for column in units if column.null_count() < units.height)


def _by_unit(values: Mapping[str, pl.DataFrame], metric: Metric, groups: Sequence[str]) -> pl.DataFrame:
    """Return a row per group and unit, with a column per agent; it is null where the agent has no value."""
    key = [*groups, *metric.unit]
    long = [
        table.filter(metric=metric.name).group_by(key).agg(pl.col("value").mean()).with_columns(agent=pl.lit(agent))
        for agent, table in values.items()
    ]
    return pl.concat(long).pivot("agent", index=key, values="value").sort(*key)


def _declared(values: Mapping[str, pl.DataFrame], metrics: Iterable[Metric]) -> list[Metric]:
    """Return the metrics that have values of any agent, sorted by name."""
    present = {name for table in values.values() for name in table["metric"].unique()}
    declared = by_name(metrics)
    if undeclared := present - declared.keys():
        raise ValueError(f"the values have metrics that the study does not declare: {', '.join(sorted(undeclared))}")
    return [declared[name] for name in sorted(present)]


def _empty(schema: pl.Schema, values: Mapping[str, pl.DataFrame], groups: Sequence[str]) -> pl.DataFrame:
    """Return the result of a study without values: a table without rows."""
    return pl.DataFrame(schema=_with_groups(schema, next(iter(values.values())), groups))


def _with_groups(schema: pl.Schema, table: pl.DataFrame, groups: Sequence[str]) -> pl.Schema:
    """Return a schema whose column `condition` is replaced by the group columns of a table."""
    columns: dict[str, Any] = {}
    for name, kind in schema.items():
        columns |= {group: table.schema[group] for group in groups} if name == "condition" else {name: kind}
    return pl.Schema(columns)


def pairwise(wide: pl.DataFrame, test: Callable[..., TestResult], agents: Iterable[str]) -> list[dict[str, Any]]:
    """Compare every pair of agents by a paired test; return a row per pair with the columns of COMPARISON.

    `wide`: a row per unit and a column per agent, null where the agent has no value. `test`: takes the values of two agents
    on the units that both have. `agents`: all agents, in the order of the pairs; those without a column are passed over.
    The p-values of all pairs are adjusted together by Holm's method.
    """
    present = [agent for agent in agents if agent in wide.columns]
    results = [_compare(wide, test, a, b) for a, b in itertools.combinations(present, 2)]
    adjusted = holm([result["p"] for result in results])
    return [{**result, "p_holm": p} for result, p in zip(results, adjusted, strict=True)]


def _compare(wide: pl.DataFrame, test: Callable[..., TestResult], a: str, b: str) -> dict[str, Any]:
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
