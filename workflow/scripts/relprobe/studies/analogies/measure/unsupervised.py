"""The unsupervised setting (sections 2.1, 2.4 and 3.1): an agent says which of two tuples is more like the query."""

from typing import Literal

import numpy as np
import polars as pl
from numpy.typing import NDArray

from relprobe.core.errors import DataError
from relprobe.lm.score_files.reader import ScoreFile
from relprobe.studies.analogies.ask.prompts import NEGATIVE, POSITIVE, Template
from relprobe.studies.analogies.ask.requests import Scores
from relprobe.studies.analogies.measure.features import Matrix, PairFeatures
from relprobe.studies.analogies.schemas import DECISIONS, Decisions, Instances, Partition

Perplexity = Literal["sentence", "token"]


def by_perplexity(
    scores: Scores, instances: Instances, *, template: str, partitions: list[Partition], perplexity: Perplexity
) -> Decisions:
    """Let a model choose the tuple of each instance whose sentence has the lower (pseudo-)perplexity (Eq. 1).

    "sentence" is exp(-Σ log P) as Eq. 1 prints it, "token" the usual exp(-Σ log P / |S|). An instance with a word that the
    model's tokenizer cannot write has no decision. DataError: the scores lack a sentence.

    >>> from relprobe.studies.analogies.schemas import INSTANCES
    >>> row = ("E01", 1, "test", "reverse", "rome", "italy", "oslo", "norway", "norway", "oslo", None)
    >>> instances = pl.DataFrame([row], schema=INSTANCES, orient="row")
    >>> texts = ["rome italy, oslo norway", "rome italy, norway oslo"]
    >>> scores = pl.DataFrame({"text": texts, "logprob": [-5.0, -7.0], "tokens": [4, 4]})
    >>> options = {"template": "{h1} {t1}, {h2} {t2}", "partitions": ["test"], "perplexity": "sentence"}
    >>> by_perplexity(scores, instances, **options)["value"].item()
    1.0
    """
    sentence, rows = Template.of(template), instances.filter(pl.col("partition").is_in(partitions))
    per = pl.col("tokens") if perplexity == "token" else pl.lit(1)
    log_perplexities = scores.select("text", log_perplexity=-pl.col("logprob") / per)
    texts = [rows.select(text=sentence.expression(columns)) for columns in (POSITIVE, NEGATIVE)]
    if pl.concat(texts).join(scores, on="text", how="anti").height:
        raise DataError("the scores lack a sentence of the instances: delete them and run again.")
    positive, negative = (
        text.join(log_perplexities, on="text", how="left", maintain_order="left")["log_perplexity"].alias(name)
        for name, text in zip(("positive", "negative"), texts, strict=True)
    )
    known = positive.is_not_null() & negative.is_not_null()
    return decisions_of(rows.filter(known), _values(-positive.filter(known), -negative.filter(known)))


def by_cosine(vectors: ScoreFile, instances: Instances, *, partitions: list[Partition]) -> Decisions:
    """Let a baseline choose the tuple of each instance whose embedding has the larger cosine with the query's (section 3.1).

    `vectors`: a file of pair_embeddings.VECTORS, from which one relation is read at a time.
    """
    rows = instances.filter(pl.col("partition").is_in(partitions))
    return pl.concat(
        by_features(rows.filter(relation=relation), PairFeatures.read(vectors, relation))
        for relation in rows["relation"].unique(maintain_order=True)
    )


def by_features(rows: pl.DataFrame, vectors: PairFeatures) -> pl.DataFrame:
    """Choose by cosine between the two tuples of each instance of one relation; return the decisions (DECISIONS)."""
    query = vectors.of_pairs(rows.select("query_head", "query_tail"))
    positive, negative = (
        pl.Series(cosines(query, vectors.of_pairs(rows.select(columns))), dtype=pl.Float64, nan_to_null=True)
        for columns in (["head", "tail"], ["negative_head", "negative_tail"])
    )
    return decisions_of(rows, _values(positive, negative))


def cosines(a: Matrix, b: Matrix) -> NDArray[np.float64]:
    """Return the cosine of each row of `a` with that of `b` (rows,); NaN where a vector is missing (NaN) or zero.

    >>> cosines(np.array([[1.0, 0.0], [0.0, 0.0]], np.float32), np.array([[2.0, 0.0], [1.0, 1.0]], np.float32))
    array([ 1., nan])
    """
    scale = np.linalg.norm(a, axis=1).astype(np.float64) * np.linalg.norm(b, axis=1)
    dots = np.einsum("ij,ij->i", a, b, dtype=np.float64)
    return np.divide(dots, scale, out=np.full(len(a), np.nan), where=scale > 0)


def _values(positive: pl.Series, negative: pl.Series) -> pl.Series:
    """Return the values of decisions between the scores of two tuples: the larger score wins.

    A tie counts 1/2: an agent that scores all tuples alike is right as often as one that guesses.
    """
    value = pl.when(positive > negative).then(1.0).when(positive < negative).then(0.0).when(positive == negative)
    return pl.select(value.then(0.5).otherwise(None)).to_series()


def decisions_of(instances: Instances, values: pl.Series) -> Decisions:
    """Return the decisions on instances (DECISIONS). `values`: of each, 1 right, 0 wrong, or between them; null: none."""
    return instances.select(
        setting=pl.lit("unsupervised"),
        relation="relation",
        probe="probe",
        draw="draw",
        query=pl.format("{} : {}", "query_head", "query_tail"),
        tuple=pl.format("{} : {}", "head", "tail"),
        head="head",
        tail="tail",
        label=pl.lit(None, pl.Boolean),
        value=values,
        instead_of="instead_of",
    ).select(list(DECISIONS))
