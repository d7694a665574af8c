"""The tables in which a model answers: their columns."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl

TOP_WORDS = pl.Schema(
    {"id": pl.UInt32(), "text": pl.String(), "rank": pl.UInt32(), "word": pl.String(), "logprob": pl.Float32()}
)
LAYER_WORDS = pl.Schema(
    {
        "id": pl.UInt32(),
        "text": pl.String(),
        "layer": pl.UInt32(),  # 0: the embeddings
        "rank": pl.UInt32(),
        "word": pl.String(),
        "logprob": pl.Float32(),
    }
)
SERVED_WORDS = pl.Schema(
    {**TOP_WORDS, "error": pl.Float32()}  # how far the true log-probability may be from the one that is given
)
CANDIDATES = pl.Schema(
    {
        "id": pl.UInt32(),
        "text": pl.String(),
        "candidate": pl.String(),
        "tokens": pl.UInt32(),  # how many the candidate has
        "logprob": pl.Float32(),  # of the whole candidate; null where the tokenizer cannot write a word of it or of its text
    }
)
SENTENCES = pl.Schema(
    {
        "id": pl.UInt32(),
        "text": pl.String(),
        "logprob": pl.Float32(),  # the sum of `logprobs`; null where no token has one
        "tokens": pl.List(pl.String()),
        "logprobs": pl.List(pl.Float32()),  # null for a first token that nothing precedes, and beside unknown words
    }
)
WORDS = pl.Schema(
    {
        "id": pl.UInt32(),
        "place": pl.UInt32(),  # of the word in its text, from 0
        "word": pl.String(),
        "start": pl.UInt32(),  # its characters in the text
        "stop": pl.UInt32(),
        "tokens": pl.List(pl.String()),
        "nats": pl.Float32(),  # its surprisal; missing for a first token that nothing precedes
        "bits": pl.Float32(),
        "correction": pl.Float32(),  # the nats that count the ends of words
    }
)


def ranking(texts: Sequence[str], answers: Sequence[tuple[Any, ...]], columns: pl.Schema) -> pl.DataFrame:
    """Return the answers as a table: those of a text are the words by their ids, the ids, best first, and their values.

    A text without an answer has one row, in which all of this is null.
    """
    rows: list[tuple[Any, ...]] = []
    for i, (text, (words, *values)) in enumerate(zip(texts, answers, strict=True)):
        ranked = enumerate(zip(*(column.tolist() for column in values), strict=True), 1)
        ranked_rows = [(i, text, rank, words[word], *numbers) for rank, (word, *numbers) in ranked]
        rows += ranked_rows or [(i, text, *[None] * (len(columns) - 2))]
    return pl.DataFrame(rows, schema=columns, orient="row")


def finite(value: float) -> float | None:
    """Return a number, or None in the place of NaN.

    >>> finite(-0.5), finite(float("nan"))
    (-0.5, None)
    """
    return None if math.isnan(value) else float(value)


def possible(words: dict[int, str], tokens: Any, logprobs: Any) -> tuple[Any, ...]:
    """Return an answer without the tokens that are none, whose log-probability is -inf: fewer than k are words.

    >>> possible({7: "bird"}, np.array([7, 3]), np.array([-0.5, -np.inf]))[1:]
    (array([7]), array([-0.5]))
    """
    are_answers = logprobs > -np.inf
    return words, tokens[are_answers], logprobs[are_answers]


def ranked_by_layer(texts: Sequence[str], answers: Sequence[tuple[Any, ...]], layers: Sequence[int]) -> pl.DataFrame:
    """Return answers of several layers as a table (LAYER_WORDS); the values of an answer have shape (layers, k)."""
    tables = [
        ranking(texts, [possible(words, ids[position], values[position]) for words, ids, values in answers], TOP_WORDS)
        .with_columns(layer=pl.lit(layer, pl.UInt32()))
        .select(LAYER_WORDS.names())
        for position, layer in enumerate(layers)
    ]
    return pl.concat(tables).sort("id", "layer", "rank")
