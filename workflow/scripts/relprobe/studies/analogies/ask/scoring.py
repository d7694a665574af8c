"""What a model is asked about the sentences: how likely they are, and what vectors their words have."""

from __future__ import annotations

from typing import Annotated, Any, Literal, NamedTuple

import polars as pl

from relprobe.core.step import Part
from relprobe.lm.primitives.embeddings import embeddings as embed
from relprobe.lm.primitives.sentences import pseudo_logprob
from relprobe.lm.score_files.parts import Scoring
from relprobe.lm.settings import ModelSettings
from relprobe.lm.words.unknown import require_known
from relprobe.studies.analogies.ask.precision import in_half_precision
from relprobe.studies.analogies.ask.prompts import Template
from relprobe.studies.analogies.ask.requests import (
    Probes,
    embedding_table,
    score_table,
    sentence_requests,
    span_requests,
)
from relprobe.studies.analogies.schemas import Partition

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
    network, asked = model.load(), probes.filter(pl.col("partition").is_in(partitions))
    filled = None if template is None else Template.of(template)
    sentences = sentence_requests(asked, filled, shots, (examples or {}).get("", ()))
    return Scoring(
        network,
        model,
        sentences,
        lambda part: pseudo_logprob(network, part),
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
    network = model.load()
    return Scoring(
        network,
        model,
        require_known(network.encoder.tokenizer, span_requests(probes, Template.of(template)), "the analogies"),
        lambda part: embed(network, part, layer),
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
    of_sentences = scores(model, probes, partitions=partitions, template=template, shots=shots, examples=examples)
    if layer is None:
        return Answers(of_sentences)
    return Answers(of_sentences, embeddings(model, probes, template=template, layer=layer, precision=precision))
