"""The mean of values that are sums of shares, where both the clusters and what is crossed with them are samples.

The clusters are, for example, targets, and crossed with them are the prompts of a relation, which all targets share. A
prompt that favours some words favours them for every target. A test over targets alone takes this for knowledge. Clusters
may be linked (stats.linked): an agent that likes a word likes it for all targets that have it as an answer.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from relprobe.stats.linked import Links, linked_error, linked_items
from relprobe.stats.results import DECIMALS, Values


@dataclass(frozen=True)
class CrossedMean:
    """A mean with its standard error and the degrees of freedom of its t distribution."""

    value: float
    error: float
    freedom: float

    def interval(self, level: float = 0.95) -> tuple[float, float] | None:
        """Return the two-sided interval; None if the values do not vary."""
        from scipy.stats import t

        if self.error == 0:
            return None
        half = float(t.ppf((1 + level) / 2, self.freedom)) * self.error
        return self.value - half, self.value + half

    def p(self) -> float | None:
        """Return the two-sided p of the mean being 0; None if the values do not vary."""
        from scipy.stats import t

        return float(2 * t.sf(abs(self.value) / self.error, self.freedom)) if self.error else None


def crossed_mean(shares: Values, strata: NDArray[np.int64], links: Links | None = None) -> CrossedMean:
    """Return the mean over clusters of the sums of their shares; clusters and the columns of each stratum are samples.

    `shares`: the share of each column (a prompt) in the value of each cluster (a target), of shape (clusters, columns); NaN
    where a cluster does not have a column. `strata`: the number of each column's stratum (its relation), (columns,).
    `links`: those of the clusters; without them no two clusters are linked.

    The variance of the sum over clusters is that between linked clusters (`linked_error`), plus that between the columns of
    a stratum, minus what both count: that of the same column in linked clusters (Cameron, Gelbach and Miller 2011). It is at
    least that between clusters. The degrees of freedom are Satterthwaite's (1946), from n_eff - 1 of the clusters. A stratum
    of one column has no variance. ValueError: the clusters count as one independent cluster or less.

    The values of two clusters are 1 and 3, and their columns do not differ: the error is √2 / √2.

    >>> crossed_mean(np.array([[0.5, 0.5], [1.5, 1.5]]), np.array([0, 0]))
    CrossedMean(value=2.0, error=1.0, freedom=1.0)
    """
    clusters = len(shares)
    among = links or linked_items(np.array([], np.int64), np.array([], np.int64), clusters)
    filled = np.nan_to_num(shares)
    of_clusters = np.round(filled.sum(axis=1), DECIMALS)  # else float noise would be the variance of equal values
    between = (clusters * linked_error(of_clusters, among)) ** 2
    columns, within, squares = 0.0, 0.0, 0.0
    for stratum in np.unique(strata):
        inside = strata == stratum
        own = _scatter(filled[:, inside].sum(axis=0)[None])
        columns += own
        squares += own**2 / max(int(inside.sum()) - 1, 1)
        within += _scatter(shares[:, inside], among)
    variance, freedom = between, among.effective - 1.0
    if columns > within + 10.0**-DECIMALS:
        of_columns = columns - within
        variance += of_columns
        freedom = variance**2 / (between**2 / freedom + (of_columns / columns) ** 2 * squares)
    return CrossedMean(float(of_clusters.mean()), float(np.sqrt(variance)) / clusters, freedom)


def _scatter(values: Values, links: Links | None = None) -> float:
    """Return the sum over columns and linked rows of the products of what differs from the row's mean, (rows, columns).

    Without links a row counts with itself alone: this is the sum over rows of m / (m - 1) times the sum of squares about the
    row's mean; m is its number of values. It is at least that with links, too.
    """
    present = ~np.isnan(values)
    counts = present.sum(axis=1)
    means = np.nan_to_num(values).sum(axis=1) / np.maximum(counts, 1)
    scales = np.sqrt(counts / np.maximum(counts - 1, 1))
    around = np.where(present, (np.nan_to_num(values) - means[:, None]) * scales[:, None], 0.0)
    squares = float((around**2).sum())
    return squares if links is None else max(float((around * (links.matrix @ around)).sum()), squares)
