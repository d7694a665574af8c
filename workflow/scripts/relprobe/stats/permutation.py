"""Permutation tests whose unit of chance is the cluster: values of one cluster may depend on each other."""

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from relprobe.stats.resampling import CELLS
from relprobe.stats.results import DECIMALS, Values

EXACT_CLUSTERS = 15
"""Up to this number of clusters all 2¹⁵ = 32,768 patterns of signs are counted."""
FLIPS = 10_000
Exchanges = NDArray[np.bool_]


def sign_flip(sums: Values, seed: int, flips: int = FLIPS) -> Values:
    """Test for each column whether the sums of its clusters are centred on zero; return p, of shape (columns,).

    `sums`: the sum of the paired differences of each cluster, of shape (clusters, columns); it is 0 if a column lacks a
    cluster. A column is, for example, a pair of agents. If two agents are equal, each cluster's difference might as well
    have the other sign. p is the share of the patterns of signs whose total is at least as far from zero as the observed
    one. Up to 15 clusters that are not zero all patterns are counted. Above that, p = (1 + number as far) / (1 + `flips`)
    over random patterns (Phipson and Smyth 2010). All columns share the patterns, and so take one matrix product. The p of
    a column without any difference is 1.

    The sums 3, 2, 1 are all positive. Of the 8 patterns, + + + and - - - have a total as far from zero:

    >>> sign_flip(np.array([[3.0], [2.0], [1.0]]), seed=1).tolist()
    [0.25]
    """
    sums = np.round(sums, DECIMALS)
    p = np.ones(sums.shape[1])
    filled = (sums != 0).sum(axis=0)
    few, many = (filled > 0) & (filled <= EXACT_CLUSTERS), filled > EXACT_CLUSTERS
    if few.any():
        p[few] = _all_patterns(sums[:, few])
    if many.any():
        p[many] = _random_patterns(sums[:, many], seed, flips)  # with zeros: p does not depend on the other columns
    return p


def _all_patterns(sums: Values) -> Values:
    """Return p of columns with up to 15 sums that are not 0. The first sign is held: the other half mirrors this one."""
    width = int((sums != 0).sum(axis=0).max())
    nonzero = np.zeros((width, sums.shape[1]))  # a row of zeros doubles all patterns, and so leaves the share as it is
    for column, values in enumerate(sums.T):
        present = values[values != 0]
        nonzero[: len(present), column] = present
    patterns = 1.0 - 2.0 * (np.arange(2 ** (width - 1))[:, None] >> np.arange(width) & 1)
    return _as_far(patterns @ nonzero, nonzero.sum(axis=0)) / len(patterns)


def _random_patterns(sums: Values, seed: int, flips: int) -> Values:
    total = sums.sum(axis=0)
    as_far = np.zeros(sums.shape[1])
    for flipped in random_exchanges(len(sums), seed, flips):
        as_far += _as_far(total - 2 * (flipped.astype(float) @ sums), total)
    return (1 + as_far) / (1 + flips)


def _as_far(totals: Values, observed: Values) -> Values:
    """Count the rows whose value is as far from zero as the observed one, up to the noise of floats."""
    return (np.abs(totals) >= np.abs(observed) - 1e-7).sum(axis=0).astype(float)


def random_exchanges(clusters: int, seed: int, draws: int) -> Iterator[Exchanges]:
    """Yield random patterns of shape (some draws, clusters), with `draws` rows in all: True with the chance 1/2."""
    generator = np.random.default_rng(seed)
    rows = max(CELLS // clusters, 1)
    for start in range(0, draws, rows):
        count = min(rows, draws - start)
        octets = generator.integers(256, size=(count, -(-clusters // 8)), dtype=np.uint8)
        yield np.unpackbits(octets, axis=1, count=clusters).astype(bool)


def exchange_test(statistic: Callable[[Exchanges], Values], clusters: int, seed: int, draws: int = FLIPS) -> float:
    """Test the difference between two agents in a statistic that is no mean, such as AuDC; return the two-sided p.

    `statistic`: takes patterns of shape (k, clusters), True where the two agents exchange their values of a cluster, and
    returns the k differences of the statistic, a minus b. If the agents are equal, every pattern is as likely as the one
    without exchanges, which was observed. p is counted as in `sign_flip`; all patterns up to 15 clusters.

    The ranges of a and b differ by (5 - 1) - (3 - 2) = 3. The other exchanges give 1, -1 and -3, so p is 2 / 4:

    >>> a, b = np.array([1.0, 5.0]), np.array([2.0, 3.0])
    >>> exchange_test(lambda swap: np.ptp(np.where(swap, b, a), axis=1) - np.ptp(np.where(swap, a, b), axis=1), 2, seed=1)
    0.5
    """
    observed = statistic(np.zeros((1, clusters), dtype=bool))
    if clusters <= EXACT_CLUSTERS:
        patterns = (np.arange(2**clusters)[:, None] >> np.arange(clusters) & 1).astype(bool)
        return float(_as_far(statistic(patterns)[:, None], observed)[0]) / len(patterns)
    as_far = sum(
        float(_as_far(statistic(pattern)[:, None], observed)[0]) for pattern in random_exchanges(clusters, seed, draws)
    )
    return (1 + as_far) / (1 + draws)


def null_p(observed: float, null: Values) -> float:
    """Return the one-sided p of a statistic by its values under the null hypothesis: the chance of as much.

    `null`: the statistic after random permutations of the labels that do not matter under the null hypothesis, of shape
    (draws,). p = (1 + number of them at least as large) / (1 + draws) (Phipson and Smyth 2010).

    >>> null_p(0.9, np.array([0.1, 0.9, 0.3, 0.2]))  # (1 + 1) / (1 + 4)
    0.4
    """
    return float(1 + (null >= observed - 10.0**-DECIMALS).sum()) / (1 + len(null))
