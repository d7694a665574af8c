"""Tests against a control that does not answer, but has a known chance of the right answer: the chance level of a guess.

The value of such a control is no answer, but an expectation, such as 1 / L for a guess among L candidates. An agent of 0 and
1 beside it cannot be tested by random signs: of 18 wrong answers all differences are small and negative, so that all signs
agree, though a guess often has no right answer of 18. The number of right answers of a guess has a known distribution, the
Poisson binomial distribution of its chances. Its mid-p (Lancaster 1961) is the p of independent units.

Units that depend on each other vary more or less together. As Rao and Scott (1992, "A simple method for the analysis of
clustered binary data", Biometrics 48) do, the test divides its statistic by the root of the design effect, which is here
that of the linked units or of the clusters, and at least 1.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from relprobe.stats.intervals import FEW
from relprobe.stats.linked import Links
from relprobe.stats.results import Values

Starts = NDArray[np.int64]
NOISE = 1e-9
"""Differences up to this size are noise of floats."""
EXACT_UNITS = 1000
"""With more units, the distribution of the number of right answers is taken as normal."""
STEPS = 24
"""The odds that are tried on each side of an estimate, before the bound is sought between two of them."""


@dataclass(frozen=True)
class Design:
    """How much more the units vary together than independent ones would: a design effect of at least 1.

    `freedom`: the degrees of freedom of its estimate; t of so many takes the place of the normal where `effect` is above 1.
    """

    effect: float = 1.0
    freedom: float = np.inf

    def p(self, independent: float) -> float:
        """Return p of units that depend on each other, from the p that it would be of independent ones.

        >>> Design().p(0.04), round(Design(4.0).p(0.04), 3)  # half of the normal quantile of 0.02, 2.054
        (0.04, 0.304)
        """
        from scipy.stats import norm, t

        if self.effect <= 1 or not 0 < independent < 1:
            return independent
        quantile = norm.isf(independent / 2) / np.sqrt(self.effect)
        return float(2 * (t.sf(quantile, self.freedom) if np.isfinite(self.freedom) else norm.sf(quantile)))


INDEPENDENT = Design()


@dataclass(frozen=True)
class Dependence:
    """Which units depend on each other: `items`, the item of each unit from 0 on, (units,), and what links the items.

    `links`: those of the items; None: `clusters`, the cluster of each item from 0 on, (items,).
    """

    items: Starts
    clusters: Starts
    links: Links | None

    def sums(self, values: Values) -> Values:
        """Return the sum of the values of each item, (units,) -> (items,)."""
        return np.bincount(self.items, values).astype(float)

    def item_means(self, values: Values) -> Values:
        """Return the mean of the values of each item, (units,) -> (items,)."""
        means: Values = self.sums(values) / np.bincount(self.items)
        return means

    def mean(self, values: Values) -> float:
        """Return the mean over items of values of units."""
        return float(self.item_means(values).mean())

    def few(self, values: Values) -> bool:
        """Return whether fewer than FEW clusters (of linked items: items) have any value above 0, or any below 1."""
        item_sums = [self.sums(side) for side in (values, 1 - values)]
        if self.links is None:
            item_sums = [np.bincount(self.clusters, sums).astype(float) for sums in item_sums]
        return bool(min((sums > NOISE).sum() for sums in item_sums) < FEW)

    def design(self, agent: Values, chances: Values) -> Design:
        """Return the design effect of an agent's answers beside their chances: their variance over that of independent ones.

        It is at least 1. If fewer than FEW items or clusters have any right answer, or any wrong one, the answers say too
        little of it; it is then at least what it would be if all units that depend on each other were alike.
        """
        n, off = len(agent), agent - chances - (agent - chances).mean()
        independent = float(off @ off)
        sums = self.sums(off)
        if self.links is None:
            cluster_sums, sizes = np.bincount(self.clusters, sums), np.bincount(self.clusters)
            together, effective = float(cluster_sums @ cluster_sums), float(sizes.sum() ** 2 / (sizes**2).sum())
        else:
            together, effective = float(sums @ (self.links.matrix @ sums)), self.links.effective
        least = n / effective if self.few(agent) else 1.0
        measured = independent > NOISE and effective > 1
        effect = together / independent * effective / (effective - 1) * (n - 1) / n if measured else least
        if max(effect, least) < 1 + NOISE:
            return INDEPENDENT
        return Design(max(effect, least), max(effective - 1, 1.0))


def chance_p(right: float, chances: Values, design: Design = INDEPENDENT) -> float:
    """Test whether a number of right answers is that of a guess with these chances, (units,); return the two-sided mid-p.

    p is twice the smaller of two chances: that of fewer right answers, and that of more, each with half the chance of as
    many. Half of it, as otherwise p of few units is too large: the test would hardly ever call a guess different (Lancaster
    1961). The tails count apart, as all that is unlikely lies in the upper one where chances are small. A number that is not
    whole, as of an agent with ties, has the tail between its neighbours' in proportion. With more than EXACT_UNITS units the
    number is taken as normal.

    Of three units with the chance 1/2, more than 3 right answers have no chance, and 3 have 1/8:

    >>> chance_p(3.0, np.full(3, 0.5))
    0.125
    """
    from scipy.stats import norm

    spread = float((chances * (1 - chances)).sum())
    if spread <= 0:
        return 1.0
    if len(chances) > EXACT_UNITS:
        return design.p(float(2 * norm.sf(abs(right - chances.sum()) / np.sqrt(spread))))
    likely = numbers_of_right(chances)
    floor = int(np.clip(np.floor(right), 0, len(chances)))
    neighbours = (floor, min(floor + 1, len(chances)))
    lower = [float(likely[:number].sum() + likely[number] / 2) for number in neighbours]
    upper = [float(likely[number + 1 :].sum() + likely[number] / 2) for number in neighbours]
    tail = min(float(np.interp(right - floor, [0.0, 1.0], tails)) for tails in (lower, upper))
    return design.p(min(2 * tail, 1.0))


def numbers_of_right(chances: Values) -> Values:
    """Return the chance of each number of right answers from 0 on: the Poisson binomial distribution, (units + 1,).

    >>> numbers_of_right(np.array([0.5, 0.25])).tolist()
    [0.375, 0.5, 0.125]
    """
    likely: Values = np.ones(1)
    for chance in chances.tolist():  # scipy's poisson_binom takes 20 times as long for 300 units
        likely = np.convolve(likely, [1 - chance, chance])
    return likely


def chance_interval(
    right: float, chances: Values, design: Design = INDEPENDENT, level: float = 0.95
) -> tuple[float, float]:
    """Return the interval of the share of right answers less the mean chance.

    A right answer may be likelier than by a guess: its odds are those of the chance times a factor, the same in all
    units. The interval goes from the smallest factor to the largest that `chance_p` does not reject. So it has a width
    for any answers, also of none or only right ones, and it holds 0 if p is not below 0.05. The chances lie between 0 and 1.

    No right answer to 18 questions with four candidates each: a share from 0 to 0.15, less 1/4:

    >>> low, high = chance_interval(0.0, np.full(18, 0.25))
    >>> round(low, 2), round(high + 0.25, 2)
    (-0.25, 0.15)
    """
    base = np.log(chances) - np.log1p(-chances)

    def share(factor: float) -> Values:
        scaled: Values = 1 / (1 + np.exp(-(base + factor)))
        return scaled

    def is_inside(factor: float) -> bool:
        return chance_p(right, share(factor), design) >= 1 - level

    mean, n = float(chances.mean()), len(chances)
    low = 0.0 if right <= 0 else float(share(_bound(right, share, is_inside, -1)).mean())
    high = 1.0 if right >= n else float(share(_bound(right, share, is_inside, 1)).mean())
    return low - mean, high - mean


def _bound(right: float, share: Callable[[float], Values], is_accepted: Callable[[float], bool], side: int) -> float:
    """Return the outermost factor on one side (-1 below, 1 above) of the best one that `is_accepted`."""
    from scipy.optimize import brentq

    n = len(share(0.0))
    target = np.clip(right, 0.25, n - 0.25)  # without any right answer, the best factor would be minus infinity
    best = float(brentq(lambda factor: share(factor).sum() - target, -50, 50))
    reach = 1.0
    while is_accepted(best + side * reach) and reach < 64:
        reach *= 2
    grid = best + side * np.linspace(reach, 0, STEPS)
    inner = next((index for index, factor in enumerate(grid) if is_accepted(factor)), STEPS - 1)
    outside, inside = float(grid[max(inner - 1, 0)]), float(grid[inner])
    for _ in range(12):
        middle = (outside + inside) / 2
        outside, inside = (outside, middle) if is_accepted(middle) else (middle, inside)
    return inside


@dataclass(frozen=True)
class ExpectationTest:
    """The test of an agent against a control whose values are expectations, not answers.

    `p`: the p of the control's own chance; `interval`: that of agent minus control; `error`: the standard error. `replaces`:
    they replace the other test, as the control answers nowhere; else they bound it: p is no smaller, and the interval no
    narrower than this.
    """

    p: float
    interval: tuple[float, float]
    error: float
    replaces: bool


def expectations(agent: Values, control: Values, dependence: Dependence, *, binary: bool) -> ExpectationTest | None:
    """Return what the values of an agent and a control say as expectations, or None if they are answers.

    `agent`, `control`: the values of the units that both have, from 0 to 1, (units,). `binary`: an answer is 0 or 1, so that
    any value between is an expectation. If all of the control are, as of a guess, the test is `chance_p`. If some of either
    are, as of tied answers, they vary by e (1 - e) each, once per item: the difference is not told from 0 if this alone may
    make it. So an agent whose answers all tie is not ahead of a control without any right answer. Of metrics whose answers
    lie between 0 and 1 themselves this counts only where the agent's values say nothing of how they vary, as fewer than FEW
    items have any above 0, or any below 1, and for the control's values alone.

    Ten answers, each of which ties with nine others, beside ten wrong ones: 0.1 ± √(0.1 · 0.9 / 10).

    >>> units = np.arange(10)
    >>> test = expectations(np.full(10, 0.1), np.zeros(10), Dependence(units, units, None), binary=True)
    >>> round(test.error, 3), round(test.p, 2)
    (0.095, 0.29)
    """
    agent_between, control_between = ((values > NOISE) & (values < 1 - NOISE) for values in (agent, control))
    agent_between &= binary
    if not (agent_between | control_between).any() or not (binary or dependence.few(agent)):
        return None
    difference = dependence.mean(agent - control)
    if binary and control_between.all():
        design = dependence.design(agent, control)
        right, n = float(agent.sum()), len(agent)
        low, high = chance_interval(right, control, design)
        shift = difference - float((agent - control).mean())  # items with more units count as others
        error = float(np.sqrt((control * (1 - control)).sum() * design.effect)) / n
        return ExpectationTest(chance_p(right, control, design), (low + shift, high + shift), error, replaces=True)
    variance, items = 0.0, 0
    for values, between in ((agent, agent_between), (control, control_between)):
        means = dependence.item_means(np.where(between, values, 0.0))
        variance, items = variance + float((means * (1 - means)).sum()), len(means)
    error = float(np.sqrt(variance)) / items
    return ExpectationTest(*_normal(difference, error), error, replaces=False)


def _normal(difference: float, error: float, level: float = 0.95) -> tuple[float, tuple[float, float]]:
    """Return the two-sided p and the interval of a difference with a known error."""
    from scipy.stats import norm

    half_width = float(norm.ppf((1 + level) / 2)) * error
    return float(2 * norm.sf(abs(difference) / error)), (difference - half_width, difference + half_width)
