"""The papers' tests of two agents on the same units. Both assume that the units are independent of each other."""

import numpy as np

from relprobe.stats.notes import untestable
from relprobe.stats.results import DECIMALS, TestResult, Values

EXACT_BELOW = 25
"""Below this number of discordant pairs McNemar's test is the exact binomial test."""
EXACT_WILCOXON = 13
"""Up to this number of differences Wilcoxon's p is counted over all patterns of signs (2¹³ = 8192). scipy also counts them
where there are ties, but in a Python loop that takes nearly a second."""


def mcnemar(a: Values, b: Values) -> TestResult:
    """Test whether two agents are right equally often on the same units (McNemar 1947).

    `a`, `b`: 0 or 1 per unit, of shape (units,). With w units that only a has right and l units that only b has right, p is
    that of the exact binomial test of w successes in w + l trials if w + l < 25, else that of chi-squared = (|w - l| - 1)² /
    (w + l) with 1 degree of freedom (Edwards' continuity correction). If w + l = 0, p is 1. The effect is Cohen's
    g = w / (w + l) - 1/2 (Cohen 1988, chapter 5), from -1/2 to 1/2.

    Here w = 3 and l = 1, so p = 2 · (1 + 4) / 2⁴:

    >>> mcnemar(np.array([1, 1, 1, 0, 1, 0]), np.array([0, 0, 0, 1, 1, 0]))
    TestResult(name='McNemar', n=6, effect=0.25, p=0.625, note=None)
    """
    from statsmodels.stats.contingency_tables import mcnemar as statsmodels_mcnemar

    wins, losses = int(np.sum((a == 1) & (b == 0))), int(np.sum((a == 0) & (b == 1)))
    if len(a) == 0:
        return TestResult("McNemar", 0, None, None, "no unit in common")
    if not np.isin([a, b], [0, 1]).all():
        return TestResult("McNemar", len(a), None, None, untestable("values other than 0 and 1"))
    if wins + losses == 0:
        return TestResult("McNemar", len(a), 0.0, 1.0)
    exact = wins + losses < EXACT_BELOW
    result = statsmodels_mcnemar([[0, wins], [losses, 0]], exact=exact)
    return TestResult("McNemar", len(a), wins / (wins + losses) - 0.5, float(result.pvalue))


def wilcoxon(a: Values, b: Values) -> TestResult:
    """Test whether the differences of paired values are symmetric about zero (Wilcoxon 1945, signed ranks).

    `a`, `b`: a value per unit, of shape (units,). Differences of zero are dropped, as Wilcoxon did. The others are ranked by
    size, ties at their mean rank; W+ and W- are the rank sums of the positive and the negative ones. p is exact up to 13
    differences, and up to 50 if no two have the same size; else it is that of the normal approximation. The effect is the
    matched-pairs rank-biserial correlation (W+ - W-) / (W+ + W-) (Kerby 2014), from -1 to 1.

    The differences 1, -2, 3, 4 have W+ = 8 and W- = 2. Of the 16 patterns of signs, 6 have W+ of at least 8 or at most 2:

    >>> wilcoxon(np.array([1.0, 0.0, 3.0, 4.0]), np.array([0.0, 2.0, 0.0, 0.0]))
    TestResult(name='Wilcoxon', n=4, effect=0.6, p=0.375, note=None)
    """
    from scipy import stats as scipy_stats

    difference = np.round(a - b, DECIMALS)
    nonzero = difference[difference != 0]
    if len(a) == 0:
        return TestResult("Wilcoxon", 0, None, None, "no unit in common")
    if len(nonzero) == 0:
        return TestResult("Wilcoxon", len(a), 0.0, None, untestable("all pairs are equal"))
    ranks = scipy_stats.rankdata(np.abs(nonzero))
    effect = float((ranks * np.sign(nonzero)).sum() / ranks.sum())
    if len(nonzero) <= EXACT_WILCOXON:
        patterns = 1 - 2 * (np.arange(2 ** len(nonzero))[:, None] >> np.arange(len(nonzero)) & 1)
        p = float(np.mean(np.abs(patterns @ ranks) / ranks.sum() >= abs(effect) - 10.0**-DECIMALS))
    else:
        p = float(scipy_stats.wilcoxon(nonzero, zero_method="wilcox").pvalue)
    return TestResult("Wilcoxon", len(a), effect, p)
