"""The percentile bootstrap of independent units, which the studies use that do not name their clusters yet."""

from functools import lru_cache

import numpy as np

from relprobe.core.stats.results import Interval, Values

MANY_UNITS = 5000
"""Above this number of units the interval of a mean is the normal one; the resamples of 5,000 units take 80 MB."""


def bootstrap_interval(values: Values, seed: int, level: float = 0.95, draws: int = 2000) -> Interval:
    """Return the percentile bootstrap interval of the mean (Efron and Tibshirani 1993, chapter 13).

    `values`: a value per unit, of shape (units,). `level`: the confidence, such as 0.95. `draws`: the number of resamples;
    the bounds are the quantiles (1 - level) / 2 and (1 + level) / 2 of their means. The same seed gives the same interval.
    Above MANY_UNITS units the interval is mean ± z · standard error, which the bootstrap's converges to, to save memory.
    Samples of the same size use the same resamples, so the intervals of many agents take one matrix product each.

    The mean of two draws from {0, 1} is 0, 1/2 or 1 with the chances 1/4, 1/2 and 1/4, so 95 % reach from 0 to 1:

    >>> bootstrap_interval(np.array([0.0, 1.0]), seed=1)
    Interval(n=2, low=0.0, high=1.0, note=None)
    """
    from scipy import stats as scipy_stats

    if len(values) < 2:
        return Interval(len(values), None, None, "no interval: fewer than two units")
    if len(values) > MANY_UNITS:
        half = scipy_stats.norm.ppf((1 + level) / 2) * scipy_stats.sem(values)
        return Interval(len(values), float(values.mean() - half), float(values.mean() + half))
    means = resampled_shares(len(values), seed, draws) @ values
    low, high = np.quantile(means, [(1 - level) / 2, (1 + level) / 2])
    return Interval(len(values), float(low), float(high))


@lru_cache(maxsize=4)  # the resamples of 700 units take 11 MB
def resampled_shares(n: int, seed: int, draws: int = 2000) -> Values:
    """Return resamples of n units with replacement, as an array of shape (draws, n) that cannot be written.

    The entry (i, j) is the share of resample i that unit j makes up, so every row sums to 1, and the product with the values
    of the units is the mean of each resample.

    >>> resampled_shares(4, seed=1, draws=3).sum(axis=1).tolist()
    [1.0, 1.0, 1.0]
    """
    cells = np.random.default_rng(seed).integers(n, size=(draws, n)) + n * np.arange(draws)[:, None]
    shares: Values = np.bincount(cells.ravel(), minlength=draws * n).reshape(draws, n) / n
    shares.flags.writeable = False  # all callers get the same array
    return shares
