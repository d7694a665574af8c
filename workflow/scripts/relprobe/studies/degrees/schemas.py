"""The tables of the degrees study; each is written with exactly these columns and types."""

import polars as pl

from relprobe.core.unit_schemas import AVERAGES, TESTS, UNITS
from relprobe.studies.degrees.requests import PROBES, SCORES

__all__ = ["CHOICES", "GOLD", "METRICS", "PROBES", "QUESTIONS", "RATINGS", "SCORES", "SUMMARY", "TESTS"]

GOLD = pl.Schema(
    {
        "subcategory": pl.String(),  # number and letter, such as 1a
        "relation_class": pl.String(),
        "training": pl.Boolean(),
        "pair": pl.String(),  # x:y
        "reverses": pl.String(),  # the pair whose words the authors exchanged to get this one
        "rating": pl.Float64(),  # percentage of answers: most minus least illustrative, to one decimal
    }
)

QUESTIONS = pl.Schema(
    {
        "subcategory": pl.String(),
        "pairs": pl.List(pl.String()),  # the four pairs of the question
        "least": pl.List(pl.String()),  # the choices of the majority: one pair, or several that tie
        "most": pl.List(pl.String()),
        "answers": pl.UInt16(),
    }
)

RATINGS = pl.Schema(
    {
        "agent": pl.String(),  # a model and its rater, such as "smollm2-135m schema", or a baseline
        "subcategory": pl.String(),
        "pair": pl.String(),
        "rating": pl.Float64(),  # null if the agent does not know the words
    }
)

METRICS = pl.Schema({"agent": pl.String(), **UNITS})

SUMMARY = AVERAGES

CHOICES = pl.Schema(
    {
        "among": pl.String(),  # the model whose raters are chosen from, or "all models"
        "metric": pl.String(),
        "chosen": pl.String(),  # the best agent on the training subcategories
        "training": pl.Float64(),  # its average there
        "cross_validated": pl.Float64(),  # the average if each subcategory is rated by the best agent on the others
        "mean_training": pl.Float64(),  # the mean of all agents there
        "gain": pl.Float64(),  # cross_validated - mean_training
        "gain_low": pl.Float64(),  # 95 % bootstrap interval over the training subcategories
        "gain_high": pl.Float64(),
        "test": pl.Float64(),  # the best agent's average on the test subcategories
        "mean_test": pl.Float64(),  # the mean of all agents there
    }
)
