"""Statistics of many pairs, such as a correlation, as the mean of one value for each pair.

Averages, intervals and tests of this package are of means: of values that may be linked. A rank correlation over pairs
is no mean of them, but it has pseudovalues (Tukey 1958): n·t - (n-1)·t₋ᵢ, where t is the statistic of all n pairs and
t₋ᵢ that without pair i. Their mean is the statistic but for a term of 1/n, which is taken off here, so that the mean
is t itself. Their variance is that of the jackknife, which holds for smooth statistics (Miller 1974, "The jackknife: a
review", Biometrika 61), such as those here; where pairs are linked it is that of the linked pairs (stats/linked.py).
So two correlations over the same pairs are compared by the differences of their pseudovalues.

The functions return an array of shape (pairs,), whose mean is the statistic.
"""

import numpy as np
from numpy.typing import NDArray

from relprobe.stats.results import Values

Flags = NDArray[np.bool_]
ROWS = 256
"""The pairs that are left out at a time: each takes a row as long as all pairs."""
BINS = 10
"""The bins of probabilities of the calibration error, of equal width."""


def pseudovalues(estimate: float, left_out: Values) -> Values:
    """Return n·t - (n-1)·t₋ᵢ for each pair, shifted so that their mean is t. `left_out`: t₋ᵢ, (pairs,).

    Of a mean they are the values themselves:

    >>> pseudovalues(2.0, np.array([3.0, 1.0])).tolist()  # of 1 and 3: without the first one it is 3
    [1.0, 3.0]
    """
    n = len(left_out)
    values: Values = n * estimate - (n - 1) * left_out
    return values + (estimate - values.mean())


def spearman_values(x: Values, y: Values) -> Values:
    """Return the pseudovalues of Spearman's rank correlation of x and y, (pairs,); ties have their mean rank.

    Without variation in x or y the correlation is 0, as all orders of ties are alike. ValueError: fewer than three
    pairs.

    >>> values = spearman_values(np.array([1.0, 2.0, 3.0, 4.0]), np.array([2.0, 1.0, 4.0, 3.0]))
    >>> round(float(values.mean()), 6)
    0.6
    """
    from scipy.stats import rankdata

    n = len(x)
    if n < 3:
        raise ValueError(f"a correlation needs three pairs, and not {n}")
    ranks = [rankdata(values).astype(np.float64) for values in (x, y)]
    coefficient = float(_correlation(ranks[0][None, :], ranks[1][None, :], np.ones((1, n), bool))[0])
    left_out = np.empty(n)
    for start in range(0, n, ROWS):
        rows = np.arange(start, min(start + ROWS, n))
        remaining = np.arange(n)[None, :] != rows[:, None]
        # A pair that goes takes one from the ranks of those above it, and a half from those of its equals.
        moved = [
            ranking[None, :] - (ranking[rows, None] < ranking) - 0.5 * (ranking[rows, None] == ranking)
            for ranking in ranks
        ]
        left_out[rows] = _correlation(moved[0], moved[1], remaining)
    return pseudovalues(coefficient, left_out)


def _correlation(x: Values, y: Values, remaining: Flags) -> Values:
    """Return Pearson's correlation of the kept numbers of each row, (rows, pairs) -> (rows,); 0 without variation."""
    counts = remaining.sum(axis=1, keepdims=True)
    parts = [
        np.where(remaining, values - (values * remaining).sum(axis=1, keepdims=True) / counts, 0.0) for values in (x, y)
    ]
    products, squares = (parts[0] * parts[1]).sum(axis=1), [(centred * centred).sum(axis=1) for centred in parts]
    scale = np.sqrt(squares[0] * squares[1])
    return np.divide(products, scale, out=np.zeros(len(products)), where=scale > 1e-9)


def auc_values(scores: Values, right: Flags) -> Values:
    """Return the pseudovalues of the area under the ROC curve.

    It is how often a right pair has a higher score than a wrong one; equal scores count a half.
    ValueError: there are not two right and two wrong pairs, so that one cannot be left out.

    >>> values = auc_values(np.array([3.0, 1.0, 2.0, 0.0]), np.array([True, True, False, False]))
    >>> float(values.mean())
    0.75
    """
    from scipy.stats import rankdata

    good, bad = _numbers(right)
    overall, within = rankdata(scores), np.empty(len(scores))
    for flags in (right, ~right):
        within[flags] = rankdata(scores[flags])
    below = overall - within  # pairs of the other kind with a lower score, and half of those with the same
    wins = np.where(right, below, good - below)  # of a wrong pair: right pairs above it
    total = float(wins[right].sum())
    sizes = np.where(right, (good - 1) * bad, good * (bad - 1))
    return pseudovalues(total / (good * bad), (total - wins) / sizes)


def balanced_accuracy_values(probabilities: Values, right: Flags) -> Values:
    """Return the pseudovalues of the mean of two shares: that of right pairs above 0.5, and that of wrong ones below it.

    A probability of 0.5 counts a half. Who always says yes, or always no, has 0.5, however many foils there are.
    ValueError: as in `auc_values`.

    >>> values = balanced_accuracy_values(np.array([0.9, 0.2, 0.1, 0.2, 0.3, 0.7]), np.arange(6) < 2)
    >>> round(float(values.mean()), 6) == (1 / 2 + 3 / 4) / 2
    True
    """
    good, bad = _numbers(right)
    sizes = np.where(right, good, bad)
    hits = np.where(probabilities == 0.5, 0.5, (probabilities > 0.5) == right)
    sums = np.where(right, hits[right].sum(), hits[~right].sum())
    other_share = np.where(right, hits[~right].mean(), hits[right].mean())
    accuracy = float(hits[right].mean() + hits[~right].mean()) / 2
    return pseudovalues(accuracy, ((sums - hits) / (sizes - 1) + other_share) / 2)


def _numbers(right: Flags) -> tuple[int, int]:
    """Return how many pairs are right and how many are wrong. ValueError: fewer than two of either."""
    good, bad = int(right.sum()), int((~right).sum())
    if min(good, bad) < 2:
        raise ValueError(f"{good} right and {bad} wrong pairs: two of each are needed")
    return good, bad


def calibration_values(probabilities: Values, right: Flags, bins: int = BINS) -> Values:
    """Return the pseudovalues of the expected calibration error of probabilities of yes (Naeini et al. 2015, with L1).

    It is Σ n_b / n · |mean of right - mean of the probabilities| over bins of equal width, of which the last holds 1.
    ValueError: fewer than two pairs.

    In the first bin 0.05 was said and none is right, in the last one 0.95 and one of two: 1/3 · 0.05 + 2/3 · 0.45.

    >>> values = calibration_values(np.array([0.05, 0.95, 0.95]), np.array([False, True, False]))
    >>> round(float(values.mean()), 6) == round(1 / 3 * 0.05 + 2 / 3 * 0.45, 6)
    True
    """
    n = len(probabilities)
    if n < 2:
        raise ValueError(f"a calibration error needs two pairs, and not {n}")
    bin_of = np.minimum((probabilities * bins).astype(np.int64), bins - 1)
    excess = right - probabilities
    sums = np.bincount(bin_of, excess, minlength=bins)
    total, bin_sums = float(np.abs(sums).sum()), sums[bin_of]
    return pseudovalues(total / n, (total - np.abs(bin_sums) + np.abs(bin_sums - excess)) / (n - 1))
