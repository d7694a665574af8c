"""The sum, mean, deviation and product of a column are here the same to the last digit every time.

Polars adds the values of a group in parts, one part a thread: which numbers are added first, and so the last digit of the
sum, is up to the threads. Here the values are put into order first, so that the order of the rows, the number of threads
and the pieces that a column lies in change nothing either. Counts need none of this: whole numbers below 2**53 have one sum.

>>> table = pl.DataFrame({"group": ["a", "a", "a"], "value": [1e16, 1.0, -1e16]})
>>> [float(table[rows].group_by("group").agg(ordered_sum("value"))["value"].item()) for rows in ([0, 1, 2], [2, 0, 1])]
[0.0, 0.0]
"""

from typing import overload

import polars as pl


@overload
def ordered_sum(values: pl.Series) -> float: ...
@overload
def ordered_sum(values: pl.Expr | str) -> pl.Expr: ...
def ordered_sum(values: pl.Series | pl.Expr | str) -> pl.Expr | float:
    """Add values (a column, its name, or a series) from the smallest to the largest; nulls are left out, as by polars."""
    return _in_order(values).sum()  # type: ignore[return-value]


@overload
def ordered_mean(values: pl.Series) -> float | None: ...
@overload
def ordered_mean(values: pl.Expr | str) -> pl.Expr: ...
def ordered_mean(values: pl.Series | pl.Expr | str) -> pl.Expr | float | None:
    """Return the mean of values, None or null if there are none; the parameter is that of `ordered_sum`."""
    return _in_order(values).mean()  # type: ignore[return-value]


@overload
def ordered_deviation(values: pl.Series) -> float | None: ...
@overload
def ordered_deviation(values: pl.Expr | str) -> pl.Expr: ...
def ordered_deviation(values: pl.Series | pl.Expr | str) -> pl.Expr | float | None:
    """Return the standard deviation of values (divisor n - 1), None or null if there are fewer than two."""
    return _in_order(values).std()  # type: ignore[return-value]


@overload
def ordered_product(values: pl.Series) -> float: ...
@overload
def ordered_product(values: pl.Expr | str) -> pl.Expr: ...
def ordered_product(values: pl.Series | pl.Expr | str) -> pl.Expr | float:
    """Multiply values from the smallest to the largest."""
    return _in_order(values).product()


@overload
def _in_order(values: pl.Series) -> pl.Series: ...
@overload
def _in_order(values: pl.Expr | str) -> pl.Expr: ...
def _in_order(values: pl.Series | pl.Expr | str) -> pl.Series | pl.Expr:
    return (pl.col(values) if isinstance(values, str) else values).sort()
