"""The sentences of the analogies, each once, as requests to the scoring engine, and the score files: all that is scored."""

import logging
from collections.abc import Iterator, Sequence

import numpy as np
import polars as pl
import pyarrow as pa

from relprobe.lm.requests import Sentence, SentenceResponse, SpanResponse, SpanText
from relprobe.studies.analogies.template import ANALOGY, Template

logger = logging.getLogger("relprobe")
PART = 512
"""Sentences of one part of a file: each has some ten tokens, and so many inputs of a masked model."""

SENTENCES = pl.Schema(
    {
        "relation": pl.String(),
        "partition": pl.String(),
        "text": pl.String(),
        **{place: pl.String() for place in ANALOGY},  # the words
    }
)
"""The different sentences of the study: a row per relation, partition and text."""

POSITIVE = {"h1": "query_head", "t1": "query_tail", "h2": "head", "t2": "tail"}
NEGATIVE = {**POSITIVE, "h2": "negative_head", "t2": "negative_tail"}
"""Place in the template -> column of INSTANCES."""

SCORES = pa.schema(
    [
        ("text", pa.string()),
        ("logprob", pa.float64()),  # natural log, summed over the tokens that have a probability
        ("tokens", pa.int32()),  # how many those are
    ]
)
EMBEDDINGS = pa.schema(
    [
        ("relation", pa.string()),
        ("text", pa.string()),
        *((place, pa.list_(pa.float32())) for place in ANALOGY),
    ]
)


def sentences(instances: pl.DataFrame, template: Template) -> pl.DataFrame:
    """Return the different sentences of both tuples of all instances (SENTENCES); the share that recurs is logged."""
    both = [
        instances.select(
            "relation",
            "partition",
            text=template.expression(columns),
            **{place: pl.col(column) for place, column in columns.items()},
        )
        for columns in (POSITIVE, NEGATIVE)
    ]
    everything = pl.concat(both)
    different = everything.unique(["relation", "partition", "text"]).sort("relation", "partition", *ANALOGY)
    saved = 1 - different.height / max(everything.height, 1)
    logger.info(
        "%s instances ask for %s sentences, of which %s are different: %.0f %% need not be scored again",
        *(f"{count:,}" for count in (instances.height, everything.height, different.height)),
        100 * saved,
    )
    return different.select(list(SENTENCES))


def to_score(table: pl.DataFrame) -> Iterator[Sentence]:
    """Yield every text once, as a request for the probabilities of its tokens."""
    for text in table["text"].unique(maintain_order=True):
        yield Sentence(text, text)


def to_embed(table: pl.DataFrame, template: Template) -> Iterator[SpanText]:
    """Yield every sentence as a request for the vectors of its four words, in the order of ANALOGY."""
    for relation, *words in table.select("relation", *template.places).iter_rows():
        text, spans = template.fill(words)
        yield SpanText(f"{relation}\t{text}", text, tuple(spans[place] for place in ANALOGY))


def score_table(responses: Sequence[SentenceResponse]) -> pa.Table:
    """Return the summed log-probabilities (SCORES).

    A causal model that begins with no BOS token gives the first token, which all sentences of a query share, none.
    """
    known = [response.logprobs[~np.isnan(response.logprobs)].astype(np.float64) for response in responses]
    columns = [
        [response.id for response in responses],
        [float(values.sum()) for values in known],
        [len(values) for values in known],
    ]
    return pa.table(
        [pa.array(values, field.type) for values, field in zip(columns, SCORES, strict=True)], schema=SCORES
    )


def embedding_table(responses: Sequence[SpanResponse]) -> pa.Table:
    """Return the vectors of the four words of each sentence (EMBEDDINGS)."""
    ids = [response.id.split("\t", 1) for response in responses]
    columns = [
        pa.array(column, pa.string()) for column in ([relation for relation, _ in ids], [text for _, text in ids])
    ]
    vectors = [
        pa.array([response.vectors[place] for response in responses], pa.list_(pa.float32()))
        for place in range(len(ANALOGY))
    ]
    return pa.table([*columns, *vectors], schema=EMBEDDINGS)
