"""The values that papers print, beside ours: under the names of resources/published/pairs.csv.

## The paper's values beside this run
"""

import polars as pl

from relprobe.core.analyses import take
from relprobe.report.published import average_values, compare_published, figures
from relprobe.studies.pairs.measures import MEASURES
from relprobe.studies.pairs.results import Results
from relprobe.studies.pairs.schemas import ALL, Ceilings, PairAverages

RHO = "Spearman's rho with the ratings"
AGREEMENT = {"pairwise": "agreement: two raters", "one_with_rest": "agreement: a rater and the mean of the others"}
"""Column of the ceilings -> what the published figures call it."""
ALL_PAIRS = "hyperlex"
"""The condition of nouns and verbs together, which the published figures leave empty."""


def our_values(averages: PairAverages, ceilings: Ceilings) -> list[pl.DataFrame]:
    """Return our correlations with the ratings of HyperLex, and how well its raters agree (OURS)."""
    rated = averages.filter(pl.col("condition").str.starts_with(ALL_PAIRS), metric="rho", foils=ALL)
    units = {metric.name: metric.items for metric in MEASURES}
    condition = pl.col("condition").replace({ALL_PAIRS: None})
    rated_pairs = ceilings.filter(pl.col("condition").str.starts_with(ALL_PAIRS))
    agreeing = [
        rated_pairs.drop_nulls(column).select(
            quantity=pl.lit(name),
            condition="condition",
            agent=pl.lit("humans"),
            ours=column,
            n="pairs",
            units=pl.lit("pairs"),
        )
        for column, name in AGREEMENT.items()
    ]
    return [average_values(rated, units, pl.lit(RHO), condition), *map(figures, agreeing)]


def _table(results: Results) -> pl.DataFrame:
    ours = our_values(results.averages, results.ceiling)
    ours += [table for make in take("pairs", "published").values() for table in make(results)]
    return compare_published(results.published, pl.concat(ours))


TABLES = {"published": _table}
