"""Adjustments of the p-values of a family of tests, and the smallest difference that these could have found."""

from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np
import polars as pl

Method: TypeAlias = Callable[[Sequence[float | None]], list[float | None]]
"""From the p-values of a family to the adjusted ones, in the same order; a missing one stays None and does not count."""

ALPHA = 0.05
POWER = 0.8
SIZES = 2001
"""The differences that are tried, from 0 to the largest that can be."""


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """Adjust p-values for their number by Holm's step-down method (Holm 1979).

    The i-th smallest of m p-values becomes the largest of min(1, (m - j + 1) · p_j) for j = 1 … i. A missing p-value stays
    None and does not count in m. The order is kept.

    >>> [None if p is None else round(p, 6) for p in holm([0.04, 0.01, None, 0.02])]  # 1 · 0.04, 3 · 0.01, 2 · 0.02
    [0.04, 0.03, None, 0.04]
    """
    present = np.array([p for p in p_values if p is not None])
    order = np.argsort(present)
    factors = np.arange(len(present), 0, -1)
    adjusted = np.empty(len(present))  # statsmodels' multipletests collects garbage at every call: 60 ms each
    adjusted[order] = np.minimum(np.maximum.accumulate(present[order] * factors), 1)
    values = iter(adjusted.tolist())
    return [None if p is None else next(values) for p in p_values]


def benjamini_hochberg(p_values: Sequence[float | None]) -> list[float | None]:
    """Adjust p-values for their number by the method of Benjamini and Hochberg (1995).

    If all tests below 0.05 after the adjustment count as findings, at most 5 % of the findings are false in expectation.
    Holm's method bounds the chance of any false finding instead. The i-th smallest of m p-values becomes the smallest of
    m / j · p_j for j = i … m. A missing p-value stays None and does not count in m. The order is kept.

    >>> [None if p is None else round(p, 6) for p in benjamini_hochberg([0.04, 0.01, None, 0.025])]  # 3/3 · 0.04 …
    [0.04, 0.03, None, 0.0375]
    """
    from scipy.stats import false_discovery_control

    present = [p for p in p_values if p is not None]
    values = iter(false_discovery_control(present).tolist() if present else [])
    return [None if p is None else next(values) for p in p_values]


def with_holm(table: pl.DataFrame, family: Sequence[str] = (), p: str = "p") -> pl.DataFrame:
    """Add the column `p`_holm to a table: `p` adjusted by Holm's method, in the rows that are equal in the columns `family`.

    Without such columns, all rows are one family.

    >>> table = pl.DataFrame({"metric": ["a", "b", "a"], "p": [0.5, 0.25, 0.125]})
    >>> with_holm(table, ["metric"])["p_holm"].to_list()
    [0.5, 0.25, 0.25]
    """
    return _adjusted(table, family, p, holm, "holm")


def with_benjamini_hochberg(table: pl.DataFrame, family: Sequence[str] = (), p: str = "p") -> pl.DataFrame:
    """Add the column `p`_bh to a table: `p` adjusted by the method of Benjamini and Hochberg, in families as in `with_holm`.

    >>> table = pl.DataFrame({"metric": ["a", "b", "a"], "p": [0.5, 0.25, 0.125]})
    >>> with_benjamini_hochberg(table, ["metric"])["p_bh"].to_list()
    [0.5, 0.25, 0.25]
    """
    return _adjusted(table, family, p, benjamini_hochberg, "bh")


def _adjusted(table: pl.DataFrame, family: Sequence[str], p: str, method: Method, ending: str) -> pl.DataFrame:
    def adjust(p_values: pl.Series) -> pl.Series:
        return pl.Series(method(p_values.to_list()), dtype=pl.Float64)

    adjusted = pl.col(p).cast(pl.Float64).map_batches(adjust, return_dtype=pl.Float64)
    return table.with_columns((adjusted.over(family) if family else adjusted).alias(f"{p}_{ending}"))


def detectable(
    error: float | None,
    effective: float | None,
    tests: int,
    power: float = POWER,
    gain: float | None = None,
    room: float | None = None,
) -> float | None:
    """Return the smallest difference that a test with this standard error finds with this power.

    It is c errors, with c = t of 1 - 0.05 / (2 · tests) + t of the power, both of `effective` - 1 degrees of freedom (Bloom
    1995, whose "minimum detectable effect" it is). `effective`: the number of independent items that the items count as.
    `tests`: the number of tests that are adjusted together; 0.05 / tests is the level of the smallest p by Holm's method.
    `room`: the largest difference that can be; None: any can be. Two agents that are alike have a small error, which grows
    as they differ. In shares, which have a `gain`, room is 1 less the smaller value v, and gain is the variance of the mean
    of a share x over x (1 - x). Where the difference is D, the variance is at least error² + gain · ((v + D) (1 - v - D) -
    v (1 - v)), as that of the better agent changes, and at least gain · D (1 - D), as so many items must differ. D is then
    the smallest difference that is c of these errors. None: there is no error, one independent item at most, or no
    difference that can be would be found so often.

    With many items t is normal: 1.96 + 0.84 = 2.8 errors.

    >>> round(detectable(0.1, 1e6, 1), 3), round(detectable(0.1, 10, 1), 3), round(detectable(0.1, 10, 4), 3)
    (0.28, 0.315, 0.399)
    >>> round(detectable(0.01, 1e6, 1, gain=0.01, room=0.9), 2), detectable(0.3, 5, 1, gain=0.05, room=0.5)
    (0.07, None)
    >>> detectable(61.0, 1e6, 1, room=1.3) is None
    True
    """
    from scipy.stats import t

    if error is None or effective is None or effective <= 1 or tests < 1:
        return None
    errors = float(t.ppf([1 - ALPHA / (2 * tests), power], effective - 1).sum())
    size = errors * error
    if room is None or gain is None:
        return size if room is None or size <= room else None
    value, sizes = 1 - room, np.linspace(0, room, SIZES)
    above = value + sizes
    growth = gain * (above * (1 - above) - value * (1 - value))
    variances = np.maximum(error**2 + np.maximum(growth, 0), gain * sizes * (1 - sizes))
    large_enough = np.flatnonzero(sizes >= errors * np.sqrt(variances))
    return max(float(sizes[large_enough[0]]), size) if len(large_enough) else None


def equivalence_p(difference: float | None, error: float | None, freedom: float | None, margin: float) -> float | None:
    """Return p of two one-sided tests of a difference being `margin` or more, either way (Schuirmann 1987); None if unknown.

    A p below 0.05 shows that the difference is less than the margin: 0 ± 0.05 is 2 errors of 0.025 from either side.

    >>> round(equivalence_p(0.0, 0.025, 1e6, 0.05), 3), round(equivalence_p(0.04, 0.025, 1e6, 0.05), 3)
    (0.023, 0.345)
    """
    from scipy.stats import t

    if difference is None or not error or not freedom or freedom <= 0:
        return None
    return float(t.sf((margin - abs(difference)) / error, freedom))


def with_equivalence(table: pl.DataFrame, margin: float) -> pl.DataFrame:
    """Add the columns margin and p_equal (`equivalence_p`) to a table with difference, error and freedom (CONTROLS)."""
    rows = table.select("difference", "error", "freedom").iter_rows()
    ps = [equivalence_p(difference, error, freedom, margin) for difference, error, freedom in rows]
    p_equal = pl.Series("p_equal", ps, pl.Float64)
    return table.with_columns(pl.lit(margin).alias("margin"), p_equal)


def power_of(difference: float, error: float, effective: float) -> float:
    """Return how often a test with this standard error finds a true difference, as `detectable` reckons; 0 without a test.

    >>> round(power_of(0.28, 0.1, 1e6), 2), round(power_of(0.315, 0.1, 10), 2), power_of(0.3, 0.1, 1)
    (0.8, 0.8, 0.0)
    """
    from scipy.stats import t

    if effective <= 1:
        return 0.0
    return float(t.cdf(difference / error - t.ppf(1 - ALPHA / 2, effective - 1), effective - 1))


def with_detectable(table: pl.DataFrame, size: str, name: str) -> pl.DataFrame:
    """Fill the column `name` of a table of tests (TESTS or CONTRASTS) with the difference that is `detectable` in each.

    The table has p, error, effective_n, clusters and `size`, the number of tests that are adjusted together. There is none
    where there is no p, or where so few clusters differ from each other that no signs of theirs could reach the adjusted
    level, 2 / 2 to the power of their number.
    """
    columns = [column for column in table.columns if column != name]
    names = ["p", "error", "freedom", "effective_n", size, "clusters", "gain", "room"]
    table = _with_missing(table, names)
    values = [_row_detectable(*row) for row in table.select(names).iter_rows()]
    return table.with_columns(pl.Series(name, values, dtype=pl.Float64)).select(*columns, name)


def _with_missing(table: pl.DataFrame, names: Sequence[str]) -> pl.DataFrame:
    """Return a table with an empty column for each name that it lacks, as the table of a trend has no gain."""
    return table.with_columns(pl.lit(None, pl.Float64).alias(name) for name in names if name not in table.columns)


def _row_detectable(
    p: float | None,
    error: float | None,
    freedom: float | None,
    effective: float | None,
    tests: int | None,
    clusters: int | None,
    gain: float | None,
    room: float | None,
) -> float | None:
    out_of_reach = 2.0 ** (1 - (clusters or 0)) >= ALPHA / max(tests or 1, 1)
    if p is None or out_of_reach:
        return None
    number = freedom + 1 if freedom is not None else effective if effective is not None else clusters
    return detectable(error, number, tests or 1, gain=gain, room=room)
