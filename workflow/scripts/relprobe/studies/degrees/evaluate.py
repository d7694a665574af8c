"""Scores of a user's rating files in the task's own format, without a model and without a configuration."""

from pathlib import Path

import polars as pl

from relprobe.sources.semeval2012 import read
from relprobe.sources.semeval2012_ratings import find
from relprobe.sources.semeval2012_ratings import read as read_ratings
from relprobe.studies.degrees.analyses import by_agent, summary
from relprobe.studies.degrees.baselines import table
from relprobe.studies.degrees.build import gold, questions
from relprobe.studies.degrees.metrics import units
from relprobe.studies.degrees.schemas import TRAINING
from relprobe.studies.degrees.tables import subcategories

AVERAGE_METRICS = [
    "rho",
    "rho_without_reversals",
    "maxdiff",
    "maxdiff_without_reversals",
    "least",
    "most",
    "reversal_rmse",
]
COUNT_METRICS = ["significant_05", "significant_01", "negative_05", "significant_05_without_reversals"]


def evaluate(package: Path, ratings: Path, seed: int) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Score a rating file, or a folder of them, against the package of the task.

    Return the values per subcategory (subcategory, condition: its class or training, rho, p, maxdiff), and the averages and
    counts over the rated subcategories, one row for the training and one for the test part (part, subcategories, …).
    DataError: the package or the ratings lack a file, or a line is wrong.
    """
    subcategories_of = {one.id: one for one in read(package)}
    files = find(ratings, subcategories_of)
    rated = [one for name, one in subcategories_of.items() if name in files]
    rating_table = table("ratings", {one.id: read_ratings(files[one.id], one) for one in rated})
    values = by_agent([units(rating_table, gold(rated), questions(rated), seed).with_columns(agent=pl.lit("ratings"))])
    return subcategories(values).drop("agent"), _averages(summary(values))


def _averages(rows: pl.DataFrame) -> pl.DataFrame:
    parts = rows.filter(pl.col("condition").is_in([TRAINING, "test"]))
    counts = parts.filter(metric="maxdiff").select("condition", subcategories="units")
    wide = parts.pivot("metric", index="condition", values="value", maintain_order=True)
    present = [name for name in AVERAGE_METRICS + COUNT_METRICS if name in wide.columns]
    joined = counts.join(wide, on="condition", maintain_order="left")
    columns = joined.select(pl.col("condition").alias("part"), "subcategories", *present)
    return columns.with_columns(pl.col(set(COUNT_METRICS) & set(present)).round().cast(pl.UInt32))
