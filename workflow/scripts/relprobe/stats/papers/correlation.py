"""Rank correlation. Its p assumes that the units are independent of each other."""

import itertools

import numpy as np

from relprobe.stats.notes import untestable
from relprobe.stats.results import DECIMALS, TestResult, Values

EXACT_SPEARMAN = 7
"""Up to this number of units the p of Spearman's rho is exact (7! = 5040 orders). The t distribution would give p = 0 for a
rho of 1."""


def spearman(x: Values, y: Values) -> TestResult:
    """Test whether two variables of the same units rise or fall together (Spearman 1904, rank correlation).

    `x`, `y`: a value per unit, of shape (units,). The effect is rho, the Pearson correlation of the ranks, ties at their
    mean rank, from -1 to 1. p is exact up to 7 units: the share of the orders of y whose |rho| is at least as large. Above
    that it is that of t = rho · √((n - 2) / (1 - rho²)) with n - 2 degrees of freedom.

    The two orders are opposite. Of the 4! = 24 orders of y, 2 are as extreme:

    >>> test = spearman(np.array([1.0, 2.0, 3.0, 4.0]), np.array([8.0, 6.0, 4.0, 2.0]))
    >>> test.n, round(test.effect, 6), round(test.p, 6)
    (4, -1.0, 0.083333)
    """
    from scipy import stats as scipy_stats

    if len(x) < 3:
        return TestResult("Spearman", len(x), None, None, untestable("fewer than three units"))
    ranks = [scipy_stats.rankdata(np.round(values, DECIMALS)) - (len(x) + 1) / 2 for values in (x, y)]
    scale = float(np.sqrt((ranks[0] ** 2).sum() * (ranks[1] ** 2).sum()))
    if scale == 0:
        return TestResult("Spearman", len(x), None, None, untestable("a variable is constant"))
    rho = float(np.clip(ranks[0] @ ranks[1] / scale, -1, 1))
    if len(x) <= EXACT_SPEARMAN:
        orders = np.array(list(itertools.permutations(ranks[1]))) @ ranks[0] / scale
        return TestResult("Spearman", len(x), rho, float(np.mean(np.abs(orders) >= abs(rho) - 10.0**-DECIMALS)))
    df = len(x) - 2
    t = abs(rho) * np.sqrt(df / max(1 - rho**2, np.finfo(float).eps))
    return TestResult("Spearman", len(x), rho, float(2 * scipy_stats.t.sf(t, df)))
