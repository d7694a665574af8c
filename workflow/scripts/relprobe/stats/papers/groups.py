"""The papers' tests of independent samples. All of them assume that the values are independent of each other."""

import warnings
from collections.abc import Sequence

import numpy as np

from relprobe.stats.notes import untestable
from relprobe.stats.results import DECIMALS, TestResult, Values


def levene(groups: Sequence[Values]) -> TestResult:
    """Test whether groups have the same variance (Levene 1960, centred on the median by Brown and Forsythe 1974).

    `groups`: the values of each group; empty groups are left out. The test is an analysis of variance of the deviations
    z = |value - median of its group|: F = (B / (k - 1)) / (R / (n - k)), with the sum of squares of z between the groups B
    and within them R, n values and k groups. The effect is eta squared, B / (B + R), from 0 to 1.
    In a group of 0/1 values with more zeros than ones the deviations are the values themselves: on such groups the test
    compares the means.

    The deviations 1, 0, 1 and 3, 0, 3 have the means 2/3 and 2, so B = 8/3 and R = 20/3:

    >>> test = levene([np.array([0.0, 1.0, 2.0]), np.array([0.0, 3.0, 6.0])])
    >>> test.n, round(test.effect, 3), round(test.p, 3)  # effect 8/28, F(1, 4) = 1.6
    (6, 0.286, 0.275)
    """
    from scipy import stats as scipy_stats

    filled = [np.round(group, DECIMALS) for group in groups if len(group)]
    n = sum(map(len, filled))
    if len(filled) < 2:
        return TestResult("Levene", n, None, None, untestable("fewer than two groups"))
    deviations = [np.round(np.abs(group - np.median(group)), DECIMALS) for group in filled]
    if all(np.ptp(group) == 0 for group in deviations):
        constant = all(np.ptp(group) == 0 for group in filled)
        reason = (
            "every group is constant" if constant else "the deviations from the median do not vary within any group"
        )
        return TestResult("Levene", n, None, None, untestable(reason))
    within = sum(float(((group - group.mean()) ** 2).sum()) for group in deviations)
    pooled = np.concatenate(deviations)
    between = max(float(((pooled - pooled.mean()) ** 2).sum()) - within, 0.0)
    df = len(filled) - 1, n - len(filled)
    p = float(scipy_stats.f.sf((between / df[0]) / (within / df[1]), *df))
    return TestResult("Levene", n, between / (between + within), p)


def mann_whitney(a: Values, b: Values) -> TestResult:
    """Test whether the values of one of two independent samples tend to be larger (Mann and Whitney 1947, U test).

    `a`, `b`: the values of each sample; their numbers may differ. U counts the pairs of a value of each sample in which that
    of a is larger, ties as 1/2. p is exact if a sample has up to 8 values and there are no ties, else that of the normal
    approximation with continuity correction. The effect is the rank-biserial correlation 2 U / (len(a) · len(b)) - 1
    = P(a > b) - P(a < b) (Cureton 1956), from -1 to 1.

    a wins all 9 pairs. Of the 6! / (3! 3!) = 20 orders of the values, 2 are as extreme:

    >>> mann_whitney(np.array([4.0, 5.0, 6.0]), np.array([1.0, 2.0, 3.0]))
    TestResult(name='Mann-Whitney', n=6, effect=1.0, p=0.1, note=None)
    """
    from scipy import stats as scipy_stats

    n = len(a) + len(b)
    if len(a) == 0 or len(b) == 0:
        return TestResult("Mann-Whitney", n, None, None, untestable("a sample is empty"))
    first, second = np.round(a, DECIMALS), np.round(b, DECIMALS)
    if np.ptp(np.concatenate([first, second])) == 0:
        return TestResult("Mann-Whitney", n, 0.0, None, untestable("all values are equal"))
    result = scipy_stats.mannwhitneyu(first, second, alternative="two-sided")
    return TestResult("Mann-Whitney", n, float(2 * result.statistic / (len(a) * len(b)) - 1), float(result.pvalue))


def kolmogorov_smirnov(a: Values, b: Values) -> TestResult:
    """Test whether two independent samples come from the same distribution (Smirnov 1939, two-sample test).

    `a`, `b`: the values of each sample; their numbers may differ. The effect is D, the largest distance between the two
    empirical distribution functions, from 0 to 1. p is exact for samples of up to 10,000 values (Hodges 1958), else that of
    the asymptotic distribution.

    The samples do not overlap, so D = 1. Of the 6! / (3! 3!) = 20 orders of the values, 2 are as extreme:

    >>> test = kolmogorov_smirnov(np.array([4.0, 5.0, 6.0]), np.array([1.0, 2.0, 3.0]))
    >>> test.effect, round(test.p, 6)
    (1.0, 0.1)
    """
    from scipy import stats as scipy_stats

    n = len(a) + len(b)
    if len(a) == 0 or len(b) == 0:
        return TestResult("Kolmogorov-Smirnov", n, None, None, untestable("a sample is empty"))
    result = scipy_stats.ks_2samp(a, b)
    return TestResult("Kolmogorov-Smirnov", n, float(result.statistic), float(result.pvalue))


def kruskal_wallis(groups: Sequence[Values]) -> TestResult:
    """Test whether the values of some groups tend to be larger than those of others (Kruskal and Wallis 1952).

    `groups`: the values of each group. H = 12 / (n (n + 1)) · Σ R² / m - 3 (n + 1), with the m values and the rank sum R of
    each group and n values in all. H is divided by 1 - Σ (t³ - t) / (n³ - n) for the t values of each tie. p is that of
    chi-squared with one degree of freedom fewer than there are groups. The effect is epsilon squared, H / (n - 1) (Tomczak
    and Tomczak 2014), from 0 to 1; it is 1 if the groups differ and the values within each group are equal.

    The rank sums of 1, 2, 3 and 4, 5, 6 are 6 and 15, so H = 12/42 · (36/3 + 225/3) - 21 = 27/7:

    >>> test = kruskal_wallis([np.array([1.0, 2.0, 3.0]), np.array([4.0, 5.0, 6.0])])
    >>> round(test.effect, 4), round(test.p, 4)  # epsilon squared 27/35
    (0.7714, 0.0495)
    """
    from scipy import stats as scipy_stats

    rounded = [np.round(group, DECIMALS) for group in groups]
    n = sum(map(len, rounded))
    if sum(len(group) > 0 for group in rounded) < max(2, len(rounded)):
        return TestResult("Kruskal-Wallis", n, None, None, untestable("fewer than two groups, or an empty one"))
    if np.ptp(np.concatenate(rounded)) == 0:
        return TestResult("Kruskal-Wallis", n, 0.0, None, untestable("all values are equal"))
    result = scipy_stats.kruskal(*rounded)
    return TestResult("Kruskal-Wallis", n, float(result.statistic / (n - 1)), float(result.pvalue))


def shapiro(values: Values) -> TestResult:
    """Test whether a sample comes from a normal distribution (Shapiro and Wilk 1965, as computed by Royston 1995).

    `values`: of shape (values,). The effect is W = (Σ aᵢ xᵢ)² / Σ (xᵢ - mean)², with the sorted values xᵢ and the weights aᵢ
    of a normal sample of that size; W is at most 1, and near 1 for a normal sample. Above 5,000 values p is approximate.

    The weights of three values are -√½, 0 and √½, so W of 0, 1, 3 is (3² / 2) / (14 / 3) = 27/28:

    >>> test = shapiro(np.array([0.0, 1.0, 3.0]))
    >>> round(test.effect, 4), round(test.p, 4)
    (0.9643, 0.6369)
    """
    from scipy import stats as scipy_stats

    n = len(values)
    if n < 3:
        return TestResult("Shapiro-Wilk", n, None, None, untestable("fewer than three values"))
    if np.ptp(np.round(values, DECIMALS)) == 0:
        return TestResult("Shapiro-Wilk", n, None, None, untestable("all values are equal"))
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "scipy.stats.shapiro: For N > 5000", UserWarning)
        result = scipy_stats.shapiro(values)
    return TestResult("Shapiro-Wilk", n, float(result.statistic), float(result.pvalue))
