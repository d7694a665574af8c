"""Expected values over all orders of tied words, which are equally likely. People's lists tie; a model's hardly ever do."""

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache

import numpy as np
import polars as pl

ORDERS = 5040
"""Up to this number of orders (7!) all are counted; beyond it this module draws DRAWS of them."""
DRAWS = 1000
SEED = 1


def of_unique(function: Callable[..., float], *columns: pl.Expr) -> pl.Expr:
    """Return the values of a function of several columns; it is called once for each different row. A list comes as a tuple.

    >>> pl.DataFrame({"a": [1, 2, 1]}).select(of_unique(lambda a: a / 2, pl.col("a")))["a"].to_list()
    [0.5, 1.0, 0.5]
    """

    def values(parts: Sequence[pl.Series]) -> pl.Series:
        rows = list(zip(*(map(_hashable, part.to_list()) for part in parts), strict=True))
        table = {row: function(*row) for row in dict.fromkeys(rows)}
        return pl.Series(parts[0].name, [table[row] for row in rows], pl.Float64)

    return pl.map_batches(list(columns), values, return_dtype=pl.Float64)


def _hashable(value: object) -> object:
    return tuple(value) if isinstance(value, list) else value


def relative_rank(low: float, high: float, tied: int, k: float) -> float:
    """Return the expected relative rank of the best of `tied` relata among the words at the ranks low to high.

    A word at rank i of the first k has (i - 1)/k, one beyond them 1. Of n words, the best of m is at place j in
    C(n - j, m - 1) of C(n, m) cases.

    One of two words is a relatum. It comes first or second:

    >>> relative_rank(1, 2, 1, k=4)  # (0 + 1/4)/2
    0.125
    """
    n, first = int(high - low) + 1, int(low)
    cases = [math.comb(n - j, tied - 1) for j in range(1, n - tied + 2)]
    ranks = [(first + j - 1) / k if first + j <= k else 1.0 for j in range(len(cases))]
    return sum(case * rank for case, rank in zip(cases, ranks, strict=True)) / math.comb(n, tied)


def none_within(low: float, high: float, tied: int, k: int) -> float:
    """Return the probability that none of `tied` words among those at the ranks low to high is among the first k.

    Of the four words at the ranks 1 to 4, one is a relatum. It is not among the first three in 1 of 4 cases:

    >>> none_within(1, 4, 1, k=3)
    0.25
    """
    n = int(high - low) + 1
    seen = min(max(k - int(low) + 1, 0), n)
    return math.comb(n - tied, seen) / math.comb(n, seen)


@lru_cache(maxsize=100_000)
def expected_common(groups: tuple[int, ...]) -> float:
    """Return the expected length of the longest common subsequence of a list and one with ties.

    `groups`: for each word that both lists have, in the order of the first one, the place of its group of tied words in the
    second, such as (0, 1, 1). The words of a group have all orders alike. Up to ORDERS orders are counted, else DRAWS drawn.

    The list is b a. In the other, a and b tie: two words are in common order if it is b a, and one if it is a b.

    >>> expected_common((0, 0)), expected_common((1, 0))
    (1.5, 1.0)
    """
    lengths = [_increasing(order) for order in _orders(groups)]
    return float(np.mean(lengths)) if lengths else 0.0


def _orders(groups: tuple[int, ...]) -> Iterator[list[int]]:
    """Yield the places of the words in the second list, under one order of its ties after the other."""
    members = [[word for word, group in enumerate(groups) if group == one] for one in sorted(set(groups))]
    if math.prod(math.factorial(len(words)) for words in members) <= ORDERS:
        for orders in itertools.product(*(itertools.permutations(words) for words in members)):
            yield _places(orders)
    else:
        source = np.random.default_rng(SEED)
        for _ in range(DRAWS):
            yield _places([source.permutation(words).tolist() for words in members])


def _places(orders: Sequence[Sequence[int]]) -> list[int]:
    listed = list(itertools.chain.from_iterable(orders))
    return [place for _, place in sorted(zip(listed, range(len(listed)), strict=True))]


def _increasing(places: Sequence[int]) -> int:
    """Return the length of the longest increasing subsequence."""
    best: list[int] = []
    for i, place in enumerate(places):
        best.append(1 + max((best[j] for j in range(i) if places[j] < place), default=0))
    return max(best, default=0)
