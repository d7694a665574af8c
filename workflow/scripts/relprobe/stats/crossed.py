"""The mean of values that are sums of shares, where both the clusters and what is crossed with them are samples.

The clusters are, for example, targets, and crossed with them are the prompts of a relation, which all targets share. A
prompt that favours some words favours them for every target. A test over targets alone takes this for knowledge.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

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

    def p_above(self) -> float | None:
        """Return the one-sided p of the mean being 0 or below; None if the values do not vary."""
        from scipy.stats import t

        return float(t.sf(self.value / self.error, self.freedom)) if self.error else None


def crossed_mean(shares: Values, strata: NDArray[np.int64]) -> CrossedMean:
    """Return the mean over clusters of the sums of their shares; clusters and the columns of each stratum are samples.

    `shares`: the share of each column (a prompt) in the value of each cluster (a target), of shape (clusters, columns); NaN
    where a cluster does not have a column. `strata`: the number of each column's stratum (its relation), (columns,).

    The variance of the sum over clusters is that between clusters, plus that between the columns of a stratum, minus that
    within clusters, which both count (Cameron, Gelbach and Miller 2011), and at least that between clusters. The degrees of
    freedom are Satterthwaite's (1946). A stratum of one column has no variance.

    The values of two clusters are 1 and 3, and their columns do not differ: the error is √2 / √2.

    >>> crossed_mean(np.array([[0.5, 0.5], [1.5, 1.5]]), np.array([0, 0]))
    CrossedMean(value=2.0, error=1.0, freedom=1.0)
    """
    clusters = len(shares)
    filled = np.nan_to_num(shares)
    of_clusters = np.round(filled.sum(axis=1), DECIMALS)  # else float noise would be the variance of equal values
    between = clusters / max(clusters - 1, 1) * float(((of_clusters - of_clusters.mean()) ** 2).sum())
    columns, within, squares = 0.0, 0.0, 0.0
    for stratum in np.unique(strata):
        inside = strata == stratum
        own = _scatter(filled[:, inside].sum(axis=0)[None])
        columns += own
        squares += own**2 / max(int(inside.sum()) - 1, 1)
        within += _scatter(shares[:, inside])
    variance, freedom = between, clusters - 1.0
    if columns > within + 10.0**-DECIMALS:
        of_columns = columns - within
        variance += of_columns
        freedom = variance**2 / (between**2 / max(clusters - 1, 1) + (of_columns / columns) ** 2 * squares)
    return CrossedMean(float(of_clusters.mean()), float(np.sqrt(variance)) / clusters, freedom)


def _scatter(values: Values) -> float:
    """Return the sum over rows of m / (m - 1) times the sum of squares about the row's mean; m is its number of values."""
    present = ~np.isnan(values)
    counts = present.sum(axis=1)
    means = np.nan_to_num(values).sum(axis=1) / np.maximum(counts, 1)
    squares = np.where(present, (np.nan_to_num(values) - means[:, None]) ** 2, 0.0).sum(axis=1)
    return float((squares * counts / np.maximum(counts - 1, 1)).sum())
