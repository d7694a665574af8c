"""The values that the paper prints, beside ours: under the names of resources/published/analogies.csv.

## The paper's values beside this run
"""

import polars as pl

from relprobe.core.analyses import take
from relprobe.report.published import average_values, compare_published
from relprobe.stats.schemas import Averages
from relprobe.studies.analogies.measures import MEASURES
from relprobe.studies.analogies.results import Results

PLACE = 9


def ours(averages: Averages) -> pl.DataFrame:
    """Return every accuracy of the averages in per cent, per group or relation and agent (OURS)."""
    units = {metric.name: metric.items for metric in MEASURES}
    return average_values(averages, units, pl.format("{} (%)", "metric"), "condition", 100)


def _table(results: Results) -> pl.DataFrame:
    """Compare the paper's printed values with ours: the averages, and the results of analyses."""
    analysis_tables = [table for published in take("analogies", "published").values() for table in published(results)]
    return compare_published(results.published, pl.concat([ours(results.averages), *analysis_tables]))


TABLES = {"published": _table}
