"""The mean of values that are sums of shares, where both the clusters and what is crossed with them are samples.

The clusters are, for example, targets, and crossed with them are the prompts of a relation, which all targets share. A
prompt that favours some words favours them for every target. A test over targets alone takes this for knowledge. Clusters
may be linked (stats.linked): an agent that likes a word likes it for all targets that have it as an answer. A mean may be
pooled over parts, such as relations, which are no sample: each part counts alike.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from relprobe.stats.linked import Links, linked_items
from relprobe.stats.results import DECIMALS, Values

Numbers = NDArray[np.int64]


@dataclass(frozen=True)
class CrossedMean:
    """A mean with its standard error and the degrees of freedom of its t distribution.

    `effective`: the number of independent clusters that the clusters are worth if all linked ones are alike. `measured`: the
    number that they are worth as the values vary, by the design effect of their links.
    """

    value: float
    error: float
    freedom: float
    effective: float = 0.0
    measured: float = 0.0

    def interval(self, level: float = 0.95) -> tuple[float, float] | None:
        """Return the two-sided interval; None if the values do not vary."""
        from scipy.stats import t

        if self.error == 0:
            return None
        half_width = float(t.ppf((1 + level) / 2, self.freedom)) * self.error
        return self.value - half_width, self.value + half_width

    def p(self) -> float | None:
        """Return the two-sided p of the mean being 0; None if the values do not vary."""
        from scipy.stats import t

        return float(2 * t.sf(abs(self.value) / self.error, self.freedom)) if self.error else None


def crossed_mean(
    shares: Values, strata: Numbers, links: Links | None = None, parts: Numbers | None = None
) -> CrossedMean:
    """Return the mean over clusters of the sums of their shares; clusters and the columns of each stratum are samples.

    `shares`: the share of each column (a prompt) in the value of each cluster (a target), of shape (clusters, columns); NaN
    where a cluster does not have a column. `strata`: the number of each column's stratum (its relation), (columns,).
    `links`: those of the clusters; without them no two clusters are linked. `parts`: the number of the part that each
    cluster lies in, (clusters,); the mean is then that of the parts' means, and each cluster varies about its part's mean.

    The variance of the sum over clusters is that between linked clusters (`linked_error`), plus that between the columns of
    a stratum, minus what both count: that of the same column in linked clusters (Cameron, Gelbach and Miller 2011). It is at
    least that between clusters. The degrees of freedom are Satterthwaite's (1946), from n_eff - 1 of the clusters of each
    part. A stratum of one column has no variance. ValueError: the clusters of a part count as one independent cluster or
    less.

    The values of two clusters are 1 and 3, and their columns do not differ: the error is √2 / √2.

    >>> mean = crossed_mean(np.array([[0.5, 0.5], [1.5, 1.5]]), np.array([0, 0]))
    >>> mean.value, mean.error, mean.freedom
    (2.0, 1.0, 1.0)

    In two parts of two clusters the means are 2 and 6, and the error is √(1² + 1²) / 2:

    >>> values = np.array([[1.0], [3.0], [5.0], [7.0]])
    >>> mean = crossed_mean(values, np.array([0]), parts=np.array([0, 0, 1, 1]))
    >>> mean.value, round(mean.error, 3), mean.freedom
    (4.0, 0.707, 2.0)
    """
    clusters = len(shares)
    among = links or linked_items(np.array([], np.int64), np.array([], np.int64), clusters)
    part_codes = np.zeros(clusters, np.int64) if parts is None else np.unique(parts, return_inverse=True)[1]
    weights = 1.0 / (np.bincount(part_codes)[part_codes] * (part_codes.max() + 1))
    filled = np.nan_to_num(shares)
    values = np.round(filled.sum(axis=1), DECIMALS)  # else float noise would be the variance of equal values
    between, freedom, measured = _between(values, weights, part_codes, among)
    columns, within, squares = 0.0, 0.0, 0.0
    for stratum in np.unique(strata):
        inside = strata == stratum
        scatter = _scatter((weights @ filled[:, inside])[None])
        columns += scatter
        squares += scatter**2 / max(int(inside.sum()) - 1, 1)
        within += _scatter(weights[:, None] * shares[:, inside], among)
    variance = between
    if columns > within + 10.0**-DECIMALS / clusters**2:
        column_variance = columns - within
        variance += column_variance
        freedom = variance**2 / (between**2 / freedom + (column_variance / columns) ** 2 * squares)
    effective = float(weights.sum() ** 2 / (weights @ (among.matrix @ weights)))
    return CrossedMean(float(weights @ values), float(np.sqrt(variance)), freedom, effective, measured)


def _between(values: Values, weights: Values, parts: Numbers, links: Links) -> tuple[float, float, float]:
    """Return the variance of the weighted sum between linked clusters, its degrees of freedom and the measured number.

    The values of a part are centred on its mean, which is nearer to them than the true one; n_eff / (n_eff - 1) of the part
    corrects for that, as in `linked_error`.
    """
    around = np.zeros(len(values))
    squares, sizes = 0.0, weights @ weights
    for part in range(parts.max() + 1):
        inside = parts == part
        effective = links.among(inside).effective
        if effective <= 1:
            raise ValueError(
                f"the linked items count as {effective:.1f} independent ones: an error needs more than one"
            )
        scale = np.sqrt(effective / (effective - 1))
        around[inside] = weights[inside] * (values[inside] - values[inside].mean()) * scale
        part_variance = _quadratic(around * inside, links)
        squares += part_variance**2 / (effective - 1)
    between, independent = _quadratic(around, links), float(around @ around)
    count = float(weights.sum() ** 2 / sizes)
    if squares == 0:
        return between, sum(links.among(parts == part).effective - 1 for part in range(parts.max() + 1)), count
    return between, between**2 / squares, count * independent / between


def _quadratic(around: Values, links: Links) -> float:
    """Return the sum over linked pairs of the products of two values; at least the sum of squares."""
    return float(max(around @ (links.matrix @ around), around @ around))


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
