"""Averages of every agent with intervals for items that depend on each other.

A study writes one table of values per agent. Each row has one value of one metric. Further columns name the condition under
which it was measured (a part of speech, a relation, a cut-off …), its unit (a probe, a target, a group of synsets …), and
what it depends on: its cluster, or the values that link it to others (core/metric.py). UNITS (core/unit_schemas.py) is the
simplest schema of such a table. The functions read these tables as a mapping, agent -> table, and the study's table of
metrics (core/metric.py).
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

import numpy as np
import polars as pl

from relprobe.core.metric import Metric, by_name
from relprobe.stats import (
    CrossedMean,
    Interval,
    Links,
    Values,
    crossed_mean,
    linked_interval,
    linked_items,
    linked_share_interval,
    mean_intervals,
    share_interval,
    wilson_interval,
    within,
)
from relprobe.stats.samples import Flags, Sample, Starts, Tables, cluster_sums, item_means, samples
from relprobe.stats.schemas import AVERAGES, with_groups

SEED = 1
"""The seed of resamples and of random signs. It is fixed so that equal values have equal intervals and p-values."""


def averages(
    values: Mapping[str, pl.DataFrame],
    metrics: Iterable[Metric],
    groups: Sequence[str] = ("condition",),
    *,
    targets: Literal["common", "own"] = "common",
    links: Tables | None = None,
    asked: Tables | None = None,
) -> pl.DataFrame:
    """Return the mean of every agent, metric and group, with its 95 % interval (AVERAGES).

    `groups` names the columns whose values get a mean each; in the result they replace the column `condition` of AVERAGES.
    The values of an item are averaged first. `targets`: "common" averages agents over the items of the study, "own" each
    over all that it has. `asked`: metric -> the items of the study (`samples.samples`); for a metric without an entry they
    are all that any agent has. An agent that lacks some is averaged over those that it has, and marked in `own_units`. So no
    average depends on which other agents there are. The prompts of a metric (`Metric.crossed`) are a sample as well.

    Where items are linked (`links`, as in `samples.samples`), intervals are those of stats.linked. Elsewhere the clusters
    are the sample: the interval of a share is Wilson's (`stats.share_interval`), and that of another mean is by bootstrap
    (`stats.mean_intervals`). An interval ends where the metric does (`Metric.bounds`). Rows are sorted by metric and
    groups; the agents of a group keep the order of `values`, and agents without values have no row. ValueError: a table has
    a metric that `metrics` does not declare; or as in `samples.samples`.

    >>> from relprobe.core.unit_schemas import UNITS
    >>> rows = [("right", "noun", "robin", 1.0), ("right", "noun", "wall", 0.0), ("right", "noun", "tree", 0.0)]
    >>> bert = pl.DataFrame(rows, schema=UNITS, orient="row")
    >>> table = averages({"bert": bert}, [Metric("right")])
    >>> table.select("agent", "metric", "condition", pl.col("value").round(3), "units", "own_units").row(0)
    ('bert', 'right', 'noun', 0.333, 3, False)
    """
    rows = []
    for metric in declared_metrics(values, metrics):
        tables = {agent: table.filter(metric=metric.name) for agent, table in values.items()}
        study_items = (asked or {}).get(metric.name)
        crossed = metric.crossed
        for sample in samples(
            tables, metric, groups, by_unit=bool(crossed), crossed=crossed, links=links, asked=study_items
        ):
            agent_rows = _sample_columns(sample, metric, common=targets == "common")
            rows += [{"metric": metric.name, **sample.names, **row} for row in agent_rows]
    return pl.DataFrame(rows, schema=with_groups(AVERAGES, next(iter(values.values())).schema, groups))


def declared_metrics(values: Mapping[str, pl.DataFrame], metrics: Iterable[Metric]) -> list[Metric]:
    """Return the metrics that have values of any agent, sorted by name; ValueError if one is not in `metrics`."""
    present = {name for table in values.values() for name in table["metric"].unique()}
    metrics_by_name = by_name(metrics)
    if undeclared := present - metrics_by_name.keys():
        raise ValueError(f"the values have metrics that the study does not declare: {', '.join(sorted(undeclared))}")
    return [metrics_by_name[name] for name in sorted(present)]


def _sample_columns(sample: Sample, metric: Metric, *, common: bool) -> list[dict[str, Any]]:
    """Return the columns agent and value to note of AVERAGES, a row per agent that has values."""
    items = item_means(sample.values, sample.item_starts)
    answered = ~np.isnan(items)
    counted: Flags = answered & (sample.common[:, None] | (not common))
    items = np.where(counted, items, np.nan)
    sums, sizes = cluster_sums(items, sample.cluster_starts)
    links = [links_of(sample, is_counted) for is_counted in counted.T]
    intervals = _intervals(items, links, sums, sizes, share=metric.is_share)
    means = [
        _crossed(sample, counted[:, column], column) if metric.crossed else None for column in range(items.shape[1])
    ]
    intervals = [
        within(interval if mean is None else wider(interval, mean, share=metric.is_share), *metric.ends)
        for interval, mean in zip(intervals, means, strict=True)
    ]
    return [
        {
            "agent": agent,
            "value": float(items[counted[:, column], column].mean()),
            "low": interval.low,
            "high": interval.high,
            "units": int(counted[:, column].sum()),
            "clusters": int((sizes[:, column] > 0).sum()),
            "effective_n": effective_number(links[column], sizes[:, column]),
            "answered": int(answered[:, column].sum()),
            "coverage": float((answered[:, column] & sample.common).sum() / max(sample.asked, 1)),
            "own_units": bool((counted[:, column] != sample.common).any() or counted[:, column].sum() < sample.asked),
            "note": interval.note,
        }
        for column, (agent, interval) in enumerate(zip(sample.agents, intervals, strict=True))
        if counted[:, column].any()
    ]


def links_of(sample: Sample, present: Flags) -> Links | None:
    """Return the links among some items, (items,); None if there are none, so that the clusters are the sample."""
    if sample.links is None:
        return None
    among = sample.links.among(present)
    return among if among.any else None


def effective_number(links: Links | None, sizes: Values) -> float:
    """Return how many independent items some items count as; `sizes`: how many of them each cluster has.

    >>> effective_number(None, np.array([3.0, 2.0, 1.0])) == 6**2 / (9 + 4 + 1)
    True
    """
    return float(sizes.sum() ** 2 / max((sizes**2).sum(), 1.0)) if links is None else links.effective


def _intervals(
    items: Values, links: Sequence[Links | None], sums: Values, sizes: Values, *, share: bool
) -> list[Interval]:
    """Return the interval of each column of items, (items, agents); sums and sizes are those of the clusters."""
    cluster_intervals = (
        [share_interval(*columns) for columns in zip(sums.T, sizes.T, strict=True)]
        if share
        else mean_intervals(sums, sizes, SEED)
    )
    link_interval = linked_share_interval if share else linked_interval
    return [
        interval if among is None else link_interval(values[~np.isnan(values)], among)
        for interval, among, values in zip(cluster_intervals, links, items.T, strict=True)
    ]


def _crossed(sample: Sample, present: Flags, column: int) -> CrossedMean | None:
    """Return one agent's mean over the items `present`, where the crossed factor is a sample as well."""
    rows = np.repeat(present, np.diff([*sample.item_starts, len(sample.values)]))
    return crossed_of(sample, np.where(rows, sample.values[:, column], np.nan))


def crossed_of(sample: Sample, *values: Values) -> CrossedMean | None:
    """Return the mean over items of values, (units,), where clusters and the crossed factor are both samples.

    With two columns of values it is that of their difference, which have units in common or, as two relations that share no
    prompt, items alone; then the crossed factor of each is a sample of its own. None: there are no values, or the items
    count as one independent item or less.
    """
    shares, strata, items = crossed_shares(sample, *values)
    links = dependent(sample, items)
    return crossed_mean(shares, strata, links) if links.effective > 1 else None


def crossed_shares(sample: Sample, *values: Values) -> tuple[Values, Starts, Starts]:
    """Return the shares of `crossed_mean`, (items, columns), the stratum of each column, and the places of the items."""
    if len(values) == 2 and (~np.isnan(values[0]) & ~np.isnan(values[1])).any():
        values = (values[0] - values[1],)
    matrices = [_matrix(sample, agent_values) for agent_values in values]
    present = np.logical_and.reduce([~np.isnan(matrix).all(axis=1) for matrix in matrices])
    parts, strata = [], []
    for stratum, (matrix, sign) in enumerate(zip(matrices, (1.0, -1.0), strict=False)):
        rows = matrix[present]
        rows = rows[:, ~np.isnan(rows).all(axis=0)]
        parts.append(sign * rows / (~np.isnan(rows)).sum(axis=1, keepdims=True))
        strata.append(np.full(rows.shape[1], stratum))
    return np.hstack(parts), np.concatenate(strata).astype(np.int64), np.flatnonzero(present)


def _matrix(sample: Sample, values: Values) -> Values:
    """Return the values of units by item and crossed factor, (items, columns), NaN where there is none."""
    matrix = np.full((len(sample.item_starts), int(sample.crossed.max(initial=0)) + 1), np.nan)
    items = np.repeat(np.arange(len(sample.item_starts)), np.diff([*sample.item_starts, len(values)]))
    matrix[items, sample.crossed] = values
    return matrix


def dependent(sample: Sample, items: Starts) -> Links:
    """Return which of some items of a sample depend on each other: by their links or, without any, by their clusters."""
    flags = np.zeros(len(sample.item_starts), dtype=bool)
    flags[items] = True
    links = links_of(sample, flags)
    if links is not None:
        return links
    clusters = np.searchsorted(sample.cluster_starts, items, side="right") - 1
    return linked_items(np.arange(len(items)), clusters.astype(np.int64), len(items))


def wider(interval: Interval, mean: CrossedMean, *, share: bool) -> Interval:
    """Return an interval over items, widened to that in which the crossed factor is a sample, too.

    The interval of a share is Wilson's, with the number of trials that has the error of the mean, as in
    `stats.linked_share_interval`. An interval that is missing stays so.
    """
    from scipy.stats import norm, t

    if interval.low is None or interval.high is None or not mean.error:
        return interval
    low, high = mean.interval() or (interval.low, interval.high)
    if share and 0 < mean.value < 1:
        narrowing = float((norm.ppf(0.975) / t.ppf(0.975, mean.freedom)) ** 2)
        low, high = wilson_interval(mean.value, mean.value * (1 - mean.value) / mean.error**2 * narrowing)
    return Interval(interval.n, min(interval.low, low), max(interval.high, high), interval.note)
