"""Our values of the figures that the paper prints, under the names of resources/published/analogies.csv."""

import polars as pl

from relprobe.report.published import OURS


def ours(averages: pl.DataFrame, frequency: pl.DataFrame) -> pl.DataFrame:
    """Return every accuracy of the averages (AVERAGES) in per cent, per group or relation and agent (OURS).

    `frequency`: tables.frequency_summary, whose shares are of the relations that could be tested; they become per cent too.
    """
    accuracy = averages.select(
        quantity=pl.format("{} (%)", "metric"), condition="condition", agent="agent", ours=100 * pl.col("value")
    )
    share = frequency.select(
        quantity=pl.lit("relations where frequency plays no role (%)"),
        condition=pl.lit(None, pl.String),
        agent="agent",
        ours=100 * pl.col("share_without_effect").cast(pl.Float64),
    )
    return pl.concat([accuracy.cast(OURS), share.cast(OURS)])
