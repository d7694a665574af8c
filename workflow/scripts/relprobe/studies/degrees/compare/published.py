"""Our values of the figures that Jurgens et al. print, under the names of resources/published/degrees.csv."""

import polars as pl

from relprobe.core.files import Parquet, ShownTable
from relprobe.report.published import Published, beside, figures, of_averages
from relprobe.stats.schemas import Averages, Inference
from relprobe.studies.degrees.compare.analyses import TEST
from relprobe.studies.degrees.compare.difficulty import MEAN
from relprobe.studies.degrees.measure.metrics import MEASURES

QUANTITIES = {
    "rho": "Spearman's rho",
    "significant_05": "subcategories with p < 0.05",
    "significant_01": "subcategories with p < 0.01",
    "maxdiff": "MaxDiff accuracy",
    "rho_without_reversals": "Spearman's rho without reversals",
    "reversal_rmse": "RMSE of reversals",
}
"""Metric -> what the published figures call it."""
ITEMS = {metric.name: metric.items for metric in MEASURES}
UNITS = ITEMS | {"reversal_rmse": ITEMS["reversal_error"]}
"""Metric -> what its average is over."""
DROP = ("rank of the drop by reversal", "rank of the drop by reversal, from the smallest")
SPREAD = "correlation of difficulty with the {} (1: p < 0.05; 0: not)"
ALPHA = 0.05
UNCORRECTED, CORRECTED = "subcategories where an agent has p < {}", "subcategories where an agent has p_holm < {}"


def published_figures(
    averages: Averages,
    data: Parquet,
    difficulty: Parquet,
    spread: Parquet,
    published: Published | None = None,
    *,
    inference: Inference,
) -> ShownTable:
    """Put the figures that the paper prints beside ours. `inference`: by which test subcategories are significant.

    `difficulty`, `spread`: the tables of these names. `published`: none on own data, where nothing is put beside.
    """
    return beside(published, pl.concat([ours(averages, data, inference), *of_section_6(difficulty, spread)]))


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
    means = of_averages(rows, UNITS, pl.col("metric").replace(quantities), condition)
    sizes = figures(data.select(quantity="quantity", ours="value"))
    return pl.concat([means, sizes])


def of_section_6(difficulty: pl.DataFrame, spread: pl.DataFrame) -> list[pl.DataFrame]:
    """Return what section 6 finds: what a reversal costs most and least, and what difficulty goes with (OURS).

    >>> hard = pl.DataFrame({"name": ["Sequence", "Part", "Contrary"], "drop": [32.5, 9.0, -0.8]})
    >>> flat = pl.DataFrame({"agent": [MEAN], "spread": ["range of the gold ratings"], "p": [0.4], "subcategories": [69]})
    >>> most, least, of_spread = of_section_6(hard, flat)
    >>> most["ours"].to_list(), least["ours"].to_list(), of_spread["ours"].to_list()
    ([1.0, 2.0, 3.0], [3.0, 2.0, 1.0], [0.0])
    """
    known = difficulty.drop_nulls("drop")
    ranks = [
        known.select(quantity=pl.lit(name), condition="name", agent=pl.lit(None, pl.String), ours=rank)
        for name, rank in zip(DROP, (pl.col("drop").rank("min", descending=up) for up in (True, False)), strict=True)
    ]
    tested = spread.filter(agent=MEAN).drop_nulls("p")
    related = tested.select(
        quantity=pl.format(SPREAD, "spread"),
        condition=pl.lit(None, pl.String),
        agent=pl.lit(None, pl.String),
        ours=(pl.col("p") < ALPHA).cast(pl.Float64),
        n="subcategories",
        units=pl.lit("subcategories"),
    )
    return [figures(table) for table in (*ranks, related)]
