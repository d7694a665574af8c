"""From the value tables of agents to matrices of values by unit and agent, in items and clusters."""

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from relprobe.core.metric import Metric
from relprobe.core.stats import Values

Starts = NDArray[np.int64]
Flags = NDArray[np.bool_]
COST = 0.1
"""The share of the units that most agents have, above which an agent that lacks them is left out of the common units."""


@dataclass(frozen=True)
class Sample:
    """The values of a metric in one group, such as a part of speech.

    `names`: column -> value of the group. `agents`: those of the columns of `values`. `values`: (units, agents), NaN where
    an agent has no value. The rows of an item follow each other, and so do those of a cluster: `item_starts` is the first
    row of each item, and `cluster_starts` the first item of each cluster. `crossed`: the number of the prompt (or of another
    crossed factor) of each row; all 0 without one.
    """

    names: dict[str, Any]
    agents: list[str]
    values: Values
    item_starts: Starts
    cluster_starts: Starts
    crossed: Starts


def samples(
    tables: Mapping[str, pl.DataFrame], metric: Metric, groups: Sequence[str], *, by_unit: bool, crossed: str = ""
) -> Iterator[Sample]:
    """Yield a sample per group, sorted by `groups`, of tables that hold the values of one metric only.

    `tables`: agent -> table with the metric's columns, `groups`, and value; several values of a row are averaged. `by_unit`:
    rows are units of the metric, else its items. `crossed`: the column of a factor that is crossed with the clusters, such
    as the prompt. ValueError: a table lacks a column, an item lies in two clusters or in none.
    """
    clusters, items = metric.cluster_columns, tuple(dict.fromkeys([*metric.cluster_columns, *metric.item]))
    key = list(dict.fromkeys([*groups, *items, *(metric.unit if by_unit else ()), *([crossed] if crossed else [])]))
    means = [_means(agent, table, metric, key) for agent, table in tables.items()]
    keys = pl.concat([table.select(key) for table in means]).unique().sort(key)
    if keys.is_empty():
        return
    values = np.column_stack(
        [
            keys.join(table, on=key, how="left", nulls_equal=True, maintain_order="left")["value"].to_numpy()
            for table in means
        ]
    )
    codes = (keys[crossed].rank("dense").to_numpy() - 1 if crossed else np.zeros(keys.height)).astype(np.int64)
    bounds = [*(_starts(keys, groups) if groups else [0]), keys.height]
    for start, stop in itertools.pairwise(map(int, bounds)):
        rows = keys[start:stop]
        item_starts = _starts(rows, items)
        of_items = rows[item_starts]
        _check_clusters(of_items, metric)
        names = {name: rows[name][0] for name in groups}
        cluster_starts = _starts(of_items, clusters)
        yield Sample(names, list(tables), values[start:stop], item_starts, cluster_starts, codes[start:stop])


def _means(agent: str, table: pl.DataFrame, metric: Metric, key: Sequence[str]) -> pl.DataFrame:
    """Return the mean of the values of each row of a sample."""
    if missing := [name for name in key if name not in table.columns]:
        raise ValueError(
            f"the values of {agent} lack the column {missing[0]!r} of the metric {metric.name!r}: write the column, or name "
            "other columns in the metric"
        )
    return table.group_by(key).agg(pl.col("value").mean())


def _starts(rows: pl.DataFrame, columns: Sequence[str]) -> Starts:
    """Return the first row of each run of rows that have the same values in these columns."""
    runs = rows.select(run=pl.struct(list(columns)).rle_id())["run"].to_numpy()
    return np.flatnonzero(np.diff(runs.astype(np.int64), prepend=-1))


def _check_clusters(items: pl.DataFrame, metric: Metric) -> None:
    """Raise ValueError if an item has several clusters, or none."""
    if not metric.cluster:
        return
    if items.select(metric.cluster).null_count().sum_horizontal()[0]:
        raise ValueError(f"an item of the metric {metric.name!r} has no cluster: fill the column {metric.cluster[0]!r}")
    twice = items.filter(items.select(metric.item).is_duplicated())
    if twice.height:
        name = " ".join(map(str, twice.select(metric.item).row(0)))
        raise ValueError(
            f"the item {name!r} of the metric {metric.name!r} lies in two clusters: give it one name for all"
        )


def item_means(values: Values, item_starts: Starts) -> Values:
    """Average the values of each item, NaN where there are none: (units, columns) -> (items, columns).

    >>> item_means(np.array([[1.0], [np.nan], [0.0], [1.0]]), np.array([0, 2])).tolist()
    [[1.0], [0.5]]
    """
    counts = np.add.reduceat(~np.isnan(values), item_starts, axis=0, dtype=np.int64)
    sums = np.add.reduceat(np.nan_to_num(values), item_starts, axis=0)
    means: Values = np.divide(sums, counts, out=np.full(sums.shape, np.nan), where=counts > 0)
    return means


def cluster_sums(items: Values, cluster_starts: Starts) -> tuple[Values, Values]:
    """Return the sums and the numbers of the items of each cluster: (items, columns) -> (clusters, columns), twice.

    >>> sums, sizes = cluster_sums(np.array([[1.0], [0.5], [np.nan]]), np.array([0, 2]))
    >>> sums.tolist(), sizes.tolist()
    ([[1.5], [0.0]], [[2.0], [0.0]])
    """
    sums: Values = np.add.reduceat(np.nan_to_num(items), cluster_starts, axis=0)
    sizes: Values = np.add.reduceat(~np.isnan(items), cluster_starts, axis=0, dtype=float)
    return sums, sizes


def common_items(present: Flags) -> tuple[Flags, Flags]:
    """Choose the items on which agents are averaged, so that all are averaged over the same.

    `present`: whether an agent has an item, of shape (items, agents). Return which items are common, (items,), and which
    agents are averaged over them, (agents,). An agent that lacks more than a tenth of the items that at least half of the
    agents have is left out, and so keeps its own items. The common items are those that all others have. If there are none,
    all agents are left out. Agents without any item have no say.

    The third agent lacks 2 of the 5 items that the others have:

    >>> present = np.array([[1, 1, 0], [1, 1, 0], [1, 1, 1], [1, 1, 1], [1, 1, 1], [0, 0, 1]], dtype=bool)
    >>> items, agents = common_items(present)
    >>> items.tolist(), agents.tolist()
    ([True, True, True, True, True, False], [True, True, False])
    """
    some: Flags = np.any(present, axis=0)
    usual = present[:, some].mean(axis=1) >= 0.5
    lacks = (~present[usual]).mean(axis=0)
    agents: Flags = some & (lacks <= COST)
    items: Flags = np.all(present[:, agents], axis=1) & agents.any()
    return items, agents & items.any()
