"""Our values of the figures that the paper prints, under the names of resources/published/analogies.csv."""

import polars as pl

from relprobe.report.published import figures, of_averages
from relprobe.studies.analogies.measure.metrics import MEASURES


def ours(averages: pl.DataFrame, frequency: pl.DataFrame) -> pl.DataFrame:
    """Return every accuracy of the averages (AVERAGES) in per cent, per group or relation and agent (OURS).

    `frequency`: tables.frequency_summary, whose shares are of the relations that could be tested; they become per cent too.
    """
    units = {metric.name: metric.items for metric in MEASURES}
    accuracy = of_averages(averages, units, pl.format("{} (%)", "metric"), "condition", 100)
    share = frequency.select(
        quantity=pl.lit("relations where frequency plays no role (%)"),
        agent="agent",
        ours=100 * pl.col("share_without_effect").cast(pl.Float64),
        n="tested",
        units=pl.lit("relations"),
    )
    return pl.concat([accuracy, figures(share)])
