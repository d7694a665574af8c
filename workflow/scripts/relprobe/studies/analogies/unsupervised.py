"""The unsupervised setting: which of two tuples is more like the query? Sections 2.1, 2.4 and 3.1."""

from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import numpy as np
import polars as pl
from numpy.typing import NDArray

from relprobe.core.errors import DataError
from relprobe.studies.analogies.requests import NEGATIVE, POSITIVE
from relprobe.studies.analogies.schemas import DECISIONS
from relprobe.studies.analogies.supervised import Matrix, OfPairs
from relprobe.studies.analogies.template import Template

Perplexity = Literal["sentence", "token"]


def by_perplexity(
    instances: pl.DataFrame, scores: pl.DataFrame, template: Template, perplexity: Perplexity
) -> pl.DataFrame:
    """Choose the tuple whose sentence has the lower (pseudo-)perplexity (Eq. 1); return the decisions (DECISIONS).

    `scores`: the log-probability of each text and its number of tokens (SCORES). "sentence" is exp(-Σ log P) as Eq. 1
    prints it, "token" the usual exp(-Σ log P / |S|). DataError: a sentence without a score.
    """
    per = pl.col("tokens") if perplexity == "token" else pl.lit(1)
    known = scores.select("text", log_perplexity=-pl.col("logprob") / per)
    positive, negative = (
        instances.select(text=template.expression(columns))
        .join(known, on="text", how="left", maintain_order="left")["log_perplexity"]
        .alias(name)
        for name, columns in (("positive", POSITIVE), ("negative", NEGATIVE))
    )
    if positive.null_count() or negative.null_count():
        raise DataError("the scores lack a sentence of the instances: delete them and run again.")
    return _decisions(instances, -positive, -negative)


def by_cosine(instances: pl.DataFrame, vectors: Path) -> Iterator[pl.DataFrame]:
    """Choose the tuple whose embedding has the larger cosine with the query's; yield the decisions of each relation.

    `vectors`: a file of pairs.VECTORS, of which one relation is read at a time.
    """
    for relation in instances["relation"].unique(maintain_order=True):
        yield _by_cosine(instances.filter(relation=relation), OfPairs(vectors, relation))


def _by_cosine(rows: pl.DataFrame, vectors: OfPairs) -> pl.DataFrame:
    query = vectors.one(rows.select("query_head", "query_tail"))
    positive, negative = (
        pl.Series(_cosines(query, vectors.one(rows.select(columns))), dtype=pl.Float64, nan_to_null=True)
        for columns in (["head", "tail"], ["negative_head", "negative_tail"])
    )
    return _decisions(rows, positive, negative)


def _cosines(a: Matrix, b: Matrix) -> NDArray[np.float64]:
    """Return the cosine of each row of a with that of b (rows,), NaN where one is missing or 0."""
    scale = np.linalg.norm(a, axis=1).astype(np.float64) * np.linalg.norm(b, axis=1)
    dots = np.einsum("ij,ij->i", a, b, dtype=np.float64)
    return np.divide(dots, scale, out=np.full(len(a), np.nan), where=scale > 0)


def _decisions(instances: pl.DataFrame, positive: pl.Series, negative: pl.Series) -> pl.DataFrame:
    """Return the decisions between scores of which the larger one wins.

    A tie is no win and no defeat: it counts 1/2, so that who scores all tuples alike is right as often as who guesses.
    """
    value = pl.when(positive > negative).then(1.0).when(positive < negative).then(0.0).when(positive == negative)
    return instances.select(
        setting=pl.lit("unsupervised"),
        relation="relation",
        probe="probe",
        query=pl.format("{} : {}", "query_head", "query_tail"),
        head="head",
        tail="tail",
        label=pl.lit(None, pl.Boolean),
        value=value.then(0.5).otherwise(None),
    ).select(list(DECISIONS))
