"""Our values of the figures that the paper prints, under the names of resources/published/analogies.csv."""

import polars as pl

from relprobe.core.files import ShownTable
from relprobe.report.published import Published, beside, figures, of_averages
from relprobe.stats.schemas import Averages, Inference
from relprobe.studies.analogies.compare.frequency import frequency_summary
from relprobe.studies.analogies.measure.metrics import MEASURES
from relprobe.studies.analogies.schemas import Frequency


def published_figures(
    averages: Averages, frequency: Frequency, published: Published | None = None, *, inference: Inference
) -> ShownTable:
    """Put the figures that the paper prints beside ours. `inference` chooses the test that decides about frequency.

    `published`: none on own analogies, where nothing is put beside.
    """
    return beside(published, ours(averages, frequency_summary(frequency, inference)))


def ours(averages: Averages, frequency: pl.DataFrame) -> pl.DataFrame:
    """Return every accuracy of the averages in per cent, per group or relation and agent (OURS).

    `frequency`: that of frequency_summary, whose shares are of the relations that could be tested; they become per cent too.
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
