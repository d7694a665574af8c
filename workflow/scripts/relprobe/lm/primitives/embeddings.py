"""Embeddings: the vectors of words and phrases in their sentences."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

import torch
from torch import Tensor

from relprobe.core.errors import ProbeError
from relprobe.lm.network.model import LanguageModel
from relprobe.lm.primitives.stream import encoded_chunks, fetch, rows_of_layers
from relprobe.lm.requests import Query, SpanResponse, SpanText
from relprobe.lm.words.encode import Encoder
from relprobe.lm.words.tokens import Tokens
from relprobe.lm.words.unknown import null_unknown, spans_of

if TYPE_CHECKING:
    from relprobe.lm.settings import Model


def embeddings(model: Model, texts: Iterable[SpanText], layer: int) -> Iterator[SpanResponse]:
    """Yield for each text, in order, one float32 vector per span: the mean hidden state of the tokens that overlap the span.

    `layer` 0 is the embedding layer and n is the output of the n-th layer; the output of the last layer is after the
    model's final norm, if it has one. Negative numbers count from the end. In a causal model the state of a token depends
    on the tokens before it alone, and not on those after it.
    The vectors of a text are NaN if the tokenizer cannot write a word of one of its spans (`null_unknown`).
    ModelError: no such layer. ProbeError: a text without tokens or too long for the model, or a span without tokens.

    Layer 0 of the example has one-hot states, so the vector of "a robin" is half "a" and half "robin":

    >>> from relprobe.lm.loading.example import bigram_model
    >>> model = bigram_model({"a": {"robin": 1}, "robin": {"sings": 1}})
    >>> text = SpanText("x", "a robin sings", ((2, 7), (0, 7)))
    >>> next(embeddings(model, [text], layer=0)).vectors
    array([[0. , 1. , 0. ],
           [0.5, 0.5, 0. ]], dtype=float32)
    """
    if not isinstance(model, LanguageModel):
        return model.embeddings(texts, layer)
    responses = embeddings_of_layers(model, texts, [layer])
    return (SpanResponse(response.id, response.vectors[0]) for response in responses)


def embeddings_of_layers(
    model: LanguageModel, texts: Iterable[SpanText], layers: Sequence[int]
) -> Iterator[SpanResponse]:
    """Yield for each text, in order, the vectors of its spans after several layers, shape (layers, spans, width).

    They are those of `embeddings`, and one forward pass gives all layers. Errors are as there.
    """
    return null_unknown(model.encoder.tokenizer, texts, lambda asked: _layer_states(model, asked, layers), spans_of)


def _layer_states(model: LanguageModel, texts: Iterable[SpanText], layers: Sequence[int]) -> Iterator[SpanResponse]:
    rows = rows_of_layers(model, len(layers))
    chunks = encoded_chunks(
        model, texts, lambda group: _encode(model.encoder, group), lambda encoded: len(encoded[0].positions) * rows
    )
    for chunk in chunks:
        states = model.hidden_states([query for _, (query, _) in chunk], layers)
        means = _means(states, [count for _, (_, counts) in chunk for count in counts])
        (vectors,) = fetch([means])
        stops = itertools.accumulate(len(counts) for _, (_, counts) in chunk)
        for (text, (_, counts)), stop in zip(chunk, stops, strict=True):
            yield SpanResponse(text.id, vectors[:, stop - len(counts) : stop])


def _encode(encoder: Encoder, texts: Sequence[SpanText]) -> Iterator[tuple[Query, list[int]]]:
    """Yield the query of each text, which reads the tokens of one span after another, and how many tokens each span has.

    In "a robin sings" the spans of "robin" and "a robin" are read at the positions 1 0 1, and have 1 and 2 tokens.
    """
    sentences = encoder.sentences([(text.id, text.text) for text in texts])
    for text, (tokens, _) in zip(texts, sentences, strict=True):
        positions = [_positions(text, tokens, span) for span in text.spans]
        query = Query(tokens.ids, tuple(itertools.chain.from_iterable(positions)))
        yield encoder.check_length(text.id, query), [len(span) for span in positions]


def _positions(text: SpanText, tokens: Tokens, span: tuple[int, int]) -> list[int]:
    start, stop = span
    positions = [i for i, (left, right) in enumerate(tokens.spans) if left < stop and right > start]
    if not positions or not 0 <= start < stop <= len(text.text):
        raise ProbeError(f"the span {span} of {text.id!r} covers no token of its text: {text.text!r}.")
    return positions


@torch.inference_mode()
def _means(states: Tensor, counts: Sequence[int]) -> Tensor:
    """Average consecutive rows (layers, all tokens, width) into one row per span (layers, spans, width).

    >>> _means(torch.tensor([[[1.0], [2.0], [4.0]]]), [1, 2]).tolist()
    [[[1.0], [3.0]]]
    """
    sizes = torch.tensor(counts, device=states.device)
    span_of_row = torch.repeat_interleave(torch.arange(len(counts), device=states.device), sizes)
    sums = torch.zeros(len(states), len(counts), states.shape[2], device=states.device)
    return sums.index_add_(1, span_of_row, states.float()) / sizes[:, None]
