"""Between which members of a series half of its last value is reached; the tables of values are those of averages.py."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from relprobe.core.metric import Metric
from relprobe.core.series import LOGARITHMIC, SeriesOf, interval_phrase
from relprobe.stats import FEWEST, Interval, Values, too_few
from relprobe.stats.controls import both_ways
from relprobe.stats.samples import Tables
from relprobe.stats.schemas import HALVES, with_groups
from relprobe.stats.series.tables import Items, columns_of, combined_items, samples_of

ALPHA = 0.05
Intervals = Callable[[Values], list[Interval]]
"""Takes weights of the members, of shape (members, columns), and returns the interval of each column's weighted sum."""


@dataclass(frozen=True)
class Half:
    """Between which members half of the last value is reached first. All numbers are None if `note` says why there is none.

    They are positions of members on the axis. `after`: of the last member without half, None if the first member has it;
    `by`: of the first member with half. `low`, `high`: where the 95 % interval begins and ends. `position`: where the line
    from `after` to `by` reaches half.
    """

    position: float | None = None
    after: float | None = None
    by: float | None = None
    low: float | None = None
    high: float | None = None
    note: str | None = None


def half_of(means: Values, positions: Values, intervals: Intervals, *, logarithmic: bool = False) -> Half:
    """Return between which members of a series half of the last mean is reached first, with a 95 % interval.

    `means`, `positions`: of the members in their order, (members,). `intervals`: see Intervals. The mean of each member less
    half of the last mean is a weighted sum of means, with an interval. The interval of the position begins at the member
    before the first one that may have half (its upper bound is not below 0), and ends at the member after the last one that
    may lack it (its lower bound is not above 0). So it holds the whole gap between two members: nothing is known of the
    positions in it, and the line from one mean to the next, which gives `position`, is drawn and not measured.
    `logarithmic`: it is drawn over log(1 + position). Without evidence that the last mean is above the first there is no
    position. If the first member has half already, the position is its own, as what is before it is not known.

    Means of 0, 1 and 4 reach 2 between the second and the third member. Were each sum known up to 1.5, the second might have
    half, and the interval would be the whole series:

    >>> means, positions = np.array([0.0, 1.0, 4.0]), np.array([0.0, 10.0, 20.0])
    >>> def known(width): return lambda weights: [Interval(9, sum_ - width, sum_ + width) for sum_ in means @ weights]
    >>> [(half.after, half.by, half.low, half.high) for half in (half_of(means, positions, known(w)) for w in (0.5, 1.5))]
    [(10.0, 20.0, 10.0, 20.0), (10.0, 20.0, 0.0, 20.0)]
    """
    members = len(means)
    weights = np.eye(members)
    weights[-1] -= 0.5
    rise_interval, *member_intervals = intervals(np.hstack([_rise(members), weights]))
    if _bounds([rise_interval], means[-1:] - means[:1])[0][0] <= 0:
        why = f"the last mean, {means[-1]:.3f}, is not shown to be above the first, {means[0]:.3f}"
        return Half(note=f"no half: {why}")
    sums = means @ weights
    low, high = _bounds(member_intervals, sums)
    by = int(np.flatnonzero(sums >= 0)[0])
    may_have, may_lack = np.flatnonzero(high >= 0), np.flatnonzero(low <= 0)
    first = max(int(may_have[0]) - 1, 0)
    last = min(int(may_lack[-1]) + 1, members - 1) if len(may_lack) else 0
    crossing = _crossing(sums, np.log1p(positions) if logarithmic else positions, by)
    return Half(
        position=float(np.expm1(crossing)) if logarithmic else crossing,
        after=float(positions[by - 1]) if by else None,
        by=float(positions[by]),
        low=float(positions[first]),
        high=float(positions[last]),
    )


def _crossing(sums: Values, positions: Values, by: int) -> float:
    """Return where the line through sums reaches 0 before the position number `by`, or the first position if `by` is 0."""
    return float(np.interp(0, sums[by - 1 : by + 1], positions[by - 1 : by + 1])) if by else float(positions[0])


def _rise(members: int) -> Values:
    """Return the weights of the last mean less the first, (members, 1)."""
    weights = np.zeros((members, 1))
    weights[0], weights[-1] = -1, 1
    return weights


def _bounds(intervals: Sequence[Interval], sums: Values) -> tuple[Values, Values]:
    """Return the bounds of weighted sums; that of one which is the same in all clusters, and so has none, is its value."""
    pairs = zip(intervals, sums, strict=True)
    bounds = [
        (interval.low, interval.high) if interval.low is not None else (value, value) for interval, value in pairs
    ]
    low, high = np.array(bounds, dtype=float).T
    return low, high


@dataclass(frozen=True)
class Controls:
    """What the last member of a series must be above before anything is halved.

    `tests`: TESTS of last members and controls, on the units that both have. `averages`: of the controls over all of the
    study's items, with the columns agent, metric, value and the groups: a control may be better on the items that a series
    was not asked. `names`: of the controls.
    """

    tests: pl.DataFrame
    averages: pl.DataFrame
    names: Sequence[str]


def half_depths(
    values: Mapping[str, pl.DataFrame],
    series: SeriesOf,
    metrics: Iterable[Metric],
    groups: Sequence[str] = ("condition",),
    *,
    axis: str = "layer",
    readers: Mapping[str, str] | None = None,
    controls: Controls | None = None,
    links: Tables | None = None,
) -> pl.DataFrame:
    """Return where each series reaches half of its last value per metric and group, with its 95 % interval (HALVES).

    The other arguments are those of `tables.trends`; the units are those that all members have. `axis`: what the positions
    are (`core.series.AXES`). `readers`: series -> what reads the values of its members. There is nothing to halve where the
    last member is not above each of its `controls`: p_holm of the test of the two is not below 0.05, or the lower bound of
    its mean is not above the control's mean over all items. Nor is there where it is not shown to be above the first member,
    and below six clusters. The note then says so.

    It is half of the last value, and not of the highest: the last member is what the model itself answers with, it is the
    same whatever reads the others, and the highest of many means is too high by chance. `value_highest` and `highest_at` say
    where another member has more.

    >>> from relprobe.core.unit_schemas import UNITS
    >>> rows = [("right", "noun", unit, 1.0) for unit in "abcdefgh"]
    >>> last = pl.DataFrame(rows, schema=UNITS, orient="row").with_columns(value=pl.Series([0.9, 1, 1.1, 1] * 2))
    >>> agents = {f"m-{layer}": last.with_columns(pl.col("value") * layer / 4) for layer in (0, 1, 4)}
    >>> table = half_depths(agents, {"m": {"m-0": 0, "m-1": 1, "m-4": 4}}, [Metric("right")])
    >>> table.select("series", "value_last", "half", "low", "high").row(0)
    ('m', 1.0, 'between layers 1 and 4', 1.0, 4.0)
    """
    rows: list[dict[str, Any]] = []
    for metric, name, sample in samples_of(values, series, metrics, groups, links):
        axis_values = np.array(list(series[name].values()), dtype=float)
        items, labels = combined_items(sample), {"metric": metric.name, **sample.names}
        compared = [] if controls is None else _last_and_controls(controls, sample.agents[-1], labels)
        half = _half(items, axis_values, compared, logarithmic=axis in LOGARITHMIC)
        best = max(
            compared,
            key=lambda control_row: control_row["control_value"],
            default={"control": None, "control_value": None},
        )
        phrase = None if half.by is None else interval_phrase(axis, half.after, half.by)
        half_columns = {"half": phrase, "half_at": half.position, "low": half.low, "high": half.high}
        counts = {"units": items.units, "clusters": items.clusters, "effective_n": items.effective_n}
        note = items.absent if items.means is None else half.note
        control_columns = {key: best[key] for key in ("control", "control_value")}
        row = {"series": name, **labels, "reader": (readers or {}).get(name), "members": len(axis_values)}
        rows.append({**row, **_means(items, axis_values), **control_columns, **half_columns, **counts, "note": note})
    return pl.DataFrame(rows, schema=with_groups(HALVES, columns_of(values), groups))


def _means(items: Items, positions: Values) -> dict[str, float | None]:
    """Return the last mean, and the highest one with its position."""
    if items.means is None:
        return {"value_last": None, "value_highest": None, "highest_at": None}
    highest = int(np.argmax(items.means))
    return {
        "value_last": float(items.means[-1]),
        "value_highest": float(items.means[highest]),
        "highest_at": float(positions[highest]),
    }


def _half(items: Items, positions: Values, controls: Sequence[Mapping[str, Any]], *, logarithmic: bool) -> Half:
    """Return the half-maximum point; none with too few clusters, or if the last member is not above each of its controls."""
    if items.means is None:
        return Half()
    if too_few(items.independent):
        why = f"the values count as {items.independent:.1f} independent ones, and below {FEWEST} the data cannot tell"
        return Half(note=f"no half: {why}")
    for control in controls:
        where = _not_exceeded(items, control)
        if where is not None:
            why = f"the last member is not shown to be above the control {control['control']}{where}"
            return Half(note=f"no half: {why}")
    return half_of(items.means, positions, items.intervals, logarithmic=logarithmic)


def _not_exceeded(items: Items, control: Mapping[str, Any]) -> str | None:
    """Return where the last member is not above a control: "" on the units that both have; None if it is above it."""
    difference, p = control["difference"], control["p_holm"]
    if difference is None or p is None or difference <= 0 or p >= ALPHA:
        return ""
    means = np.zeros((len(items.means if items.means is not None else ()), 1))
    means[-1] = 1
    low, _ = _bounds(items.intervals(means), np.asarray(items.means)[-1:])
    value = control["control_value"]
    return None if low[0] > value else f", which has {value:.3f} on all items; the lower bound is {low[0]:.3f}"


def _last_and_controls(controls: Controls, last: str, labels: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return what is known of the last member and each control: control, control_value (of all items), difference, p_holm.

    A control without a unit in common with it is not met.
    """
    rows = _group_rows(both_ways(controls.tests).filter(agent_a=last), labels)
    averages = dict(_group_rows(controls.averages, labels).select("agent", "value").iter_rows())
    met = {row["agent_b"]: row for row in rows.iter_rows(named=True) if row["units"]}
    return [
        {
            "control": name,
            "control_value": met[name]["value_b"] if averages.get(name) is None else averages[name],
            "difference": met[name]["difference"],
            "p_holm": met[name]["p_holm"],
        }
        for name in controls.names
        if name in met
    ]


def _group_rows(table: pl.DataFrame, labels: Mapping[str, Any]) -> pl.DataFrame:
    """Return the rows of a metric and groups; a group that is null is one, too."""
    return table.filter(*(pl.col(name).eq_missing(pl.lit(value, table.schema[name])) for name, value in labels.items()))
