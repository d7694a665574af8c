"""Expected values over all orders of tied words, which are equally likely. People's lists tie; a model's hardly ever do."""

import itertools
import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
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


@lru_cache(maxsize=100_000)
def expected_common_within(groups: tuple[int, ...], low: tuple[int, ...], high: tuple[int, ...], k: int) -> float:
    """Return the expected length of the longest common subsequence of a list with ties, cut at k, and one with ties.

    `groups`: for each word that both lists have the place of its group of tied words in the second list. `low` and `high`:
    the ranks that it can take in the first one, as all orders of tied words are alike; of the words that tie across k some
    are cut off. The words may stand in any order. Up to ORDERS orders of both lists are counted, else DRAWS drawn.

    Two of three tied words are in the second list, where they tie, too. One or both of them are among the first two:

    >>> round(expected_common_within((0, 0), (1, 1), (3, 3), 2), 3)  # (2 · 1 + 1.5)/3
    1.167
    """
    words = sorted(zip(low, high, groups, strict=True))
    ties = [
        (ranks, [group for *_, group in tied]) for ranks, tied in itertools.groupby(words, key=lambda word: word[:2])
    ]
    number = math.prod(math.factorial(len(tied)) for _, tied in ties)
    if number * math.prod(math.factorial(count) for count in Counter(groups).values()) > ORDERS and number > 1:
        source = np.random.default_rng(SEED)
        return float(np.mean([_drawn(ties, k, source) for _ in range(DRAWS)]))
    orders: dict[tuple[int, ...], float] = {(): 1.0}
    for (first, last), tied in ties:
        cut = _cut(tuple(tied), first, last, k)
        orders = _sums(((*one, *more), a * b) for one, a in orders.items() for more, b in cut.items())
    return sum(chance * expected_common(order) for order, chance in orders.items())


def _cut(tied: tuple[int, ...], low: int, high: int, k: int) -> dict[tuple[int, ...], float]:
    """Return what can stand among the first k of some words that tie at the ranks low to high, and how likely each is."""
    places, inside = high - low + 1, min(max(k - low + 1, 0), high - low + 1)
    found: list[tuple[tuple[int, ...], float]] = []
    for kept in range(max(0, len(tied) - (places - inside)), min(len(tied), inside) + 1):
        cases = math.comb(inside, kept) * math.comb(places - inside, len(tied) - kept)
        chance = cases / math.comb(places, len(tied)) / math.perm(len(tied), kept)
        found += [(order, chance) for order in itertools.permutations(tied, kept)]
    return _sums(found)


def _sums(chances: Iterable[tuple[tuple[int, ...], float]]) -> dict[tuple[int, ...], float]:
    """Return each order once, with the sum of its probabilities."""
    sums: dict[tuple[int, ...], float] = {}
    for order, chance in chances:
        sums[order] = sums.get(order, 0.0) + chance
    return sums


def _drawn(ties: Sequence[tuple[tuple[int, int], list[int]]], k: int, source: np.random.Generator) -> int:
    """Return the length of the longest common subsequence under one drawn order of both lists."""
    order: list[int] = []
    for (low, high), tied in ties:
        ranks = low + source.permutation(high - low + 1)[: len(tied)]
        order += [tied[place] for place in np.argsort(ranks) if ranks[place] <= k]
    return _increasing(np.lexsort((source.random(len(order)), np.array(order))).argsort().tolist())


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
