"""The values that the paper prints, beside ours: under the names of resources/published/systematicity.csv.

## The paper's values beside this run
"""

import polars as pl

from relprobe.core.analyses import take
from relprobe.report.published import average_values, compare_published, figures, shares_in_percent
from relprobe.stats.schemas import Averages
from relprobe.studies.systematicity.measures import MEASURES
from relprobe.studies.systematicity.results import Results
from relprobe.studies.systematicity.schemas import INPUTS, PARTS, Detection
from relprobe.studies.systematicity.tables import diagnostics, parts

PLACE = 13
QUANTITIES = {metric.name: metric.published for metric in MEASURES if metric.published}
UNITS = {metric.name: metric.items for metric in MEASURES}


def ours(results: Results) -> pl.DataFrame:
    """Return our values of the published figures (OURS); shares are in per cent, as there.

    Those of other analyses are what their functions `published` return. Tables 4 to 6 are about the released pairs, so a run
    on built items has no values of them.
    """
    counts = diagnostics(results.item_table)
    released = "extended" in set(counts["set"])
    tables = {
        "accuracy": [accuracies(results.averages)],
        "hypernymy": detection(results.detection) if released else [],
        **{analysis: published(results) for analysis, published in take("systematicity", "published").items()},
        "sizes": [probes(counts), *([folds(parts(results.pairs))] if released else [])],
    }
    return pl.concat([table for name in sorted(tables) for table in tables[name]])


def accuracies(averages: Averages) -> pl.DataFrame:
    """Return the averages of Table 2 (OURS)."""
    printed = averages.filter(pl.col("metric").is_in(list(QUANTITIES)))
    return average_values(printed, UNITS, pl.col("metric").replace_strict(QUANTITIES), "condition", 100)


def detection(table: Detection) -> list[pl.DataFrame]:
    """Return the accuracy of the classifiers, its spread and their false positives (OURS; Table 4)."""
    input_text = pl.col("input").replace_strict(INPUTS, default="")
    return [
        shares_in_percent(
            table,
            pl.format("detection {}{} (%)", pl.lit(name), input_text),
            "setting",
            column,
            n=n,
            units=n,
            bounds=bounds,
        )
        for name, column, n, bounds in (
            ("accuracy", "accuracy", "pairs", ("low", "high")),
            ("standard deviation", "sd", "folds", None),
            ("errors that are false positives", "false_positives", "errors", None),
        )
    ]


def probes(diagnostics: pl.DataFrame) -> pl.DataFrame:
    """Return the number of probes (OURS; Table 1)."""
    in_all = diagnostics.filter(pl.col("category").is_null())
    kinds = in_all.unpivot(["singular", "plural", "contextual"], index="set")
    return figures(kinds.select(quantity=pl.format("{} probes", "variable"), condition="set", ours="value"))


def folds(parts: pl.DataFrame) -> pl.DataFrame:
    """Return the number of pairs of each fold (OURS; Tables 5 and 6)."""
    sizes = parts.unpivot(PARTS, index=["setting", "fold"])
    quantity, condition = pl.format("{} pairs", "variable"), pl.format("{}, fold {}", "setting", "fold")
    return figures(sizes.select(quantity=quantity, condition=condition, ours="value"))


def _table(results: Results) -> pl.DataFrame:
    return compare_published(results.published, ours(results))


TABLES = {"published": _table}
