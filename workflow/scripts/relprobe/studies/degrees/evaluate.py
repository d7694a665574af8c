"""The score of rating files that a user brings, in the task's own format: no model, no configuration."""

from pathlib import Path

import polars as pl

from relprobe.sources.semeval2012 import read
from relprobe.sources.semeval2012_ratings import find
from relprobe.sources.semeval2012_ratings import read as read_ratings
from relprobe.studies.degrees.analyses import by_agent, summary
from relprobe.studies.degrees.baselines import table
from relprobe.studies.degrees.build import gold, questions
from relprobe.studies.degrees.metrics import TRAINING, units
from relprobe.studies.degrees.tables import subcategories

AVERAGED = ["rho", "rho_without_reversals", "maxdiff", "least", "most", "reversal_rmse"]
COUNTED = ["significant_05", "significant_01", "negative_05"]


def evaluate(package: Path, ratings: Path, seed: int) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Score a rating file, or a folder of them, against the package of the task.

    Return the values per subcategory (subcategory, condition: its class or training, rho, p, maxdiff), and the averages and
    counts over the rated subcategories, a row for those of the training and of the test part (part, subcategories, …).
    DataError: a file that the package or the ratings lack, or a line that is wrong.
    """
    every = {one.id: one for one in read(package)}
    files = find(ratings, every)
    rated = [one for name, one in every.items() if name in files]
    made = table("ratings", {one.id: read_ratings(files[one.id], one) for one in rated})
    values = by_agent([units(made, gold(rated), questions(rated), seed).with_columns(agent=pl.lit("ratings"))])
    return subcategories(values).drop("agent"), _averages(summary(values))


def _averages(rows: pl.DataFrame) -> pl.DataFrame:
    parts = rows.filter(pl.col("condition").is_in([TRAINING, "test"]))
    counted = parts.filter(metric="maxdiff").select("condition", subcategories="units")
    wide = parts.pivot("metric", index="condition", values="value", maintain_order=True)
    present = [name for name in AVERAGED + COUNTED if name in wide.columns]
    joined = counted.join(wide, on="condition", maintain_order="left")
    columns = joined.select(pl.col("condition").alias("part"), "subcategories", *present)
    return columns.with_columns(pl.col(set(COUNTED) & set(present)).cast(pl.UInt32))
