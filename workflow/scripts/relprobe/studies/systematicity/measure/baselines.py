"""The majority baseline (sections 3.2 and 4); static.py has the static vectors, and the control is a kind of probe."""

import polars as pl

from relprobe.studies.systematicity.data.categories import with_category
from relprobe.studies.systematicity.measure.metrics import pair_unit
from relprobe.studies.systematicity.schemas import METRICS, Items, Metrics, Pairs


def majority(item_table: Items, pairs: Pairs) -> Metrics:
    """Measure the baseline that always answers with the test's most frequent category, or label.

    The baseline gives one constant answer to all diagnostics. For the paired metrics it is the most frequent category among
    the items that have all of their diagnostics (section 3.2, Tables 2 and 4). Of m equally frequent categories, each counts
    as the answer in 1 of m cases.
    """
    parts = []
    for metric in ("singular", "plural", "singular_plural", "contextual", "aggregate"):
        needs_context = metric in ("contextual", "aggregate")
        rows = item_table.filter(pl.col("sentence").is_not_null()) if needs_context else item_table
        right = _most_frequent(rows, "category", "set")
        about = {"condition": pl.col("set"), "unit": pl.col("hyponym"), "cluster": pl.col("category")}
        parts.append(rows.select(metric=pl.lit(metric), **about, value=right))
    tested = with_category(pairs).filter(part="test")
    right = _most_frequent(tested, "label", "setting", "fold")
    about = {"condition": pl.col("setting"), "unit": pair_unit(), "cluster": pl.col("category")}
    parts.append(tested.select(metric=pl.lit("detection"), **about, value=right))
    return pl.concat(parts).select(list(METRICS)).cast(METRICS)


def _most_frequent(table: pl.DataFrame, column: str, *groups: str) -> pl.Series:
    """Return, per row, 1 / m if its value of `column` is one of the m most frequent ones of its groups, else 0."""
    counts = table.group_by(*groups, column).len()
    top = counts.filter(pl.col("len") == pl.col("len").max().over(groups))
    shares = top.with_columns(share=1.0 / pl.len().over(groups)).drop("len")
    return table.join(shares, on=[*groups, column], how="left", maintain_order="left")["share"].fill_null(0.0)
