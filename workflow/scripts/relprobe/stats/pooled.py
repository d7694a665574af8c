"""Tests of the differences between agents that are pooled over conditions, such as relations: one number for a study."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl

from relprobe.core.metric import Metric
from relprobe.stats import FEWEST, Links, Values, crossed_mean, sign_flip, too_few
from relprobe.stats.averages import SEED
from relprobe.stats.comparisons import adjust, difference_numbers, family_of, owner_of, possible, with_expectations
from relprobe.stats.controls import comparable
from relprobe.stats.crossed import CrossedMean
from relprobe.stats.item_tests import FEW_CLUSTERS, NOISE, all_notes, within_span
from relprobe.stats.notes import no_p
from relprobe.stats.samples import LINK, Sample, Tables, samples
from relprobe.stats.schemas import SAME, TESTS, AgentKind, with_groups


def pooled_tests(
    values: Mapping[str, pl.DataFrame],
    metric: Metric,
    over: str = "condition",
    *,
    kinds: Mapping[str, AgentKind],
    links: Tables | None = None,
) -> pl.DataFrame:
    """Test the difference between each agent and each of its controls in one metric, pooled over the column `over` (TESTS).

    The difference is the mean of those under each condition, which count alike; it has no column `over`. The conditions are
    strata, as they are no sample. Items are linked within a condition as `samples.samples` says (`links`), and an item that
    stands under several conditions, such as a target of two relations, is linked with itself; where the metric has clusters
    and no links, the items of a cluster are linked. Prompts are a sample as well (`stats.crossed_mean`). If at most 15
    clusters differ, p is at least that of their signs. `kinds`: agent -> its kind.

    Under two conditions the agent has 1 and 3, and 5 and 7, more than the control; the error is √(1² + 1²) / 2:

    >>> from relprobe.core.unit_schemas import UNITS
    >>> rows = [("sum", "noun", "a", 1.0), ("sum", "noun", "b", 3.0), ("sum", "verb", "c", 5.0), ("sum", "verb", "d", 7.0)]
    >>> m = pl.DataFrame(rows, schema=UNITS, orient="row")
    >>> agents = {"m": m, "zero": m.with_columns(value=0.0)}
    >>> table = pooled_tests(agents, Metric("sum"), kinds={"m": "model", "zero": "control"})
    >>> table.select("agent_a", "agent_b", "difference", pl.col("error").round(3), "units").row(0)
    ('m', 'zero', 4.0, 0.707, 4)
    """
    tables = {agent: table.filter(metric=metric.name) for agent, table in values.items()}
    tables = {agent: table for agent, table in tables.items() if table.height}
    schema = with_groups(TESTS, next(iter(values.values())).schema, [])
    if not tables:  # no agent has a value of the metric, as of ratings without labels
        return pl.DataFrame(schema=schema)
    rows = []
    for sample in samples(
        tables, _whole(metric, over), [], by_unit=True, crossed=metric.crossed, links=_within(links, over)
    ):
        codes = _codes(tables, metric, over)
        for a, agent_a in enumerate(sample.agents):
            for b, agent_b in list(enumerate(sample.agents))[a + 1 :]:
                if "control" in (kinds[agent_a], kinds[agent_b]) and comparable(agent_a, agent_b, kinds):
                    tested = _tested(sample, (a, b), codes, metric, turned=kinds[agent_a] == "control")
                    names = {"metric": metric.name, "agent_a": agent_a, "agent_b": agent_b}
                    families = {
                        "family": family_of(agent_a, agent_b, kinds),
                        "family_of": owner_of(agent_a, agent_b, kinds),
                    }
                    rows.append({**names, **families, **tested})
    return adjust(pl.DataFrame(rows, schema=schema), ["metric"])


def _whole(metric: Metric, over: str) -> Metric:
    """Return the metric with items that are an item under a condition, linked by the item itself or by its cluster."""
    return replace(
        metric,
        unit=tuple(dict.fromkeys((over, *metric.unit))),
        item=_item(metric, over),
        cluster=(),
        links=(*metric.links, *metric.cluster_columns),
    )


def _item(metric: Metric, over: str) -> tuple[str, ...]:
    """Return the columns that name an item under a condition, and its cluster."""
    return tuple(dict.fromkeys((over, *metric.cluster_columns, *metric.item)))


def _within(links: Tables | None, over: str) -> dict[str, pl.DataFrame]:
    """Return tables of links in which no link goes from one condition to another."""
    return {
        name: table.with_columns(pl.format("{}: {}", over, LINK).alias(LINK)) if over in table.columns else table
        for name, table in (links or {}).items()
    }


def _codes(tables: Tables, metric: Metric, over: str) -> pl.DataFrame:
    """Return the condition of each item, in the order of a sample: `over`."""
    key = _item(metric, over)
    return pl.concat([table.select(key) for table in tables.values()]).unique().sort(key)


def _tested(
    sample: Sample, pair: tuple[int, int], items: pl.DataFrame, metric: Metric, *, turned: bool
) -> dict[str, Any]:
    """Return the columns of RESULT of a pair. `items`: those of the sample; the first column is their condition."""
    ((numbers,), _) = difference_numbers(sample, [pair])
    if not numbers["units"]:
        return {**numbers, "note": "no unit in common"}
    values = sample.values[:, pair[0]], sample.values[:, pair[1]]
    shares, strata, present = _shares(sample, values[0] - values[1], items)
    parts = items[present][:, 0].rank("dense").cast(pl.Int64).to_numpy() - 1
    links = _links(sample, present)
    means = [
        float(np.mean([side_means[parts == part].mean() for part in np.unique(parts)]))
        for side_means in (_items(sample, agent_values, values, present) for agent_values in values)
    ]
    row = {**numbers, "value_a": means[0], "value_b": means[1], "difference": means[0] - means[1]}
    if not numbers["discordant"]:
        return {**row, "p": 1.0, "effective_n": links.effective, "note": SAME}
    if note := _too_few_items(links, parts, items[present][:, 0].cast(pl.String)):
        return {**row, "effective_n": links.effective, "note": note}
    mean = crossed_mean(shares, strata, links, parts)
    row |= _columns_of_mean(mean, *_signs(np.nansum(shares, axis=1), parts, items[present], metric))
    agent, control = values[::-1] if turned else values
    if metric.is_share:
        row |= with_expectations(row, sample, agent, control, metric, turned=turned)
    row |= within_span(row, metric.span)
    row["note"] = all_notes(row)
    return row | possible(sample, values, row, metric)


def _too_few_items(links: Links, parts: Any, names: pl.Series) -> str | None:
    """Return why there is no p: the items of a condition count as a single one. None if each counts as more."""
    for part in np.unique(parts):
        count = links.among(parts == part).effective
        if count <= 1:
            name = names.filter(pl.Series(parts == part))[0]
            return no_p(f"{name} counts as {count:.1f} independent items, and each needs two or more")
    return None


def _columns_of_mean(mean: CrossedMean, signs: float, differ: int) -> dict[str, Any]:
    """Return the columns of RESULT on a pooled mean. `signs`: p of the signs of the `differ` clusters that differ."""
    low, high = mean.interval() or (None, None)
    p = None if too_few(mean.effective) else mean.p() if mean.error else signs
    p = max(p, signs) if p is not None and differ <= FEW_CLUSTERS else p
    reason = no_p(f"the items count as {mean.effective:.1f} independent ones, and {FEWEST} are enough")
    return {
        "error": mean.error or None,
        "freedom": mean.freedom,
        "measured_n": mean.measured,
        "low": low,
        "high": high,
        "p": p,
        "cluster_p": signs,
        "effective_n": mean.effective,
        "note": reason if p is None else None,
        "clusters": differ,
        "discordant_clusters": differ,
    }


def _shares(sample: Sample, differences: Values, items: pl.DataFrame) -> tuple[Values, Any, Any]:
    """Return the shares of `crossed_mean`, the stratum of each column, and the places of the items that both agents have."""
    unit_items = np.repeat(np.arange(len(sample.item_starts)), np.diff([*sample.item_starts, len(differences)]))
    parts = items[:, 0].rank("dense").cast(pl.Int64).to_numpy() - 1
    columns, codes = np.unique(
        parts[unit_items] * (int(sample.crossed.max()) + 1) + sample.crossed, return_inverse=True
    )
    matrix = np.full((len(sample.item_starts), len(columns)), np.nan)
    matrix[unit_items, codes] = differences
    counts = (~np.isnan(matrix)).sum(axis=1)
    counted = np.flatnonzero(counts)
    strata = columns // (int(sample.crossed.max()) + 1)
    return matrix[counted] / counts[counted][:, None], strata.astype(np.int64), counted


def _items(sample: Sample, agent_values: Values, unit_values: tuple[Values, Values], items: Any) -> Values:
    """Return an agent's means of the items that both have, over the units that both have."""
    present = ~np.isnan(unit_values[0]) & ~np.isnan(unit_values[1])
    unit_items = np.repeat(np.arange(len(sample.item_starts)), np.diff([*sample.item_starts, len(agent_values)]))
    sums = np.bincount(unit_items[present], agent_values[present], minlength=len(sample.item_starts))
    numbers = np.bincount(unit_items[present], minlength=len(sample.item_starts))
    means: Values = sums[items] / numbers[items]
    return means


def _links(sample: Sample, items: Any) -> Links:
    flags = np.zeros(len(sample.item_starts), dtype=bool)
    flags[items] = True
    assert sample.links is not None  # _whole names some
    return sample.links.among(flags)


def _signs(item_values: Values, parts: Any, items: pl.DataFrame, metric: Metric) -> tuple[float, int]:
    """Return p of the signs of clusters, and how many clusters differ."""
    weights = 1 / np.bincount(parts)[parts]
    names = [name for name in metric.cluster_columns if name in items.columns]
    clusters = (
        items.select(pl.struct(names).rank("dense") if names else pl.lit(0)).to_series().to_numpy().astype(int) - 1
    )
    sums: Values = np.bincount(clusters, weights * item_values).astype(np.float64)
    return float(sign_flip(sums[:, None], SEED)[0]), int((np.abs(sums) > NOISE).sum())
