"""Our values of the figures that Jurgens et al. print, under the names of resources/published/degrees.csv."""

import polars as pl

from relprobe.report.published import OURS
from relprobe.studies.degrees.analyses import TEST

QUANTITIES = {
    "rho": "Spearman's rho",
    "significant_05": "subcategories with p < 0.05",
    "significant_01": "subcategories with p < 0.01",
    "maxdiff": "MaxDiff accuracy",
    "rho_without_reversals": "Spearman's rho without reversals",
    "reversal_rmse": "RMSE of reversals",
}
"""Metric -> what the published figures call it."""


def ours(summary: pl.DataFrame, data: pl.DataFrame) -> pl.DataFrame:
    """Return the averages (SUMMARY) over the test subcategories and their classes, and the size of the data (OURS)."""
    rows = summary.filter(pl.col("metric").is_in(list(QUANTITIES)))
    condition = pl.when(pl.col("condition") != TEST).then("condition")
    averages = rows.select(
        quantity=pl.col("metric").replace(QUANTITIES), condition=condition, agent="agent", ours="value"
    )
    none = pl.lit(None, pl.String)
    sizes = data.select(quantity="quantity", condition=none, agent=none, ours="value")
    return pl.concat([averages, sizes]).cast(OURS)
