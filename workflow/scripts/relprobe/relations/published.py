"""Our values of the figures that Cao et al. print, under the names of resources/published/relations.csv."""

import polars as pl

from relprobe.published import OURS


def ours(summary: pl.DataFrame) -> pl.DataFrame:
    """Return every average of the summary (SUMMARY): its metric (with @k, if any), relation and agent (OURS)."""
    names = {"audc": "AuDC", "first_related": "rank of the first related word"}
    name = pl.col("metric").replace(names)
    quantity = pl.when(pl.col("k").is_null()).then(name).otherwise(pl.format("{}@{}", name, "k"))
    plain = summary.filter(pl.col("versus").is_null())
    return plain.select(quantity=quantity, condition="relation", agent="agent", ours="value").cast(OURS)
