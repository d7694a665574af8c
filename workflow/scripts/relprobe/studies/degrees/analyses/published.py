"""The values that the paper prints, beside ours: under the names of resources/published/degrees.csv.

## The paper's values beside this run
"""

import polars as pl

from relprobe.core.analyses import take
from relprobe.report.published import average_values, compare_published, figures
from relprobe.stats.schemas import Averages, Inference
from relprobe.studies.degrees.conditions import TEST
from relprobe.studies.degrees.measures import MEASURES
from relprobe.studies.degrees.results import Results
from relprobe.studies.degrees.tables import CORRECTED, QUANTITIES, UNCORRECTED, data_table

PLACE = 8
ITEMS = {metric.name: metric.items for metric in MEASURES}
UNITS = ITEMS | {"reversal_rmse": ITEMS["reversal_error"]}
"""Metric -> what its average is over."""


def ours(averages: Averages, data: pl.DataFrame, inference: Inference) -> pl.DataFrame:
    """Return the averages over the test subcategories and their classes, and the size of the data (OURS).

    `inference`: with "paper" a subcategory counts as significant as in the paper; else by the pairs without reversals, as a
    pair and its reversal are not independent, and an agent's p is adjusted for the number of agents.
    """
    names = {name: name for name in QUANTITIES}
    if inference != "paper":
        names |= {name: f"{name}_without_reversals" for name in QUANTITIES if name.startswith("significant")}
        data = data.filter(~pl.col("quantity").str.starts_with(UNCORRECTED.format(""))).with_columns(
            pl.col("quantity").str.replace(CORRECTED.format(""), UNCORRECTED.format(""), literal=True)
        )
    quantities = {ours: QUANTITIES[name] for name, ours in names.items()}
    rows = averages.filter(pl.col("metric").is_in(list(quantities)))
    condition = pl.when(pl.col("condition") != TEST).then("condition")
    means = average_values(rows, UNITS, pl.col("metric").replace(quantities), condition)
    sizes = figures(data.select(quantity="quantity", ours="value"))
    return pl.concat([means, sizes])


def _table(results: Results) -> pl.DataFrame:
    """Compare the paper's printed values with ours: the averages, the data, and the results of analyses."""
    analysis_tables = [table for published in take("degrees", "published").values() for table in published(results)]
    parts = [ours(results.averages, data_table(results), results.inference), *analysis_tables]
    return compare_published(results.published, pl.concat(parts))


TABLES = {"published": _table}
