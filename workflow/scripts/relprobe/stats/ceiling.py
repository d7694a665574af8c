"""How well people agree with each other: the noise ceiling of a metric whose gold standard or reference is people's answers.

An answer belongs to a group: those of several people to one probe or question. Published answers often do not say which
person gave them, so that the answers of each group are split, or left out one at a time, independently of other groups.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from relprobe.stats import DECIMALS, Values

Mask = NDArray[np.bool_]
DRAWS = 1000
"""Random splits into halves."""
BATCH = 100
"""Splits that are scored at a time."""


@dataclass(frozen=True)
class Ceiling:
    """How well two halves of people's answers agree on the scores of items.

    `items`: the number of items whose scores are correlated. `people`: the mean number of answers in a group that could be
    split. `split_half`: the mean correlation of the halves. `reliability`: that of all answers together (`spearman_brown`).
    If one of the last two is None, `note` says why.
    """

    items: int
    people: float
    split_half: float | None
    reliability: float | None
    note: str | None = None

    @property
    def limit(self) -> float | None:
        """The correlation with the scores of all answers that scores without noise can expect: √reliability, 0 below 0.

        >>> Ceiling(9, 4.0, 0.5, 0.64).limit, Ceiling(9, 4.0, -0.1, -0.2).limit
        (0.8, 0.0)
        """
        return None if self.reliability is None else max(self.reliability, 0.0) ** 0.5


def spearman_brown(correlation: float, times: float = 2.0) -> float:
    """Return the reliability of `times` as many answers as those that correlate by `correlation`.

    It is t·r / (1 + (t - 1)·r) (Spearman 1910, Brown 1910). Two halves that correlate
    by 0.5 make a whole of reliability 2/3.

    ValueError: the correlation is so negative that no such reliability exists.

    >>> round(spearman_brown(0.5), 4), round(spearman_brown(0.25, times=4), 4)
    (0.6667, 0.5714)
    """
    if 1 + (times - 1) * correlation <= 0:
        raise ValueError(
            f"A correlation of {correlation} has no Spearman-Brown value for {times} times as many answers."
        )
    return times * correlation / (1 + (times - 1) * correlation)


def halves(groups: NDArray[np.int64], seed: int, draws: int = DRAWS) -> Iterator[Mask]:
    """Yield masks (some splits, answers), `draws` rows in all: True for the answers of the first half, False for the second.

    `groups`: the group of each answer, (answers,). Each group is split by itself, at random. If it has an odd number of
    answers, one of its halves, chosen at random, gets one more.

    >>> groups = np.array([7, 7, 7, 7, 9, 9])
    >>> [mask.shape for mask in halves(groups, seed=1, draws=3)]
    [(3, 6)]
    >>> next(halves(groups, seed=1))[:, :4].sum(axis=1).tolist() == [2] * 100
    True
    """
    _, group_codes, sizes = np.unique(groups, return_inverse=True, return_counts=True)
    source = np.random.default_rng(seed)
    for order in _orders(groups, source, draws):
        extra = (source.random((len(order), len(sizes))) < 0.5)[:, group_codes]
        yield 2 * order + extra < sizes[group_codes]


def single_answers(groups: NDArray[np.int64], seed: int, draws: int = DRAWS) -> Iterator[Mask]:
    """Yield masks (some draws, answers), `draws` rows in all: True for one answer of each group, drawn at random.

    >>> next(single_answers(np.array([7, 7, 7, 9, 9]), seed=1, draws=2)).sum(axis=1).tolist()
    [2, 2]
    """
    for order in _orders(groups, np.random.default_rng(seed), draws):
        yield order == 0


def _orders(groups: NDArray[np.int64], source: np.random.Generator, draws: int) -> Iterator[NDArray[np.int64]]:
    """Yield the places of the answers, from 0, in random orders of each group: (some draws, answers), `draws` in all."""
    _, group_codes, sizes = np.unique(groups, return_inverse=True, return_counts=True)
    starts = np.cumsum(sizes) - sizes
    for start in range(0, draws, BATCH):
        rows = min(BATCH, draws - start)
        order = np.argsort(group_codes + source.random((rows, len(groups))), axis=1)  # by group, at random within it
        yield np.argsort(order, axis=1) - starts[group_codes]


def split_half(
    scores: Callable[[Mask], Values],
    groups: NDArray[np.int64],
    seed: int,
    *,
    draws: int = DRAWS,
    ranks: bool = False,
) -> Ceiling:
    """Return how well random halves of people's answers agree, and the reliability of all answers.

    `groups`: the group of each answer, (answers,). `scores`: a function that takes masks (k, answers) of the answers that
    count, and returns the scores of the items that follow from these, (k, items), NaN where no answer says anything about an
    item. The correlation of a split is Pearson's r over the items that both halves score, or Spearman's rho if `ranks`. The
    mean is over the splits that have one. It is stepped up from halves to the whole (`spearman_brown`).

    Answers of a group with a single answer are left out. The result is missing, with the reason, if no group has two
    answers, if fewer than three items are scored, or if the scores are constant.

    Two people rate three items, and agree:

    >>> ratings, items = np.array([1.0, 2.0, 4.0, 1.0, 2.0, 4.0]), np.array([0, 1, 2, 0, 1, 2])
    >>> ceiling = split_half(lambda mask: (mask * ratings).reshape(-1, 2, 3).sum(axis=1), items, seed=1)
    >>> ceiling.items, ceiling.people, round(ceiling.split_half, 6)
    (3, 2.0, 1.0)
    """
    agreement = _agreement(scores, groups, halves(groups, seed, draws), ranks)
    if agreement.split_half is None:
        return agreement
    if agreement.split_half <= -1 + 10.0**-DECIMALS:
        return replace(agreement, note="no reliability: the halves contradict each other")
    return replace(agreement, reliability=spearman_brown(agreement.split_half))


def one_with_rest(
    scores: Callable[[Mask], Values],
    groups: NDArray[np.int64],
    seed: int,
    *,
    draws: int = DRAWS,
    ranks: bool = False,
) -> Ceiling:
    """Return how well the scores of one answer of each group, drawn at random, agree with those of the other answers.

    The arguments are those of `split_half`. The mean correlation is in `split_half` of the result; there is no reliability,
    since the two parts are not of the same size.
    """
    return _agreement(scores, groups, single_answers(groups, seed, draws), ranks)


def _agreement(
    scores: Callable[[Mask], Values], groups: NDArray[np.int64], masks: Iterator[Mask], ranks: bool
) -> Ceiling:
    _, group_codes, sizes = np.unique(groups, return_inverse=True, return_counts=True)
    splittable = sizes[group_codes] > 1
    if not splittable.any():
        return Ceiling(0, float(len(sizes) > 0), None, None, "not computable: no group has two answers")
    values: list[Values] = []
    items = 0
    for mask in masks:
        first, second = scores(mask & splittable), scores(~mask & splittable)
        items = max(items, int((~np.isnan(first) & ~np.isnan(second)).sum(axis=1).max()))
        values.append(correlations(first, second, ranks=ranks))
    people, coefficients = float(sizes[sizes > 1].mean()), np.concatenate(values)
    if items < 3:
        return Ceiling(items, people, None, None, "not computable: fewer than three items have scores in both parts")
    if np.isnan(coefficients).all():
        return Ceiling(items, people, None, None, "not computable: the scores of a part are constant")
    return Ceiling(items, people, float(np.nanmean(coefficients)), None)


def correlations(a: Values, b: Values, *, ranks: bool = False) -> Values:
    """Return Pearson's r, or Spearman's rho if `ranks`, of each row of `a` with that of `b`: (rows, items) -> (rows,).

    An item that is NaN in either counts in neither. NaN: fewer than three items, or a row is constant.

    >>> a, b = np.array([[1.0, 2.0, 4.0, 3.0]]), np.array([[10.0, 20.0, 30.0, np.nan]])
    >>> correlations(a, b, ranks=True).round(6).tolist()
    [1.0]
    """
    missing = np.isnan(a) | np.isnan(b)
    pair = [np.where(missing, np.nan, np.round(values, DECIMALS)) for values in (a, b)]
    if ranks:
        from scipy.stats import rankdata

        pair = [rankdata(values, axis=1, nan_policy="omit") for values in pair]
    counts = (~missing).sum(axis=1, keepdims=True)
    x, y = (np.where(missing, 0.0, v - np.nansum(v, axis=1, keepdims=True) / np.maximum(counts, 1)) for v in pair)
    scale = np.sqrt((x * x).sum(axis=1) * (y * y).sum(axis=1))
    usable = (counts[:, 0] > 2) & (scale > 10.0**-DECIMALS)
    return np.where(usable, (x * y).sum(axis=1) / np.where(usable, scale, 1.0), np.nan)
