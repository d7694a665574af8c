"""Where along a series half of its last value is reached; the tables of values are those of stats/averages.py."""

import itertools
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from relprobe.core.metric import Metric
from relprobe.core.series import SeriesOf
from relprobe.stats import FEWEST, Interval, Values
from relprobe.stats.samples import Tables
from relprobe.stats.schemas import HALVES, with_groups
from relprobe.stats.series.tables import columns_of, combined_items, samples_of

ALPHA = 0.05
POINTS = 24
"""The points of the grid from one member to the next."""
Intervals = Callable[[Values], list[Interval]]
"""Takes weights of the members, of shape (members, columns), and returns the interval of each column's weighted sum."""


@dataclass(frozen=True)
class Half:
    """Where half of the last value is reached. All three places are None if `note` says why there is none."""

    place: float | None
    low: float | None
    high: float | None
    note: str | None = None


def half_of(means: Values, places: Values, intervals: Intervals) -> Half:
    """Return where the line through the means of a series first reaches half of the last mean, with a 95 % interval.

    `means`, `places`: of the members in their order, (members,). `intervals`: see Intervals. At each place of a grid, the
    line less half of the last mean is a weighted sum of the members' means, with an interval. Where half is truly reached,
    that sum is 0, so that its interval holds 0 in 95 % of studies. The interval of the place goes from the first place whose
    upper bound is not below 0 to the last one whose lower bound is not above 0 (Fieller's idea). Without evidence that the
    last mean is above the first there is no place. If the first member has half of it already, the place is its own, as
    what is before it is not known. If nothing varies between the clusters, as where all values before the last member are 0,
    nothing but the line says where in a gap the half is: the interval is then the whole gap.

    Means of 0, 1 and 4 reach 2 at a third of the way from the second to the third member. Were each sum known up to 0.5,
    the line would be between 1.5 and 2.5 at a sixth and at a half of that way:

    >>> means = np.array([0.0, 1.0, 4.0])
    >>> known = lambda weights: [Interval(9, float(sum_) - 0.5, float(sum_) + 0.5) for sum_ in means @ weights]
    >>> half = half_of(means, np.array([0.0, 1.0, 2.0]), known)
    >>> [round(place, 3) for place in (half.place, half.low, half.high)]
    [1.333, 1.167, 1.5]
    """
    weights, grid = _grid(places)
    of_rise, *of_grid = intervals(np.hstack([_rise(len(means)), weights]))
    if _bounds([of_rise], means[-1:] - means[:1])[0][0] <= 0:
        why = f"the last mean, {means[-1]:.3f}, is not shown to be above the first, {means[0]:.3f}"
        return Half(None, None, None, f"no half: {why}")
    sums = means @ weights
    low, high = _bounds(of_grid, sums)
    place, first = _first_at_least_zero(sums, grid), _first_at_least_zero(high, grid)
    last = -_first_at_least_zero(-low[::-1], -grid[::-1])
    return Half(place, *(_gap(place, places) if np.isclose(first, last) else (first, last)))


def _gap(place: float, places: Values) -> tuple[float, float]:
    """Return the members before and after a place; twice the first member if the place is its own."""
    after = int(np.searchsorted(places, place))
    return float(places[max(after - 1, 0)]), float(places[after])


def _rise(members: int) -> Values:
    """Return the weights of the last mean less the first, (members, 1)."""
    weights = np.zeros((members, 1))
    weights[0], weights[-1] = -1, 1
    return weights


def _bounds(intervals: Sequence[Interval], sums: Values) -> tuple[Values, Values]:
    """Return the bounds of weighted sums; that of one which is the same in all clusters, and so has none, is its value."""
    pairs = zip(intervals, sums, strict=True)
    bounds = [(one.low, one.high) if one.low is not None else (value, value) for one, value in pairs]
    low, high = np.array(bounds, dtype=float).T
    return low, high


def _grid(places: Values) -> tuple[Values, Values]:
    """Return weights, (members, points), and places, (points,): of the line through the means less half of the last."""
    ends = itertools.pairwise(places)
    grid = np.concatenate([*(np.linspace(a, b, POINTS, endpoint=False) for a, b in ends), places[-1:]])
    weights: Values = np.array([np.interp(grid, places, row) for row in np.eye(len(places))])
    weights[-1] -= 0.5
    return weights, grid


def _first_at_least_zero(values: Values, grid: Values) -> float:
    """Return the first place where the line through values reaches 0, and the last place of the grid if it does not."""
    reached = np.flatnonzero(values >= 0)
    if len(reached) == 0:
        return float(grid[-1])
    after = int(reached[0])
    if after == 0:
        return float(grid[0])
    return float(np.interp(0, values[after - 1 : after + 1], grid[after - 1 : after + 1]))


def half_depths(
    values: Mapping[str, pl.DataFrame],
    series: SeriesOf,
    metrics: Iterable[Metric],
    groups: Sequence[str] = ("condition",),
    *,
    logarithmic: Collection[str] = (),
    beyond: pl.DataFrame | None = None,
    links: Tables | None = None,
) -> pl.DataFrame:
    """Return where each series reaches half of its last value per metric and group, with its 95 % interval (HALVES).

    The other arguments are those of `tables.trends`; the units are those that all members have. `logarithmic`: the series
    whose places are interpolated by log(1 + place), as a training's steps. `beyond`: CONTROLS of the last members: where
    the lower bound of what the last member has beyond its best control is not above 0, there is nothing to halve. Nor is
    there where it is not shown to be above the first member, and below six clusters. The note then says so.

    >>> from relprobe.core.unit_schemas import UNITS
    >>> rows = [("right", "noun", unit, 1.0) for unit in "abcdefgh"]
    >>> last = pl.DataFrame(rows, schema=UNITS, orient="row").with_columns(value=pl.Series([0.9, 1, 1.1, 1] * 2))
    >>> agents = {f"m-{layer}": last.with_columns(pl.col("value") * layer / 4) for layer in (0, 1, 4)}
    >>> table = half_depths(agents, {"m": {"m-0": 0, "m-1": 1, "m-4": 4}}, [Metric("right")])
    >>> table.select("series", "value_last", "half_at", pl.col("low", "high").round(2)).row(0)
    ('m', 1.0, 2.0, 1.0, 4.0)
    """
    controls = {} if beyond is None else _by_group(beyond, groups)
    rows: list[dict[str, Any]] = []
    for metric, name, sample in samples_of(values, series, metrics, groups, links):
        places, log = np.array(list(series[name].values()), dtype=float), name in logarithmic
        items = combined_items(sample)
        control = controls.get((sample.agents[-1], metric.name, *(sample.names[group] for group in groups)), {})
        half = _half(items.means, np.log1p(places) if log else places, items.intervals, items.independent, control)
        found = {key: None if place is None else _unscaled(place, log) for key, place in _places(half).items()}
        names = {"series": name, "metric": metric.name, **sample.names, "members": len(places)}
        of_last = {"value_last": None if items.means is None else items.means[-1], "control": control.get("control")}
        counts = {"units": items.units, "clusters": items.clusters, "effective_n": items.effective_n}
        note = items.absent if items.means is None else half.note
        rows.append({**names, **of_last, **found, **counts, "note": note})
    return pl.DataFrame(rows, schema=with_groups(HALVES, columns_of(values), groups))


def _half(
    means: Values | None, places: Values, intervals: Intervals, independent: float, control: Mapping[str, Any]
) -> Half:
    """Return the place, unless there are too few clusters or the last member has nothing beyond its best control."""
    if means is None:
        return Half(None, None, None)
    if independent < FEWEST:
        why = f"the values count as {independent:.1f} independent ones, and below {FEWEST} the data cannot tell"
        return Half(None, None, None, f"no half: {why}")
    if control and not _exceeded(control):
        return Half(
            None, None, None, f"no half: the last member is not shown to be above the control {control['control']}"
        )
    return half_of(means, places, intervals)


def _exceeded(control: Mapping[str, Any]) -> bool:
    """Say whether the last member is above its best control (a row of CONTROLS).

    A difference that is the same in all clusters has no interval; its p says whether there are enough of them.
    """
    if control["low"] is not None:
        return bool(control["low"] > 0)
    return control["p"] is not None and control["p"] < ALPHA and control["difference"] > 0


def _places(half: Half) -> dict[str, float | None]:
    return {"half_at": half.place, "low": half.low, "high": half.high}


def _unscaled(place: float, logarithmic: bool) -> float:
    return float(np.expm1(place)) if logarithmic else place


def _by_group(beyond: pl.DataFrame, groups: Sequence[str]) -> dict[tuple[Any, ...], dict[str, Any]]:
    """Return the rows of CONTROLS by agent, metric and groups."""
    return {
        (row["agent"], row["metric"], *(row[group] for group in groups)): row for row in beyond.iter_rows(named=True)
    }
