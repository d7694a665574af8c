"""The orders in which the options of a choice are shown, so that no option gains by its position."""

import math
import random
from collections.abc import Sequence
from typing import TypeVar

Option = TypeVar("Option")


def orders(options: Sequence[Option], count: int, key: str) -> list[tuple[Option, ...]]:
    """Return `count` orders of the options, or all if there are fewer; the first is that of the options themselves.

    The others are drawn without replacement from all permutations, with a seed that `key` gives, so that a run that goes on
    has the same ones, and a larger `count` has those of a smaller one.

    >>> orders(["yes", "no"], 4, "robin")
    [('yes', 'no'), ('no', 'yes')]
    >>> first, *drawn = orders("abcd", 4, "robin")
    >>> first, len({first, *drawn}), orders("abcd", 3, "robin") == [first, *drawn[:2]]
    (('a', 'b', 'c', 'd'), 4, True)
    """
    draws, indices = random.Random(key), list(range(len(options)))  # noqa: S311 (no secret)
    drawn = [tuple(indices)]
    while len(drawn) < min(count, math.factorial(len(options))):
        draws.shuffle(indices)
        if tuple(indices) not in drawn:
            drawn.append(tuple(indices))
    return [tuple(options[index] for index in order) for order in drawn]


def drawn_orders(options: Sequence[Option], count: int, key: str) -> list[tuple[Option, ...]]:
    """Return `count` orders of the options as `orders` does, the first of which is drawn, too.

    Where the right option comes first, or always last, its place would tell it. Of many questions with two options, each
    place has the right one in about a half:

    >>> firsts = [drawn_orders(["right", "wrong"], 1, str(number))[0][0] for number in range(1000)]
    >>> 450 < firsts.count("right") < 550
    True
    """
    first = random.Random(key).sample(list(options), len(options))  # noqa: S311 (no secret)
    return orders(first, count, key)
