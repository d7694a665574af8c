"""How high a ranking puts what is right: average precision and reciprocal rank, where scores may tie.

The functions take the score of each item, (items,), without NaN, and whether it is right, (items,).
"""

import numpy as np
from numpy.typing import NDArray

from relprobe.stats.results import Values

Flags = NDArray[np.bool_]


def average_precision(scores: Values, right: Flags) -> float:
    """Return Σ (Rₙ - Rₙ₋₁) Pₙ over the different scores from the highest, with recall R and precision P at each score.

    So equal scores are passed at once: what ties with many foils has the precision of all of them, and not that of a lucky
    order. It is scikit-learn's `average_precision_score`. ValueError: nothing is right.

    Two of three items are right. The best one is, and the others tie: 1/2 · 1 + 1/2 · 2/3.

    >>> round(average_precision(np.array([3.0, 1.0, 1.0]), np.array([True, True, False])), 4)
    0.8333
    """
    ranked, hits, passed = _passed(scores, right)
    steps = np.diff(hits, prepend=0)
    return float((steps * hits / passed).sum() / ranked)


def reciprocal_rank(scores: Values, right: Flags) -> float:
    """Return 1 / the rank of the first right item, as its mean over all orders of equal scores. ValueError: none is right.

    The right item ties with one foil, so that its rank is 1 in one order and 2 in the other:

    >>> reciprocal_rank(np.array([1.0, 1.0, 0.0]), np.array([True, False, False]))
    0.75
    """
    _, hits, passed = _passed(scores, right)
    first = int(np.flatnonzero(hits)[0])
    passed_before = int(passed[first - 1]) if first else 0
    tied, good = int(passed[first]) - passed_before, int(hits[first])
    return _expected_reciprocal(passed_before, tied, good)


def _expected_reciprocal(passed_before: int, tied: int, good: int) -> float:
    """Return the mean of 1 / (passed_before + place), of the first of `good` items among `tied` ones in random order.

    It is at a place or later with the share of orders that put all of the good ones there.

    >>> _expected_reciprocal(0, 2, 1) == (1 / 1 + 1 / 2) / 2
    True
    """
    later, mean = 1.0, 0.0
    for position in range(1, tied - good + 2):
        share_here = good / (tied - position + 1)
        mean += later * share_here / (passed_before + position)
        later *= 1 - share_here
    return mean


def _passed(scores: Values, right: Flags) -> tuple[int, NDArray[np.int64], NDArray[np.int64]]:
    """Return how many items are right, and how many of these, and of all, have each different score or a higher one."""
    if not right.any():
        raise ValueError("nothing that is ranked is right: give a right item")
    order = np.argsort(-scores, kind="stable")
    ranked = scores[order]
    ends = np.flatnonzero(np.append(ranked[1:] != ranked[:-1], True))  # a difference of two infinities would be none
    return int(right.sum()), right[order].cumsum()[ends].astype(np.int64), (ends + 1).astype(np.int64)
