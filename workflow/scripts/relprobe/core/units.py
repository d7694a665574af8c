"""Units of measurement: how the values of agents become averages with intervals, and tests between agents.

A study writes one table of UNITS per agent: a row per metric and unit (a probe, an item, a group of synsets, …), measured
under a condition (a part of speech, a relation, a category, …). Everything here reads such tables, agent -> table.
"""

import itertools
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

import polars as pl

from relprobe.core.stats import Test, bootstrap_interval, holm, mcnemar, wilcoxon
from relprobe.core.unit_schemas import AVERAGES, COMPARISON, TESTS, UNITS

__all__ = ["AVERAGES", "COMPARISON", "TESTS", "UNITS", "averages", "paired_tests", "pairwise"]
SEED = 1
"""Of the bootstrap, so that the same values have the same intervals."""


def averages(values: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    """Return every agent's mean per metric and condition, with its 95 % bootstrap interval over the units (AVERAGES)."""
    rows = [
        {"agent": agent, "metric": metric, "condition": condition, **_average(units["value"])}
        for agent, table in values.items()
        for (metric, condition), units in table.sort("unit").group_by("metric", "condition", maintain_order=True)
    ]
    agents = pl.col("agent").cast(pl.Enum(list(values)))
    return pl.DataFrame(rows, schema=AVERAGES).sort("metric", "condition", agents)


def _average(values: pl.Series) -> dict[str, Any]:
    interval = bootstrap_interval(values.to_numpy(), SEED)
    mean = values.mean()
    return {"value": mean, "low": interval.low, "high": interval.high, "units": interval.n, "note": interval.note}


def paired_tests(values: Mapping[str, pl.DataFrame], binary: Collection[str] = ()) -> pl.DataFrame:
    """Compare every pair of agents per metric and condition, on the units that both have (TESTS).

    McNemar's test on the metrics that are `binary`, which can only be 0 or 1; Wilcoxon's signed-rank test on the others.
    """
    long = pl.concat([table.with_columns(agent=pl.lit(agent)) for agent, table in values.items()])
    rows: list[dict[str, Any]] = []
    for (metric,), of_metric in long.sort("metric", "condition", "unit").group_by("metric", maintain_order=True):
        test = mcnemar if metric in binary else wilcoxon
        for (condition,), units in of_metric.group_by("condition", maintain_order=True):
            wide = units.pivot("agent", index="unit", values="value")
            about = {"metric": metric, "condition": condition}
            rows += [{**about, **result} for result in pairwise(wide, test, values)]
    return pl.DataFrame(rows, schema=TESTS)


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
