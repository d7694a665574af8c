"""Significance tests with effect sizes, Holm's adjustment, and confidence intervals of means.

All tests are two-sided. A value that cannot be computed is None, and `note` says why. scipy and statsmodels take a second to
import, so the functions import them.
"""

import itertools
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

Values = NDArray[np.float64]
EXACT_BELOW = 25
"""Below this number of discordant pairs McNemar's test is the exact binomial test."""
DECIMALS = 9
"""Values are rounded to this number of decimals before they are ranked. Without that, float noise breaks ties between values
that should be equal: it moved a p of Wilcoxon's test from 0.014 to 0.0003."""
EXACT_WILCOXON = 13
"""Up to this number of differences Wilcoxon's p is counted over all patterns of signs (2¹³ = 8192). scipy also counts them
where there are ties, but in a Python loop that takes nearly a second."""
EXACT_SPEARMAN = 7
"""Up to this number of units the p of Spearman's rho is exact (7! = 5040 orders). The t distribution would give p = 0 for a
rho of 1."""
MANY_UNITS = 5000
"""Above this number of units the interval of a mean is the normal one; the resamples of 5,000 units take 80 MB."""


@dataclass(frozen=True)
class Test:
    """The result of a two-sided test.

    `n` is the number of units; for a paired test it is the number of pairs. `p` lies between 0 and 1. If `p` is None, `note`
    says why; otherwise `note` is None.
    """

    name: str
    n: int
    effect: float | None
    p: float | None
    note: str | None = None


def mcnemar(a: Values, b: Values) -> Test:
    """Test whether two agents are right equally often on the same units (McNemar 1947).

    `a`, `b`: 0 or 1 per unit, of shape (units,). With w units that only a has right and l units that only b has right, p is
    that of the exact binomial test of w successes in w + l trials if w + l < 25, else that of chi-squared = (|w - l| - 1)² /
    (w + l) with 1 degree of freedom (Edwards' continuity correction). If w + l = 0, p is 1. The effect is Cohen's
    g = w / (w + l) - 1/2 (Cohen 1988, chapter 5), from -1/2 to 1/2.

    Here w = 3 and l = 1, so p = 2 · (1 + 4) / 2⁴:

    >>> mcnemar(np.array([1, 1, 1, 0, 1, 0]), np.array([0, 0, 0, 1, 1, 0]))
    Test(name='McNemar', n=6, effect=0.25, p=0.625, note=None)
    """
    from statsmodels.stats.contingency_tables import mcnemar as statsmodels_mcnemar

    wins, losses = int(np.sum((a == 1) & (b == 0))), int(np.sum((a == 0) & (b == 1)))
    if len(a) == 0:
        return Test("McNemar", 0, None, None, "no unit in common")
    if wins + losses == 0:
        return Test("McNemar", len(a), 0.0, 1.0)
    exact = wins + losses < EXACT_BELOW
    result = statsmodels_mcnemar([[0, wins], [losses, 0]], exact=exact)
    return Test("McNemar", len(a), wins / (wins + losses) - 0.5, float(result.pvalue))


def wilcoxon(a: Values, b: Values) -> Test:
    """Test whether the differences of paired values are symmetric about zero (Wilcoxon 1945, signed ranks).

    `a`, `b`: a value per unit, of shape (units,). Differences of zero are dropped, as Wilcoxon did. The others are ranked by
    size, ties at their mean rank; W+ and W- are the rank sums of the positive and the negative ones. p is exact up to 13
    differences, and up to 50 if no two have the same size; else it is that of the normal approximation. The effect is the
    matched-pairs rank-biserial correlation (W+ - W-) / (W+ + W-) (Kerby 2014), from -1 to 1.

    The differences 1, -2, 3, 4 have W+ = 8 and W- = 2. Of the 16 patterns of signs, 6 have W+ of at least 8 or at most 2:

    >>> wilcoxon(np.array([1.0, 0.0, 3.0, 4.0]), np.array([0.0, 2.0, 0.0, 0.0]))
    Test(name='Wilcoxon', n=4, effect=0.6, p=0.375, note=None)
    """
    from scipy import stats as scipy_stats

    difference = np.round(a - b, DECIMALS)
    nonzero = difference[difference != 0]
    if len(a) == 0:
        return Test("Wilcoxon", 0, None, None, "no unit in common")
    if len(nonzero) == 0:
        return Test("Wilcoxon", len(a), 0.0, None, "not testable: all pairs are equal")
    ranks = scipy_stats.rankdata(np.abs(nonzero))
    effect = float((ranks * np.sign(nonzero)).sum() / ranks.sum())
    if len(nonzero) <= EXACT_WILCOXON:
        patterns = 1 - 2 * (np.arange(2 ** len(nonzero))[:, None] >> np.arange(len(nonzero)) & 1)
        p = float(np.mean(np.abs(patterns @ ranks) / ranks.sum() >= abs(effect) - 10.0**-DECIMALS))
    else:
        p = float(scipy_stats.wilcoxon(nonzero, zero_method="wilcox").pvalue)
    return Test("Wilcoxon", len(a), effect, p)


def levene(groups: Sequence[Values]) -> Test:
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
        return Test("Levene", n, None, None, "not testable: fewer than two groups")
    deviations = [np.round(np.abs(group - np.median(group)), DECIMALS) for group in filled]
    if all(np.ptp(group) == 0 for group in deviations):
        constant = all(np.ptp(group) == 0 for group in filled)
        reason = (
            "every group is constant" if constant else "the deviations from the median do not vary within any group"
        )
        return Test("Levene", n, None, None, f"not testable: {reason}")
    within = sum(float(((group - group.mean()) ** 2).sum()) for group in deviations)
    pooled = np.concatenate(deviations)
    between = max(float(((pooled - pooled.mean()) ** 2).sum()) - within, 0.0)
    df = len(filled) - 1, n - len(filled)
    p = float(scipy_stats.f.sf((between / df[0]) / (within / df[1]), *df))
    return Test("Levene", n, between / (between + within), p)


def mann_whitney(a: Values, b: Values) -> Test:
    """Test whether the values of one of two independent samples tend to be larger (Mann and Whitney 1947, U test).

    `a`, `b`: the values of each sample; their numbers may differ. U counts the pairs of a value of each sample in which that
    of a is larger, ties as 1/2. p is exact if a sample has up to 8 values and there are no ties, else that of the normal
    approximation with continuity correction. The effect is the rank-biserial correlation 2 U / (len(a) · len(b)) - 1
    = P(a > b) - P(a < b) (Cureton 1956), from -1 to 1.

    a wins all 9 pairs. Of the 6! / (3! 3!) = 20 orders of the values, 2 are as extreme:

    >>> mann_whitney(np.array([4.0, 5.0, 6.0]), np.array([1.0, 2.0, 3.0]))
    Test(name='Mann-Whitney', n=6, effect=1.0, p=0.1, note=None)
    """
    from scipy import stats as scipy_stats

    n = len(a) + len(b)
    if len(a) == 0 or len(b) == 0:
        return Test("Mann-Whitney", n, None, None, "not testable: a sample is empty")
    first, second = np.round(a, DECIMALS), np.round(b, DECIMALS)
    if np.ptp(np.concatenate([first, second])) == 0:
        return Test("Mann-Whitney", n, 0.0, None, "not testable: all values are equal")
    result = scipy_stats.mannwhitneyu(first, second, alternative="two-sided")
    return Test("Mann-Whitney", n, float(2 * result.statistic / (len(a) * len(b)) - 1), float(result.pvalue))


def kolmogorov_smirnov(a: Values, b: Values) -> Test:
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
        return Test("Kolmogorov-Smirnov", n, None, None, "not testable: a sample is empty")
    result = scipy_stats.ks_2samp(a, b)
    return Test("Kolmogorov-Smirnov", n, float(result.statistic), float(result.pvalue))


def spearman(x: Values, y: Values) -> Test:
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
        return Test("Spearman", len(x), None, None, "not testable: fewer than three units")
    ranks = [scipy_stats.rankdata(np.round(values, DECIMALS)) - (len(x) + 1) / 2 for values in (x, y)]
    scale = float(np.sqrt((ranks[0] ** 2).sum() * (ranks[1] ** 2).sum()))
    if scale == 0:
        return Test("Spearman", len(x), None, None, "not testable: a variable is constant")
    rho = float(np.clip(ranks[0] @ ranks[1] / scale, -1, 1))
    if len(x) <= EXACT_SPEARMAN:
        orders = np.array(list(itertools.permutations(ranks[1]))) @ ranks[0] / scale
        return Test("Spearman", len(x), rho, float(np.mean(np.abs(orders) >= abs(rho) - 10.0**-DECIMALS)))
    df = len(x) - 2
    t = abs(rho) * np.sqrt(df / max(1 - rho**2, np.finfo(float).eps))
    return Test("Spearman", len(x), rho, float(2 * scipy_stats.t.sf(t, df)))


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """Adjust p-values for their number by Holm's step-down method (Holm 1979).

    The i-th smallest of m p-values becomes the largest of min(1, (m - j + 1) · p_j) for j = 1 … i. A missing p-value stays
    None and does not count in m. The order is kept.

    >>> [None if p is None else round(p, 6) for p in holm([0.04, 0.01, None, 0.02])]  # 1 · 0.04, 3 · 0.01, 2 · 0.02
    [0.04, 0.03, None, 0.04]
    """
    present = np.array([p for p in p_values if p is not None])
    order = np.argsort(present)
    factors = np.arange(len(present), 0, -1)
    adjusted = np.empty(len(present))  # statsmodels' multipletests collects garbage at every call: 60 ms each
    adjusted[order] = np.minimum(np.maximum.accumulate(present[order] * factors), 1)
    values = iter(adjusted.tolist())
    return [None if p is None else next(values) for p in p_values]


@dataclass(frozen=True)
class Interval:
    """A confidence interval of a mean over `n` units. If its bounds are None, `note` says why."""

    n: int
    low: float | None
    high: float | None
    note: str | None = None


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


def shapiro(values: Values) -> Test:
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
        return Test("Shapiro-Wilk", n, None, None, "not testable: fewer than three values")
    if np.ptp(np.round(values, DECIMALS)) == 0:
        return Test("Shapiro-Wilk", n, None, None, "not testable: all values are equal")
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "scipy.stats.shapiro: For N > 5000", UserWarning)
        result = scipy_stats.shapiro(values)
    return Test("Shapiro-Wilk", n, float(result.statistic), float(result.pvalue))


def kruskal_wallis(groups: Sequence[Values]) -> Test:
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
        return Test("Kruskal-Wallis", n, None, None, "not testable: fewer than two groups, or an empty one")
    if np.ptp(np.concatenate(rounded)) == 0:
        return Test("Kruskal-Wallis", n, 0.0, None, "not testable: all values are equal")
    result = scipy_stats.kruskal(*rounded)
    return Test("Kruskal-Wallis", n, float(result.statistic / (n - 1)), float(result.pvalue))
