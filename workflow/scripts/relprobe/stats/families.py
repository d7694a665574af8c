"""Adjustments of the p-values of a family of tests, and the smallest difference that these could have found."""

from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np
import polars as pl

Method: TypeAlias = Callable[[Sequence[float | None]], list[float | None]]
"""From the p-values of a family to the adjusted ones, in the same order; a missing one stays None and does not count."""

ALPHA = 0.05
POWER = 0.8


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


def with_holm(table: pl.DataFrame, family: Sequence[str] = (), p: str = "p", once: str = "") -> pl.DataFrame:
    """Add the column `p`_holm to a table: `p` adjusted by Holm's method, in the rows that are equal in the columns `family`.

    Without such columns, all rows are one family. `once`: a column that says which test a row is. Rows of a family with the
    same one, as of an agent and its copy, are one test; rows without one find nothing, count in no family and keep their p.

    >>> table = pl.DataFrame({"metric": ["a", "b", "a"], "p": [0.5, 0.25, 0.125]})
    >>> with_holm(table, ["metric"])["p_holm"].to_list()
    [0.5, 0.25, 0.25]
    >>> copies = pl.DataFrame({"p": [0.02, 0.02, 0.04, 1.0], "test": [0, 0, 1, None]})
    >>> with_holm(copies, once="test")["p_holm"].to_list()
    [0.04, 0.04, 0.04, 1.0]
    """
    if not once:
        return _adjusted(table, family, p, holm, "holm")
    first = pl.col(once).is_first_distinct() & pl.col(once).is_not_null()
    counted = table.with_columns(counted=pl.when(first.over(family) if family else first).then(p))
    adjusted = _adjusted(counted, family, "counted", holm, "holm")
    of_test = pl.when(pl.col(once).is_null()).then(p).otherwise(pl.col("counted_holm").max().over(*family, once))
    return adjusted.with_columns(of_test.alias(f"{p}_holm")).drop("counted", "counted_holm")


def with_benjamini_hochberg(table: pl.DataFrame, family: Sequence[str] = (), p: str = "p") -> pl.DataFrame:
    """Add the column `p`_bh to a table: `p` adjusted by the method of Benjamini and Hochberg, in families as in `with_holm`.

    >>> table = pl.DataFrame({"metric": ["a", "b", "a"], "p": [0.5, 0.25, 0.125]})
    >>> with_benjamini_hochberg(table, ["metric"])["p_bh"].to_list()
    [0.5, 0.25, 0.25]
    """
    return _adjusted(table, family, p, benjamini_hochberg, "bh")


def _adjusted(table: pl.DataFrame, family: Sequence[str], p: str, method: Method, ending: str) -> pl.DataFrame:
    def of_family(p_values: pl.Series) -> pl.Series:
        return pl.Series(method(p_values.to_list()), dtype=pl.Float64)

    adjusted = pl.col(p).cast(pl.Float64).map_batches(of_family, return_dtype=pl.Float64)
    return table.with_columns((adjusted.over(family) if family else adjusted).alias(f"{p}_{ending}"))


def detectable(error: float | None, effective: float | None, tests: int, power: float = POWER) -> float | None:
    """Return the smallest difference that a test with this standard error finds with this power.

    It is error · (t of 1 - 0.05 / (2 · tests) + t of the power), both of `effective` - 1 degrees of freedom (Bloom
    1995, whose "minimum detectable effect" it is). `effective`: the number of independent items that the items count as.
    `tests`: the number of tests that are adjusted together; 0.05 / tests is the level of the smallest p by Holm's method.
    None: there is no error, or one independent item at most.

    With many items t is normal: 1.96 + 0.84 = 2.8 errors.

    >>> round(detectable(0.1, 1e6, 1), 3), round(detectable(0.1, 10, 1), 3), round(detectable(0.1, 10, 4), 3)
    (0.28, 0.315, 0.399)
    """
    from scipy.stats import t

    if error is None or effective is None or effective <= 1 or tests < 1:
        return None
    of_test, of_power = t.ppf([1 - ALPHA / (2 * tests), power], effective - 1)
    return float(error * (of_test + of_power))


def with_detectable(table: pl.DataFrame, size: str, name: str) -> pl.DataFrame:
    """Fill the column `name` of a table of tests (TESTS or CONTRASTS) with the difference that is `detectable` in each.

    The table has p, error, effective_n, clusters and `size`, the number of tests that are adjusted together. There is none
    where there is no p, or where so few clusters differ from each other that no signs of theirs could reach the adjusted
    level, 2 / 2 to the power of their number.
    """
    names = ["p", "error", "effective_n", size, "clusters"]
    values = [_row_detectable(*row) for row in table.select(names).iter_rows()]
    return table.with_columns(pl.Series(name, values, dtype=pl.Float64))


def _row_detectable(
    p: float | None, error: float | None, effective: float | None, tests: int | None, clusters: int | None
) -> float | None:
    out_of_reach = 2.0 ** (1 - (clusters or 0)) >= ALPHA / max(tests or 1, 1)
    if p is None or out_of_reach:
        return None
    return detectable(error, effective if effective is not None else clusters, tests or 1)
