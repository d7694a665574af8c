"""The mixture of several wordings' lists, and how far it can be off, as a server lists only the likeliest tokens."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from relprobe.lm.served.dialect import TopList

TOLERANCE = 0.1
"""How far, in natural log, a certain log-probability may be off, and two tokens may be out of order.

It is what the same model differs by from one batch to another (`relprobe.lm.witness.ALIKE`)."""


@dataclass(frozen=True)
class Mixture:
    """The likeliest tokens of a mixture, best first, and their natural-log probabilities; both have shape (K,).

    `certain`: how many of the first ranks are certain. Up to there no log-probability is off by more than TOLERANCE, and no
    other token can belong above by more than that. `errors`, shape (K,): the most by which each log-probability can be off.
    """

    ids: NDArray[np.int32]
    logprobs: NDArray[np.float32]
    certain: int
    errors: NDArray[np.float64]


def mix(lists: Sequence[TopList], weights: Sequence[float], *, complete: bool = False) -> Mixture:
    """Mix the lists of a probe's wordings: p(v) = Σ weight · p_wording(v).

    A token that one list lacks has there a probability between 0 and that of the list's last token, so p(v) lies between
    two bounds; their mean is returned. A token of no list may be as likely as all last tokens mixed. So the result ends
    before the first token that is less likely than that. With one list everything is exact. `complete`: the lists hold the
    whole vocabulary, so what they lack has probability 0.

    Two wordings of equal weight. Token 7 is exact; 9 is in the first list only, and 8 in the second one only, so that their
    probabilities are known up to 0.05 and 0.1:

    >>> first = TopList(np.array([7, 9], np.int32), np.log([0.6, 0.2]).astype(np.float32), 2, 7)
    >>> second = TopList(np.array([7, 8], np.int32), np.log([0.5, 0.1]).astype(np.float32), 2, 7)
    >>> mixture = mix([first, second], [0.5, 0.5])
    >>> mixture.ids.tolist(), mixture.certain
    ([7], 1)
    >>> mix([first, second], [0.5, 0.5], complete=True).ids.tolist()
    [7, 9, 8]
    """
    if len(lists) == 1:
        return Mixture(lists[0].ids, lists[0].logprobs, len(lists[0].ids), np.zeros(len(lists[0].ids)))
    ids = np.unique(np.concatenate([top_list.ids for top_list in lists]))
    lower, slack = np.zeros(len(ids)), np.zeros(len(ids))
    unlisted = 0.0  # the most that a token of no list may have
    for top_list, weight in zip(lists, weights, strict=True):
        last = 0.0 if complete or not len(top_list.ids) else weight * float(np.exp(top_list.logprobs[-1]))
        rows = np.searchsorted(ids, top_list.ids)
        slack += last
        slack[rows] -= last
        lower[rows] += weight * np.exp(top_list.logprobs.astype(float))
        unlisted += last
    upper, middle = lower + slack, lower + slack / 2
    order = np.lexsort((ids, -middle))
    order = order[: int(np.sum(middle > unlisted))]
    lower, upper, middle = lower[order], upper[order], middle[order]
    certain = _certain(lower, upper, unlisted)
    return Mixture(ids[order].astype(np.int32), np.log(middle).astype(np.float32), certain, np.log(middle / lower))


def _certain(lower: NDArray[np.float64], upper: NDArray[np.float64], unlisted: float) -> int:
    """Count the first ranks whose probability and place are certain within TOLERANCE.

    The second rank may be 0.2, and the third one up to 0.15; the third is not certain, as it may be half as much again:

    >>> _certain(np.array([0.5, 0.2, 0.1]), np.array([0.5, 0.2, 0.15]), unlisted=0.05)
    2
    """
    highest = np.maximum.accumulate(np.append(upper, unlisted)[::-1])[::-1][:-1]  # of this rank and all later ones
    doubtful = np.flatnonzero(highest > lower * np.exp(TOLERANCE))
    return int(doubtful[0]) if len(doubtful) else len(lower)
