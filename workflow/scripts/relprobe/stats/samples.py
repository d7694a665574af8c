"""From the value tables of agents to matrices of values by unit and agent, in items and clusters."""

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from relprobe.core.metric import Metric
from relprobe.core.sums import ordered_mean
from relprobe.stats import Links, Values, linked_items

Starts = NDArray[np.int64]
Flags = NDArray[np.bool_]
Tables = Mapping[str, pl.DataFrame]
LINK = "link"
"""The column of a table of links that holds what items share."""


@dataclass(frozen=True)
class Sample:
    """The values of a metric in one group, such as a part of speech.

    `names`: column -> value of the group. `agents`: those of the columns of `values`. `values`: (units, agents), NaN where
    an agent has no value. The rows of an item follow each other, and so do those of a cluster: `item_starts` is the first
    row of each item, and `cluster_starts` the first item of each cluster. `crossed`: the number of the prompt (or of another
    crossed factor) of each row; all 0 without one. `links`: those of the items, None if the metric names none. `common`:
    which items are common to the study, (items,), and `asked` their number, those without a value of any agent included.
    """

    names: dict[str, Any]
    agents: list[str]
    values: Values
    item_starts: Starts
    cluster_starts: Starts
    crossed: Starts
    links: Links | None
    common: Flags
    asked: int


def samples(
    tables: Tables,
    metric: Metric,
    groups: Sequence[str],
    *,
    by_unit: bool,
    crossed: str = "",
    links: Tables | None = None,
    asked: pl.DataFrame | None = None,
) -> Iterator[Sample]:
    """Yield a sample per group, sorted by `groups`, of tables that hold the values of one metric only.

    `tables`: agent -> table with the metric's columns, `groups`, and value; several values of a row are averaged. `by_unit`:
    rows are units of the metric, else its items. `crossed`: the column of a factor that is crossed with the clusters, such
    as the prompt. `links`: name -> a table of what items share: some of the columns of groups and items, and link. `asked`:
    the items that are common to the study, with some of the columns of groups and items; without it all items are common.
    ValueError: a table lacks a column, an item lies in two clusters or in none.
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
        item_rows = rows[item_starts]
        _check_clusters(item_rows, metric)
        names = {name: rows[name][0] for name in groups}
        cluster_starts = _starts(item_rows, clusters)
        linked = links_among(item_rows, metric, links or {}) if metric.links else None
        common, number = _common(item_rows, names, asked)
        matrix = values[start:stop], item_starts, cluster_starts, codes[start:stop]
        yield Sample(names, list(tables), *matrix, linked, common, number)


def links_among(items: pl.DataFrame, metric: Metric, tables: Tables) -> Links:
    """Return which items are linked. `items`: a row per item, with the columns of its group. `tables`: as in `samples`.

    ValueError: `links` of the metric is neither the name of a table nor that of a column, or a table has other columns.

    >>> pairs = pl.DataFrame({"target": ["day", "dark", "up"], "relatum": ["night", "day", "down"]})
    >>> links_among(pairs, Metric("symmetry", links=("target", "relatum")), {}).effective == 9 / 5
    True
    """
    rows = items.with_row_index("item")
    parts = []
    for name in metric.links:
        shared = tables[name].columns if name in tables else [name]
        if unknown := set(shared) - {LINK} - set(items.columns):
            raise ValueError(
                f"the items of the metric {metric.name!r} have no column {min(unknown)!r}, which its links need: pass a "
                f"table of links {name!r} with columns of the items"
            )
        joined = rows.rename({name: LINK}) if name not in tables else _joined(rows, tables[name])
        parts.append(joined.select("item", pl.col(LINK).cast(pl.String)).drop_nulls())
    item_links = pl.concat(parts).unique(maintain_order=True)
    values = item_links[LINK].rank("dense").cast(pl.Int64).to_numpy() - 1
    return linked_items(item_links["item"].cast(pl.Int64).to_numpy(), values, items.height)


def _joined(rows: pl.DataFrame, table: pl.DataFrame) -> pl.DataFrame:
    """Return the links of the rows by the columns that both have."""
    key = [name for name in table.columns if name != LINK]
    return rows.join(table.unique(), on=key, nulls_equal=True, maintain_order="left")


def _common(items: pl.DataFrame, names: Mapping[str, Any], asked: pl.DataFrame | None) -> tuple[Flags, int]:
    """Return which items of a group are common to the study, and how many the study has."""
    if asked is None:
        return np.ones(items.height, dtype=bool), items.height
    key = [name for name in asked.columns if name in items.columns]
    same = [pl.col(name).eq_missing(pl.lit(value)) for name, value in names.items() if name in key]
    group_items = asked.filter(pl.all_horizontal(pl.lit(value=True), *same))
    once = group_items.select(key).unique().with_columns(common=True)
    flags = items.join(once, on=key, how="left", nulls_equal=True, maintain_order="left")["common"]
    return flags.fill_null(value=False).to_numpy(), once.height


def _means(agent: str, table: pl.DataFrame, metric: Metric, key: Sequence[str]) -> pl.DataFrame:
    """Return the mean of the values of each row of a sample."""
    if missing := [name for name in key if name not in table.columns]:
        raise ValueError(
            f"the values of {agent} lack the column {missing[0]!r} of the metric {metric.name!r}: write the column, or name "
            "other columns in the metric"
        )
    return table.group_by(key, maintain_order=True).agg(ordered_mean("value"))


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
    sums, counts = cluster_sums(values, item_starts)
    means: Values = np.divide(sums, counts, out=np.full(sums.shape, np.nan), where=counts > 0)
    return means


def cluster_sums(items: Values, cluster_starts: Starts) -> tuple[Values, Values]:
    """Return the sums and the numbers of the items of each cluster: (items, columns) -> (clusters, columns), twice.

    A column is added up value by value, without those that it lacks, so that items of other columns change no last digit.

    >>> sums, sizes = cluster_sums(np.array([[1.0], [0.5], [np.nan]]), np.array([0, 2]))
    >>> sums.tolist(), sizes.tolist()
    ([[1.5], [0.0]], [[2.0], [0.0]])
    """
    codes = np.repeat(np.arange(len(cluster_starts)), np.diff([*cluster_starts, len(items)]))
    sums, sizes = (np.zeros((len(cluster_starts), items.shape[1])) for _ in range(2))
    for column, values in enumerate(items.T):
        present = ~np.isnan(values)
        sums[:, column] = np.bincount(codes[present], values[present], minlength=len(cluster_starts))
        sizes[:, column] = np.bincount(codes[present], minlength=len(cluster_starts))
    return sums, sizes
