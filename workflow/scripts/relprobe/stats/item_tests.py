"""Tests of the means of differences, item by item: p, the interval, and what they rest on."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from relprobe.core.words import amount
from relprobe.stats import (
    FEWEST,
    Interval,
    Links,
    Values,
    cluster_errors,
    linked_error,
    linked_interval,
    linked_p,
    mean_intervals,
    sign_flip,
    two_columns,
    within,
)
from relprobe.stats.averages import SEED, effective_number, links_of
from relprobe.stats.chance_levels import Dependence
from relprobe.stats.notes import join_notes, no_p
from relprobe.stats.samples import Flags, Sample, cluster_sums

ALPHA = 0.05
FEW_CLUSTERS = 15
"""Where so few clusters differ, the variance of linked items says little, and p is at least that of all sign flips."""
NOISE = 1e-9
"""Differences up to this size are noise of floats."""
NOTHING_IN_COMMON = {
    **{"clusters": 0, "discordant_clusters": 0, "p": None, "cluster_p": None, "least_p": None},
    **{"interval_note": None, "note": "no unit in common"},
}


def item_tests(sample: Sample, differences: Values, fewest: int = 0) -> list[dict[str, Any]]:
    """Return p, cluster_p, the interval, the error and what they rest on, of each column of differences, (items, pairs).

    The reason why there is no interval (interval_note) stands apart from the note on p (`all_notes`), as what follows may
    find an interval. Pairs that have the same items are tested together, and without the items that they lack: the others
    change nothing. `fewest`: below this number of clusters there is no p of sign flips.
    """
    present = ~np.isnan(differences)
    alike: dict[bytes, list[int]] = {}
    for column, flags in enumerate(present.T):
        alike.setdefault(flags.tobytes(), []).append(column)
    rows: list[dict[str, Any]] = [{}] * differences.shape[1]
    for columns in alike.values():
        pair_rows = _pair_columns(sample, two_columns(differences[:, columns]), present[:, columns[0]], fewest)
        for column, row in zip(columns, pair_rows, strict=False):  # of a single column there are two
            rows[column] = row
    return rows


def _pair_columns(sample: Sample, differences: Values, present: Flags, fewest: int) -> list[dict[str, Any]]:
    """Return the columns of `item_tests` for pairs that all have the items `present`."""
    if not present.any():
        return [dict(NOTHING_IN_COMMON) for _ in differences.T]
    sums, sizes = cluster_sums(differences, sample.cluster_starts)
    sums, sizes = sums[sizes[:, 0] > 0], sizes[sizes[:, 0] > 0]
    links = links_of(sample, present)
    differing = (np.abs(sums) > NOISE).sum(axis=0).tolist()
    shared = {"clusters": len(sums), "effective_n": effective_number(links, sizes[:, 0])}
    cluster_p_values = sign_flip(sums, SEED).tolist()
    tested: list[tuple[float | None, Interval]]
    if links is None:
        tested = list(zip(cluster_p_values, mean_intervals(sums, sizes, SEED, differences=True), strict=True))
    else:
        columns = zip(differences[present].T, cluster_p_values, differing, strict=True)
        tested = [_linked(values, links, cluster_p, clusters) for values, cluster_p, clusters in columns]
    errors = (
        cluster_errors(sums, sizes)
        if links is None
        else [linked_error_of(difference, links) for difference in differences[present].T]
    )
    freedom = max(effective_number(links, sizes[:, 0]) - 1, 0.0)
    spreads = [float(difference[present].var(ddof=1)) if present.sum() > 1 else 0.0 for difference in differences.T]
    rows = []
    too_few = links is None and len(sums) < fewest
    pair_numbers = zip(tested, cluster_p_values, differing, errors, spreads, strict=True)
    for (tested_p, interval), cluster_p, clusters, error, spread in pair_numbers:
        p, least = tested_p, _least_p(tested_p, clusters, links)
        note = _note(tested_p, clusters, links)
        if too_few:
            p, least, note = (
                None,
                None,
                no_p(f"{amount(len(sums), 'cluster is', 'clusters are')} there, and below {fewest} signs cannot tell"),
            )
        row = {"discordant_clusters": clusters, "low": interval.low, "high": interval.high, "p": p}
        row |= {"least_p": least, "interval_note": interval.note, "note": note}
        measured = min(spread / error**2, float(present.sum())) if error else None
        error_columns = {"error": error, "freedom": freedom, "measured_n": measured}
        rows.append({**shared, **row, **error_columns, "cluster_p": cluster_p})
    return rows


def linked_error_of(values: Values, links: Links) -> float | None:
    """Return the standard error of the mean of linked differences; None if they count as one item, or do not vary."""
    return (linked_error(values, links) or None) if links.effective > 1 else None


def dependence(sample: Sample, present: Flags) -> Dependence:
    """Return which of some units of a sample depend on each other, (units,)."""
    units = np.flatnonzero(present)
    unit_items = np.searchsorted(sample.item_starts, units, side="right") - 1
    items_present, items = np.unique(unit_items, return_inverse=True)
    _, clusters = np.unique(
        np.searchsorted(sample.cluster_starts, items_present, side="right") - 1, return_inverse=True
    )
    flags = np.zeros(len(sample.item_starts), dtype=bool)
    flags[items_present] = True
    return Dependence(items, clusters, links_of(sample, flags))


def linked_test(
    values: Values, links: Links, cluster_p: float, clusters: int
) -> tuple[float | None, Interval, str | None]:
    """Return p, the interval and the note of linked differences, (items,).

    `cluster_p`: p of sign flips over clusters. `clusters`: how many of these differ.
    """
    p, interval = _linked(values, links, cluster_p, clusters)
    return p, interval, all_notes({"interval_note": interval.note, "note": _note(p, clusters, links)})


def _linked(values: Values, links: Links, cluster_p: float, clusters: int) -> tuple[float | None, Interval]:
    """Return p and the interval of linked differences; where few clusters differ, p is at least that of their signs."""
    p = linked_p(values, links)
    if p is not None and clusters <= FEW_CLUSTERS:
        p = max(p, cluster_p)
    return p, linked_interval(values, links)


def _least_p(p: float | None, clusters: int, links: Links | None) -> float | None:
    """Return what p cannot be below, as so few clusters differ that it cannot be below 0.05; None where it may be."""
    untested = p is None and links is not None
    return 2.0 ** (1 - clusters) if clusters and not untested and 2.0 ** (1 - clusters) >= ALPHA else None


def _note(p: float | None, clusters: int, links: Links | None) -> str | None:
    """Return why p is missing, or that so few clusters differ that p cannot be below 0.05."""
    if p is None and links is not None:
        count = f"the linked items count as {links.effective:.1f} independent ones"
        return no_p(f"{count}, and below {FEWEST} the data cannot tell")
    least = _least_p(p, clusters, links)
    differ = amount(clusters, "cluster differs", "clusters differ")
    return None if least is None else f"{differ}: p cannot be below {least:g}"


def within_span(row: Mapping[str, Any], span: float) -> dict[str, Any]:
    """Return what changes in a row as no difference can be larger than `span`, either way: its interval ends there.

    >>> within_span({"low": -0.3, "high": 1.2}, 1.0)
    {'low': -0.3, 'high': 1.0, 'interval_note': None}
    >>> within_span({"low": -132.0, "high": 131.0}, 2.0)["interval_note"]
    'the interval holds all values that can be: so few independent ones say nothing'
    """
    if row.get("low") is None:
        return {}
    around = within(Interval(0, row["low"], row["high"], row.get("interval_note")), -span, span)
    return {"low": around.low, "high": around.high, "interval_note": around.note}


def all_notes(row: Mapping[str, Any], *first_notes: str) -> str | None:
    """Return the note of a test: why there is no interval, and what is to be known of p. `first_notes`: what comes first.

    >>> all_notes({"interval_note": "no interval: fewer than two clusters", "note": "1 cluster differs"})
    'no interval: fewer than two clusters; 1 cluster differs'
    """
    return join_notes([*first_notes, row.get("interval_note"), row["note"]])
