"""How right answers to two questions about the same hyponyms go together: phi, and the share of one among the other."""

import numpy as np
from numpy.typing import NDArray

from relprobe.stats import Interval, Values, share_interval


def phi(counts: Values) -> Values:
    """Return phi, the correlation of two binary variables, NaN where one is constant.

    `counts`: those of both, the first alone, the second alone, neither, of shape (tables, 4).

    >>> phi(np.array([[2.0, 0.0, 0.0, 2.0], [1.0, 1.0, 1.0, 1.0]])).tolist()
    [1.0, 0.0]
    """
    agree, first, second, neither = counts.T
    margins = (agree + first) * (second + neither) * (agree + second) * (first + neither)
    difference = agree * neither - first * second
    phi: Values = np.divide(difference, np.sqrt(margins), out=np.full(len(counts), np.nan), where=margins > 0)
    return phi


def sums_by_category(cells: Values, category: NDArray[np.str_]) -> Values:
    """Return the sums of the rows of each category, (categories, columns)."""
    numbers = np.unique(category, return_inverse=True)[1]
    sums: Values = np.zeros((numbers.max() + 1, cells.shape[1]))
    np.add.at(sums, numbers, cells)
    return sums


def interval_among(first: Values, second: Values, category: NDArray[np.str_]) -> Interval:
    """Return Wilson's interval of the share of hyponyms with `second` among those with `first`, over their categories.

    The arguments are of shape (hyponyms,), the first two from 0 to 1. With one category there is no interval, and a
    note says so.
    """
    products = np.column_stack([first * second, first])
    sums, sizes = sums_by_category(products, category).T
    return share_interval(sums, sizes)
