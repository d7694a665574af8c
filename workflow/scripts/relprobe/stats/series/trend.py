"""The trend of agents in an order, and the comparison of each with the last; the unit of chance is the cluster."""

from collections.abc import Iterable, Iterator

import numpy as np

from relprobe.stats.permutation import EXACT_CLUSTERS, FLIPS, Exchanges, random_exchanges
from relprobe.stats.results import DECIMALS, Values


def slope_weights(members: int) -> Values:
    """Return the weights that make the slope of a line through the values of so many members, of shape (members,).

    The members stand at 1, 2, 3, …, their ranks on an axis such as the steps of a training. The slope of the line with the
    least squared distance is Σ (r - r̄) v / Σ (r - r̄)²: by how much a value changes from one member to the next. The weights
    add up to 0. They change their sign if the order of the members is turned round, so that the slope of members whose order
    does not matter is as often below 0 as above it, and its test by signs (`sign_flip`) is exact. ValueError: there are
    fewer than two members.

    The values 1, 2 and 6 rise by 5 in two steps:

    >>> slope_weights(3).tolist(), float(slope_weights(3) @ [1, 2, 6])
    ([-0.5, 0.0, 0.5], 2.5)
    """
    if members < 2:
        raise ValueError("a trend needs two members: give more")
    ranks = np.arange(members) - (members - 1) / 2
    weights: Values = ranks / (ranks**2).sum()
    return weights


def max_t(sums: Values, seed: int) -> Values:
    """Test all columns at once, and return p adjusted for their number by the step-down max-T method, of shape (columns,).

    `sums`: the sum of the paired differences of each cluster, of shape (clusters, columns), as in `sign_flip`; a column is,
    for example, the comparison of one checkpoint with the last. T of a column is |Σ d| / √Σ d²; random signs of the clusters
    change Σ d alone. All columns take the same signs, so that the null distribution knows how much they depend on each
    other: a hundred checkpoints that are nearly equal count as little more than one, where Holm's method multiplies p by a
    hundred. Up to 15 clusters all patterns of signs are counted, and above that 10,000 random ones, as in `sign_flip`; the p
    of a single column is that of `sign_flip`. The adjustment is `step_down`. The p of a column without any difference is 1.

    Of the clusters 3, 2, 1 and 3, -2, 1, T is 6/√14 and 2/√14. Of the four patterns that begin with +, + + + and + - + reach
    6 in one of the two columns, so p of the first is 2/4. All but + + - reach 2 in the second:

    >>> max_t(np.array([[3.0, 3.0], [2.0, -2.0], [1.0, 1.0]]), seed=1).tolist()
    [0.5, 0.75]
    """
    sums = np.round(sums, DECIMALS)
    adjusted = np.ones(sums.shape[1])
    rows, columns = (sums != 0).any(axis=1), (sums != 0).any(axis=0)
    if columns.any():
        tested = sums[rows][:, columns]
        scaled = tested / np.sqrt((tested**2).sum(axis=0))
        exact = len(tested) <= EXACT_CLUSTERS
        patterns = _all_patterns(len(tested)) if exact else random_exchanges(len(tested), seed, FLIPS)
        null = ((1.0 - 2.0 * flipped) @ scaled for flipped in patterns)
        adjusted[columns] = step_down(scaled.sum(axis=0), null, exact=exact)
    return adjusted


def _all_patterns(clusters: int) -> Iterator[Exchanges]:
    """Yield all patterns of signs; the first sign is held, as the other half mirrors this one."""
    yield (np.arange(2 ** (clusters - 1))[:, None] >> np.arange(clusters) & 1).astype(bool)


def step_down(observed: Values, null: Iterable[Values], *, exact: bool = False) -> Values:
    """Return p adjusted for the number of statistics by the step-down max-T method (Westfall and Young 1993, page 66).

    `observed`: of shape (columns,). `null`: the same statistics if all null hypotheses are true, in parts of shape (some
    draws, columns). The columns are sorted by |T|, so that |T1| ≥ |T2| ≥ …. p of Ti is the share of the draws in which any
    of the columns from i on is at least |Ti| from zero, and it is at least p of the column before it. With random draws a
    share is (1 + number as far) / (1 + number of draws); `exact`: the draws are all that there can be. The chance of any
    false finding is at most 0.05 if p < 0.05 counts as one.

    T is 3 and 2. In one of four draws any column reaches 3, and in two the second one reaches 2:

    >>> step_down(np.array([3.0, -2.0]), [np.array([[3.0, 2.0], [0.0, 1.0], [1.0, 2.0], [0.0, 0.0]])], exact=True).tolist()
    [0.25, 0.5]
    """
    order = np.argsort(-np.abs(observed), kind="stable")
    least = np.abs(observed[order]) - 1e-7  # up to the noise of floats
    as_far, draws = np.zeros(len(order)), 0
    for part in null:
        from_here_on = np.maximum.accumulate(np.abs(part[:, order[::-1]]), axis=1)[:, ::-1]
        as_far += (from_here_on >= least).sum(axis=0)
        draws += len(part)
    shares = as_far / draws if exact else (1 + as_far) / (1 + draws)
    adjusted = np.empty(len(order))
    adjusted[order] = np.maximum.accumulate(shares)
    return adjusted
