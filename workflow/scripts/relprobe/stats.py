"""Significance tests and effect sizes for paired samples; each says why when a p-value cannot be computed."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import stats as scipy_stats
from statsmodels.stats.contingency_tables import mcnemar as statsmodels_mcnemar
from statsmodels.stats.multitest import multipletests

Values = NDArray[np.float64]
EXACT_BELOW = 25
"""Discordant pairs below which McNemar's test is the exact binomial one."""
DECIMALS = 9
"""Differences are rounded first: float noise in values that should be equal breaks ties and moves Wilcoxon's p."""


@dataclass(frozen=True)
class Test:
    """A two-sided test: its name, the number of pairs, effect size and p; `note` says why p is missing."""

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

    The effect is the matched-pairs rank-biserial correlation: (rank sum of a's wins - of its losses) / their total.
    """
    difference = np.round(a - b, DECIMALS)
    nonzero = difference[difference != 0]
    if len(a) == 0:
        return Test("Wilcoxon", 0, None, None, "no unit in common")
    if len(nonzero) == 0:
        return Test("Wilcoxon", len(a), 0.0, None, "not testable: all pairs are equal")
    ranks = scipy_stats.rankdata(np.abs(nonzero))
    effect = float((ranks * np.sign(nonzero)).sum() / ranks.sum())
    return Test("Wilcoxon", len(a), effect, float(scipy_stats.wilcoxon(nonzero, zero_method="wilcox").pvalue))


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """Adjust p-values for their number by Holm's step-down method; missing ones stay missing and do not count."""
    known = [p for p in p_values if p is not None]
    adjusted = iter(multipletests(known, method="holm")[1] if known else ())
    return [None if p is None else float(next(adjusted)) for p in p_values]
