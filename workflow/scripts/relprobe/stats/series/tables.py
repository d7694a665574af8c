"""Tests of series (core/series.py): the trend of a series, and each of its members against the last one.

The tables of values are those of stats/averages.py.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from relprobe.core.metric import Metric
from relprobe.core.series import SeriesOf
from relprobe.stats import (
    FEWEST,
    Interval,
    Links,
    Values,
    holm,
    linked_interval,
    max_t,
    mean_intervals,
    slope_weights,
    with_holm,
)
from relprobe.stats.averages import SEED, declared_metrics, effective_number, links_of
from relprobe.stats.families import with_detectable
from relprobe.stats.item_tests import all_notes, item_tests, within_span
from relprobe.stats.samples import Sample, Tables, cluster_sums, item_means, samples
from relprobe.stats.schemas import AGAINST_LAST, TRENDS, with_groups

NO_COMMON = "no unit in common to all members of the series"


def trends(
    values: Mapping[str, pl.DataFrame],
    series: SeriesOf,
    metrics: Iterable[Metric],
    groups: Sequence[str] = ("condition",),
    *,
    over: str = "condition",
    links: Tables | None = None,
) -> pl.DataFrame:
    """Test the trend of each series per metric and group, on the units that all its members have (TRENDS).

    `values`: agent -> table, of the members at least. The members of a series are numbered in their order. Each item has a
    slope, that of the line through its values (`stats.slope_weights`): by how much the value changes from one member to the
    next. The table has their mean, its interval and p, as for the difference of two agents (`comparisons.paired_tests`,
    which says what `links` are). Below six clusters there is no p, as even six slopes of one sign have p = 2 / 2⁶. p is
    adjusted by Holm's method for the number of the values of `over`, such as relations, that a series, metric and other
    groups have. A metric without a test has no rows. ValueError: `over` is none of `groups`.

    >>> from relprobe.core.unit_schemas import UNITS
    >>> rows = [("right", "noun", unit, 0.0) for unit in "abcdef"]
    >>> first = pl.DataFrame(rows, schema=UNITS, orient="row")
    >>> agents = {f"m-{step}": first.with_columns(value=step / 4) for step in (1, 2, 4)}
    >>> table = trends(agents, {"m": {"m-1": 1, "m-2": 2, "m-4": 4}}, [Metric("right")])
    >>> table.select("series", "members", "first", "last", "slope", "units", "p").row(0)  # (1 - 1/4) / 2; p = 2 / 2⁶
    ('m', 3, 1.0, 4.0, 0.375, 6, 0.03125)
    """
    if over not in groups:
        raise ValueError(f"p cannot be adjusted over {over!r}, which is no group: name one of {', '.join(groups)}")
    rows: list[dict[str, Any]] = []
    for metric, name, sample in samples_of(values, series, metrics, groups, links):
        axis_values = list(series[name].values())
        combined = _combined(sample, slope_weights(len(axis_values))[:, None], metric.span)
        ends = {"members": len(axis_values), "first": axis_values[0], "last": axis_values[-1]}
        end_values = {"value_first": combined.means[0], "value_last": combined.means[-1]}
        names = {"series": name, "metric": metric.name, **sample.names}
        rows.append({**names, **ends, **end_values, **combined.row(0, "slope")})
    family = ["series", "metric", *(name for name in groups if name != over)]
    schema = with_groups(TRENDS, columns_of(values), groups)
    return with_holm(_with_detectable(rows, schema, family), family).select(list(schema))


def against_last(
    values: Mapping[str, pl.DataFrame],
    series: SeriesOf,
    metrics: Iterable[Metric],
    groups: Sequence[str] = ("condition",),
    *,
    links: Tables | None = None,
) -> pl.DataFrame:
    """Compare each member of a series with the last one, on the units that all members have (AGAINST_LAST).

    The arguments are those of `trends`, and p is as there. `p_max_t` is adjusted for the number of members by the step-down
    max-T method (`stats.max_t`), whose signs are those of clusters; where items are linked, by Holm's method.

    >>> from relprobe.core.unit_schemas import UNITS
    >>> rows = [("right", "noun", unit, 0.0) for unit in "abcdef"]
    >>> first = pl.DataFrame(rows, schema=UNITS, orient="row")
    >>> agents = {f"m-{step}": first.with_columns(value=step / 4) for step in (1, 2, 4)}
    >>> table = against_last(agents, {"m": {"m-1": 1, "m-2": 2, "m-4": 4}}, [Metric("right")])
    >>> table.select("agent", "last", "difference", "p", "p_max_t").rows()  # all clusters change alike: one test
    [('m-1', 'm-4', -0.75, 0.03125, 0.03125), ('m-2', 'm-4', -0.5, 0.03125, 0.03125)]
    """
    rows: list[dict[str, Any]] = []
    for metric, name, sample in samples_of(values, series, metrics, groups, links):
        *earlier, last = sample.agents
        combined = _combined(sample, np.vstack([np.eye(len(earlier)), np.full(len(earlier), -1.0)]), metric.span)
        p_max_t = combined.p_max_t()
        for column, agent in enumerate(earlier):
            names = {"series": name, "metric": metric.name, **sample.names}
            pair = {"agent": agent, "place": series[name][agent], "last": last, "p_max_t": p_max_t[column]}
            pair_values = {"value": combined.means[column], "value_last": combined.means[-1]}
            rows.append({**names, **pair, **pair_values, **combined.row(column, "difference")})
    return _with_detectable(rows, with_groups(AGAINST_LAST, columns_of(values), groups), ["series", "metric", *groups])


def _with_detectable(rows: list[dict[str, Any]], schema: pl.Schema, family: Sequence[str]) -> pl.DataFrame:
    """Return rows, which also have the error and room of their test, as a table that says which difference is `detectable`.

    The tests of a family are adjusted together (Holm's method).
    """
    table = pl.DataFrame(rows, schema={**schema, "error": pl.Float64(), "room": pl.Float64()})
    sizes = table.with_columns(tests=pl.col("p").count().over(family))
    return with_detectable(sizes, "tests", "detectable").select(list(schema))


def columns_of(values: Mapping[str, pl.DataFrame]) -> pl.Schema:
    """Return the columns of the tables of values."""
    return next(iter(values.values())).schema


def samples_of(
    values: Mapping[str, pl.DataFrame],
    series: SeriesOf,
    metrics: Iterable[Metric],
    groups: Sequence[str],
    links: Tables | None,
) -> Iterator[tuple[Metric, str, Sample]]:
    """Yield a sample of each metric with a test, series and group; its columns are the members in their order."""
    for metric in declared_metrics(values, metrics):
        for name, members in series.items():
            tables = {agent: values[agent].filter(metric=metric.name) for agent in members}
            if metric.test is not None and any(table.height for table in tables.values()):
                metric_samples = samples(tables, metric, groups, by_unit=True, links=links)
                yield from ((metric, name, sample) for sample in metric_samples)


@dataclass(frozen=True)
class Combinations:
    """Weighted sums of the members' values, a column each, and what tests say of them.

    `units`: the number of units that all members have. `means`: of the members, over these. `sums`: of the columns, over the
    items of each cluster. `linked`: whether items are linked. `tests`: of the columns' means (`item_tests.item_tests`).
    `largest`: what a column can be at most, either way.
    """

    units: int
    means: list[float | None]
    estimates: list[float | None]
    sums: Values
    linked: bool
    tests: list[dict[str, Any]]
    largest: list[float]
    absent: str

    def row(self, column: int, name: str) -> dict[str, Any]:
        """Return the columns of a table from the estimate, which is called `name`, to the note."""
        test = self.tests[column]
        numbers = {key: test.get(key) for key in ("clusters", "effective_n", "low", "high", "p", "error")}
        numbers["room"] = self.largest[column]
        note = all_notes(test) if self.units else self.absent
        return {name: self.estimates[column], "units": self.units, **numbers, "note": note}

    def p_max_t(self) -> list[float | None]:
        """Return p adjusted for the number of columns: by the max-T method or, where items are linked, by Holm's."""
        if self.linked or any(test["p"] is None for test in self.tests):
            return holm([test["p"] for test in self.tests])
        return list(max_t(self.sums, SEED).tolist())


def _combined(sample: Sample, weights: Values, span: float) -> Combinations:
    """Test whether the means of weighted sums of the members' values are 0.

    `weights`: of shape (members, columns), each column of sum 0. `span`: of the metric, the largest difference of two means.
    """
    items = combined_items(sample)
    columns = items.values @ weights
    means = items.means
    largest = (
        span * np.abs(weights).sum(axis=0) / 2
    ).tolist()  # where weights are above 0 all is at one end, else at the other
    return Combinations(
        units=items.units,
        means=[None] * len(sample.agents) if means is None else means.tolist(),
        estimates=[None] * weights.shape[1] if means is None else (means @ weights).tolist(),
        sums=cluster_sums(columns, sample.cluster_starts)[0],
        linked=items.links is not None,
        tests=[
            test | within_span(test, most)
            for test, most in zip(item_tests(sample, columns, FEWEST), largest, strict=True)
        ],
        largest=largest,
        absent=items.absent,
    )


@dataclass(frozen=True)
class Items:
    """The values of the items that all members of a series have.

    `values`: (items, members), NaN in the items that a member lacks. `sums`, `sizes`: of the clusters that have items,
    (clusters, members) and (clusters, 1). `means`: of the members, None without an item. `links`: those among the items that
    all have, if any are linked. `units`: how many units all have. `absent`: why there is no item.
    """

    values: Values
    sums: Values
    sizes: Values
    means: Values | None
    links: Links | None
    units: int
    absent: str

    @property
    def clusters(self) -> int:
        """The number of clusters that have items."""
        return len(self.sizes)

    @property
    def effective_n(self) -> float:
        """How many independent items they count as."""
        return effective_number(self.links, self.sizes[:, 0])

    @property
    def independent(self) -> float:
        """How many values there are for a test: clusters or, where items are linked, the effective number of items."""
        return float(self.clusters) if self.links is None else self.effective_n

    def intervals(self, weights: Values) -> list[Interval]:
        """Return the interval of each weighted sum of the members' means. `weights`: of shape (members, columns)."""
        if self.links is None:
            sums = self.sums @ weights
            return mean_intervals(sums, np.broadcast_to(self.sizes, sums.shape), SEED, differences=True)
        present = self.values[~np.isnan(self.values[:, 0])]
        return [linked_interval(column, self.links) for column in (present @ weights).T]


def combined_items(sample: Sample) -> Items:
    """Return the items that all members of a series have: the means of their units, which are those that all have."""
    complete = np.all(~np.isnan(sample.values), axis=1, keepdims=True)
    values = item_means(np.where(complete, sample.values, np.nan), sample.item_starts)
    present = ~np.isnan(values[:, 0])
    sums, sizes = cluster_sums(values, sample.cluster_starts)
    filled = sizes[:, 0] > 0
    lacking = [agent for agent, column in zip(sample.agents, sample.values.T, strict=True) if np.isnan(column).all()]
    return Items(
        values=values,
        sums=sums[filled],
        sizes=sizes[filled, :1],
        means=np.nansum(values, axis=0) / present.sum() if present.any() else None,
        links=links_of(sample, present),
        units=int(complete.sum()),
        absent=f"{', '.join(lacking)} has no value" if lacking else NO_COMMON,
    )
