"""What a network answers: its scores and embeddings, its states after each layer, and its choices in words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Annotated, Any, Literal, NamedTuple

import numpy as np
import polars as pl
import pyarrow as pa

from relprobe.core.errors import ModelError
from relprobe.core.step import Part
from relprobe.lm.chat_models.here import write_replies
from relprobe.lm.primitives.embeddings import embeddings as embed
from relprobe.lm.primitives.sentences import pseudo_logprob
from relprobe.lm.requests import SentenceResponse, SpanResponse
from relprobe.lm.score_files.layers import Table, states_of_layers
from relprobe.lm.score_files.parts import Scoring
from relprobe.lm.settings import ModelSettings
from relprobe.lm.words.unknown import require_known
from relprobe.studies.analogies.chat import questions
from relprobe.studies.analogies.method import sentence_requests, span_requests
from relprobe.studies.analogies.schemas import ANALOGY, EMBEDDINGS, SCORES, Instances, Partition, Probes
from relprobe.studies.analogies.template import Template
from relprobe.studies.letters import TOKENS

# The tables of what a model answers.


def score_table(responses: Sequence[SentenceResponse]) -> pa.Table:
    """Return the summed log-probabilities (SCORES), in natural log.

    A causal model whose input begins without a BOS token gives the first token no probability (NaN). All sentences of a
    query share this token, so that their sums still compare. Where no token has one, there is no sum (null): the tokenizer
    cannot write a word of the sentence.

    >>> response = SentenceResponse("a b c", np.array([4, 5, 6]), np.array([np.nan, -1.5, -0.25]))
    >>> score_table([response]).to_pylist()
    [{'text': 'a b c', 'logprob': -1.75, 'tokens': 2}]
    """
    values = [response.logprobs[~np.isnan(response.logprobs)].astype(np.float64) for response in responses]
    columns = [
        [response.id for response in responses],
        [float(logprobs.sum()) if len(logprobs) else None for logprobs in values],
        [len(logprobs) for logprobs in values],
    ]
    return pa.table(
        [pa.array(column, field.type) for column, field in zip(columns, SCORES, strict=True)], schema=SCORES
    )


def embedding_table(responses: Sequence[SpanResponse]) -> pa.Table:
    """Return the vectors of the four words of each sentence (EMBEDDINGS)."""
    ids = [response.id.split("\t", 1) for response in responses]
    columns = [
        pa.array(column, pa.string()) for column in ([relation for relation, _ in ids], [text for _, text in ids])
    ]
    vectors = [
        pa.array([response.vectors[index] for response in responses], pa.list_(pa.float32()))
        for index in range(len(ANALOGY))
    ]
    return pa.table([*columns, *vectors], schema=EMBEDDINGS)


# Embeddings in half precision: a file of the published study then has half its size.


TableMaker = Callable[[Sequence[Any]], pa.Table]
LARGEST = float(np.finfo(np.float16).max)
"""65,504: a larger number would become infinite."""


def in_half_precision(table: TableMaker) -> TableMaker:
    """Return a function that makes the same table with the numbers of vectors in 16 bits in place of 32.

    The relative error of a number is at most 1/2048. ModelError: a number of a vector is beyond LARGEST.

    >>> columns = pa.schema([("x", pa.string()), ("v", pa.list_(pa.float32()))])
    >>> def wide(rows): return pa.table({"x": ["a"], "v": [[1.0, 0.5]]}, schema=columns)
    >>> half = in_half_precision(wide)([])
    >>> str(half.schema.field("v").type.value_type), half["v"].to_pylist()
    ('halffloat', [[1.0, 0.5]])
    """

    def in_half(responses: Sequence[Any]) -> pa.Table:
        full = table(responses)
        columns = [_half(column) if column.type == pa.list_(pa.float32()) else column for column in full.itercolumns()]
        return pa.table(columns, names=full.column_names)

    return in_half


def _half(column: pa.ChunkedArray) -> pa.Array:
    lists = column.combine_chunks()
    lists = lists if isinstance(lists, pa.ListArray) else pa.concat_arrays(column.chunks)
    values = lists.flatten().to_numpy(zero_copy_only=False)
    if len(values) and float(np.abs(values).max()) > LARGEST:
        raise ModelError(
            f"an embedding holds the number {float(np.abs(values).max()):.4g}, which is too large for 16 bits: "
            "set analogies.supervised.precision: single."
        )
    lengths = lists.value_lengths().to_numpy(zero_copy_only=False)
    offsets = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32)
    return pa.ListArray.from_arrays(pa.array(offsets), pa.array(values.astype(np.float16)))


# What a model is asked about the sentences: how likely they are, and what vectors their words have.


PART = 512
"""Sentences in one part of a score file: a sentence has about ten tokens, and a masked model reads it once for each."""


def scores(
    model: ModelSettings,
    probes: Probes,
    *,
    partitions: list[Partition],
    template: str | None = None,
    shots: int = 0,
    examples: dict[str, Any] | None = None,
) -> Scoring:
    """Score the sentences of some partitions with a model: the (pseudo-)log-probability of each.

    `shots`: how many `examples` (those of the group "") in the `template` stand before a sentence.
    """
    asked = probes.filter(pl.col("partition").is_in(partitions))
    filled = None if template is None else Template.of(template)
    return Scoring(
        "analogies scores",
        model,
        lambda: sentence_requests(asked, filled, shots, (examples or {}).get("", ())),
        pseudo_logprob,
        score_table,
        "sentences",
        PART,
        count=asked["text"].n_unique(),
    )


def embeddings(
    model: ModelSettings,
    probes: Probes,
    *,
    template: str,
    layer: int,
    precision: Literal["half", "single"] = "half",
) -> Scoring:
    """Embed the four words of every sentence with a model, in a layer of hidden states; -1 is the last (section 2.4).

    `precision`: whether the vectors are stored in 16 or 32 bits.
    """
    return Scoring(
        "analogies embeddings",
        model,
        lambda: require_known(model.encoder.tokenizer, span_requests(probes, Template.of(template)), "the analogies"),
        lambda network, part: embed(network, part, layer),
        in_half_precision(embedding_table) if precision == "half" else embedding_table,
        "sentences",
        count=probes.select("relation", "text").n_unique(),
    )


class Answers(NamedTuple):
    """How likely the sentences are to a model, and its states of their words."""

    scores: Annotated[Scoring, Part(scores)]
    embeddings: Annotated[Scoring, Part(embeddings)] | None = None


def ask(
    model: ModelSettings,
    probes: Probes,
    *,
    partitions: list[Partition],
    template: str,
    layer: int | None = None,
    precision: Literal["half", "single"] = "half",
    shots: int = 0,
    examples: dict[str, Any] | None = None,
) -> Answers:
    """Score the sentences with a model and, where `layer` says so, embed their words; it is loaded once.

    The options are those of `scores` and `embeddings`.
    """
    sentence_scores = scores(model, probes, partitions=partitions, template=template, shots=shots, examples=examples)
    if layer is None:
        return Answers(sentence_scores)
    return Answers(sentence_scores, embeddings(model, probes, template=template, layer=layer, precision=precision))


# What models are asked layer by layer: the vectors of the four words of every sentence after each layer.


LAYER_EMBEDDINGS = EMBEDDINGS.append(pa.field("layer", pa.uint16()))
"""EMBEDDINGS with the layer; 0 is the embeddings."""


def layer_embeddings(
    model: ModelSettings,
    probes: Probes,
    *,
    template: str,
    layers: Any,
    precision: Literal["half", "single"] = "half",
) -> Scoring:
    """Embed the four words of every sentence with a model, after each asked layer, from one forward pass (section 2.4).

    `layers`: the choice of the agent; layer 0 and the last one are always asked. `precision`: whether the vectors are stored
    in 16 or 32 bits.
    """

    def rows(asked: list[int]) -> Table:
        table = partial(layer_table, layers=asked)
        return in_half_precision(table) if precision == "half" else table

    count = probes.select("relation", "text").n_unique()
    texts = partial(span_requests, probes, Template.of(template))
    return states_of_layers(
        "analogies layers", model, texts, layers, rows, "sentences", PART, "the analogies", count=count
    )


def layer_table(responses: Sequence[SpanResponse], layers: Sequence[int]) -> pa.Table:
    r"""Return the vectors of the four words of each sentence after each layer (LAYER_EMBEDDINGS), sentence by sentence.

    >>> import numpy as np
    >>> vectors = np.zeros((2, 4, 1), np.float32) + np.array([5, 7], np.float32)[:, None, None]
    >>> table = layer_table([SpanResponse("E01\tparis …", vectors)], [0, 30])
    >>> table.select(["text", "h1", "layer"]).to_pylist()
    [{'text': 'paris …', 'h1': [5.0], 'layer': 0}, {'text': 'paris …', 'h1': [7.0], 'layer': 30}]
    """
    single = [replace(response, vectors=vectors) for response in responses for vectors in response.vectors]
    numbers = pa.array(list(layers) * len(responses), pa.uint16())
    return embedding_table(single).append_column(LAYER_EMBEDDINGS.field("layer"), numbers)


# The choice in words for models on this machine, which write which of two pairs continues an analogy.


def writing(
    model: ModelSettings,
    instances: Instances,
    *,
    partitions: list[Partition],
    orders: int = 1,
    samples: int | None = None,
) -> Scoring:
    """Ask a model which of two pairs continues an analogy, of the instances of some partitions; it writes its choice."""
    asked = questions(model.conversation or {}, instances, partitions, orders)
    return write_replies("analogies writing", model, asked, TOKENS, samples)
