"""The majority baseline (sections 3.2 and 4); static.py has the static vectors, and the control is a kind of probe."""

import random

import polars as pl

from relprobe.studies.systematicity.data.categories import with_category
from relprobe.studies.systematicity.measure.metrics import pair_unit
from relprobe.studies.systematicity.schemas import METRICS, Items, Metrics, Pairs


def majority(item_table: Items, pairs: Pairs, *, seed: int) -> Metrics:
    """Measure the baseline that always answers with the test's most frequent category, or label.

    The baseline gives one constant answer to all diagnostics. For the paired metrics it is the most frequent category among
    the items that have all of their diagnostics (section 3.2, Tables 2 and 4). Between equally frequent categories the
    seed draws.
    """
    parts = []
    for metric in ("singular", "plural", "singular_plural", "contextual", "aggregate"):
        needs_context = metric in ("contextual", "aggregate")
        rows = item_table.filter(pl.col("sentence").is_not_null()) if needs_context else item_table
        right = _most_frequent(rows, "category", seed, "set")
        about = {"condition": pl.col("set"), "unit": pl.col("hyponym"), "cluster": pl.col("category")}
        parts.append(rows.select(metric=pl.lit(metric), **about, value=right))
    tested = with_category(pairs).filter(part="test")
    right = _most_frequent(tested, "label", seed, "setting", "fold")
    about = {"condition": pl.col("setting"), "unit": pair_unit(), "cluster": pl.col("category")}
    parts.append(tested.select(metric=pl.lit("detection"), **about, value=right))
    return pl.concat(parts).select(list(METRICS)).cast(METRICS)


def _most_frequent(table: pl.DataFrame, column: str, seed: int, *groups: str) -> pl.Series:
    """Return, per row, 1 if its value of `column` is the most frequent one of its groups, else 0."""
    counts = table.group_by(*groups, column).len().sort(column)
    drawn = pl.Series(
        "draw", [_draw(seed, *row) for row in counts.select(*groups, column).iter_rows()], dtype=pl.Float64
    )
    ordered = counts.with_columns(drawn).sort("len", "draw", descending=[True, False])
    top = ordered.unique(list(groups), keep="first", maintain_order=True).select(*groups, top=column)
    return table.join(top, on=list(groups), how="left", maintain_order="left").select(
        (pl.col(column) == pl.col("top")).cast(pl.Float64)
    )[column]


def _draw(seed: int, *names: object) -> float:
    """Return a random number of a value of a group, by which equally frequent values are ordered."""
    return random.Random(" ".join(map(str, (seed, *names)))).random()  # noqa: S311
