"""Significance tests, effect sizes and intervals; each says why when a value cannot be computed."""

import itertools
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

Values = NDArray[np.float64]
EXACT_BELOW = 25
"""Discordant pairs below which McNemar's test is the exact binomial one."""
DECIMALS = 9
"""Differences are rounded first: float noise in values that should be equal breaks ties and moves Wilcoxon's p."""
EXACT_WILCOXON = 13
"""Differences up to which Wilcoxon's p counts all patterns of signs (8192): scipy then does so too if there are ties, but in
a Python loop, which takes the best part of a second."""
EXACT_SPEARMAN = 7
"""Pairs up to which the p of Spearman's rho is exact (5040 orders); the t approximation gives p = 0 for rho = ±1."""
MANY_UNITS = 5000
"""Units above which an interval of a mean is the normal one; the resamples of 5,000 units are 80 MB."""


@dataclass(frozen=True)
class Test:
    """A two-sided test: its name, the number of units (pairs if paired), effect size and p; `note`: why p is missing."""

    name: str
    n: int
    effect: float | None
    p: float | None
    note: str | None = None


def mcnemar(a: Values, b: Values) -> Test:
    """Test whether two agents are right on the same units equally often (paired 0/1 values).

    Exact below 25 discordant pairs, else chi-squared with continuity correction; without any, p = 1. The effect is
    Cohen's g: the share of the discordant pairs that a wins, minus 1/2.
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
    """Test whether paired values differ (Wilcoxon signed-rank, differences of zero dropped as Wilcoxon did).

    Exact up to 13 differences, and up to 50 if no two are of one size; else the normal approximation.
    The effect is the matched-pairs rank-biserial correlation: (rank sum of a's wins - of its losses) / their total.
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
    """Test whether groups have the same variance: Levene's test centred on the median (Brown and Forsythe 1974).

    That is an analysis of variance of the values' absolute deviations from their group's median. The effect is its eta
    squared, the share of the deviations' sum of squares that lies between the groups. Empty groups are left out.
    Where fewer than half the values of a group are 1 and the others 0, its deviations are the values themselves, so that
    on 0/1 values the test compares the groups' means.
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
    """Test whether values of one sample tend to be larger than those of another, independent one (Mann-Whitney U).

    Exact for samples of up to 8 values without ties, else the normal approximation with continuity correction. The effect
    is the rank-biserial correlation: P(a > b) - P(a < b) for a value of each sample.
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
    """Test whether two independent samples come from one distribution (two-sample Kolmogorov-Smirnov).

    Exact for samples of up to 10,000 values, as scipy chooses. The effect is the largest distance between the two empirical
    distribution functions.
    """
    from scipy import stats as scipy_stats

    n = len(a) + len(b)
    if len(a) == 0 or len(b) == 0:
        return Test("Kolmogorov-Smirnov", n, None, None, "not testable: a sample is empty")
    result = scipy_stats.ks_2samp(a, b)
    return Test("Kolmogorov-Smirnov", n, float(result.statistic), float(result.pvalue))


def spearman(x: Values, y: Values) -> Test:
    """Test whether two variables of the same units rise together; the effect is Spearman's rho, ties at mean ranks.

    The p-value is exact up to 7 units, from the t distribution with n - 2 degrees of freedom above.
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
    """Adjust p-values for their number by Holm's step-down method; missing ones stay missing and do not count."""
    from statsmodels.stats.multitest import multipletests

    known = [p for p in p_values if p is not None]
    adjusted = iter(multipletests(known, method="holm")[1] if known else ())
    return [None if p is None else float(next(adjusted)) for p in p_values]


@dataclass(frozen=True)
class Interval:
    """A confidence interval of a mean: the number of units and the bounds; `note` says why the bounds are missing."""

    n: int
    low: float | None
    high: float | None
    note: str | None = None


def bootstrap_interval(values: Values, seed: int, level: float = 0.95, draws: int = 2000) -> Interval:
    """Return the percentile bootstrap interval of the mean of `values` (one per unit), the same for the same seed.

    Samples of one size share their draws: many of them, as of all agents on one relation, take a matrix product each.
    Above MANY_UNITS it is the normal interval, to which the bootstrap's converges, at no cost in memory.
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


@lru_cache(maxsize=4)  # of 700 units: 11 MB each
def resampled_shares(n: int, seed: int, draws: int = 2000) -> Values:
    """Return a row per resample of n units with replacement: the share of the resample that each unit makes up."""
    picked = np.random.default_rng(seed).integers(n, size=(draws, n)) + n * np.arange(draws)[:, None]
    shares: Values = np.bincount(picked.ravel(), minlength=draws * n).reshape(draws, n) / n
    shares.flags.writeable = False  # it is shared by all callers
    return shares


def shapiro(values: Values) -> Test:
    """Test whether a sample may be drawn from a normal distribution (Shapiro-Wilk); the effect is W, 1 for a normal one.

    Above 5,000 values p is approximate.
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
    """Test whether values of some groups tend to be larger than those of others (Kruskal-Wallis H, corrected for ties).

    p is that of the chi-squared distribution. The effect is epsilon squared, H / (n - 1): 0 for no difference, 1 for groups
    that do not overlap.
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
