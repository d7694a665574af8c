"""The surprisal of words in their texts, with the correction for where a word ends."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import torch
from torch import Tensor

from relprobe.core.errors import ModelError, ProbeError
from relprobe.lm.network.model import LanguageModel
from relprobe.lm.primitives.sentences import Masking, targets_of
from relprobe.lm.primitives.stream import Values, count_tokens, encoded_chunks, read_targets, split
from relprobe.lm.requests import SpanText, Surprisal, Targets
from relprobe.lm.words.boundary import boundary_ids, space_ids
from relprobe.lm.words.encode import Encoder
from relprobe.lm.words.tokens import Tokens
from relprobe.lm.words.unknown import null_unknown

if TYPE_CHECKING:
    from relprobe.lm.settings import Model


def surprisals(
    model: Model, texts: Iterable[SpanText], masking: Masking = "within_word_l2r", *, by_spaces: bool = True
) -> Iterator[Surprisal]:
    """Yield for each text, in order, the surprisal of the words in its spans, in nats (a Surprisal).

    The surprisal of a word with the tokens t_1 … t_n after the context c is, for a causal model (Pimentel and Meister 2024),

        - Σ log P(t_i | c, t_1 … t_{i-1}) - log P(boundary | c, t_1 … t_n) + log P(boundary | c)

    The last two terms are the correction. They count that the word ends, and that the word before it has ended. The last one
    is 0 for a word that does not begin with a boundary, as the first of a text. `by_spaces`: the words are what stands
    between spaces, so that a boundary begins with white space; otherwise punctuation is one, too (`boundary_ids`). A masked
    or encoder-decoder model has no correction, and `masking` as in `pseudo_logprob`.
    A word whose first token nothing precedes has NaN, and so have all words of a text with a word that the tokenizer cannot
    write (`null_unknown`).
    ModelError: a served model. ProbeError: a text cannot be encoded, or a span has no token or divides one.

    Every token of the example is a word, so that boundaries are certain:

    >>> from relprobe.lm.loading.example import bigram_model
    >>> model = bigram_model({"a": {"robin": 0.25, "bird": 0.75}, "robin": {"sings": 1}})
    >>> response = next(surprisals(model, [SpanText("x", "a robin sings", ((0, 1), (2, 7)))]))
    >>> [round(float(nats), 3) for nats in response.nats]  # -ln 0.25
    [nan, 1.386]
    """
    if not isinstance(model, LanguageModel):
        raise ModelError(f"{model} does not say how likely a word ends: load the model itself.")
    encoder = model.encoder
    ends = () if encoder.both_sides else (space_ids if by_spaces else boundary_ids)(encoder.tokenizer)
    width = model.net.config.get_text_config().vocab_size
    boundary = torch.tensor([token for token in ends if token < width]) if ends else None

    def answer(asked: Iterable[SpanText]) -> Iterator[Surprisal]:
        chunks = encoded_chunks(
            model,
            asked,
            lambda group: _encode(encoder, group, masking, boundary is not None),
            lambda inputs: count_tokens(inputs.targets),
        )
        return _responses(model, chunks, boundary)

    return null_unknown(encoder.tokenizer, texts, answer)


@dataclass(frozen=True)
class _Inputs:
    """The `ids` of a text's tokens, the word that each `owner` is the number of (-1: none), and what the model is asked."""

    ids: tuple[int, ...]
    owners: list[int]
    targets: list[Targets]


def _encode(encoder: Encoder, texts: Sequence[SpanText], masking: Masking, ends: bool) -> Iterator[_Inputs]:
    encoded = encoder.sentences([(text.id, text.text) for text in texts])
    for text, (tokens, start) in zip(texts, encoded, strict=True):
        inside = slice(start, len(tokens.ids) - len(encoder.after))
        owners = _owners(text, tokens, inside)
        targets = targets_of(encoder, ends)(encoder, text.id, tokens, start, masking)
        yield _Inputs(tokens.ids[inside], owners, targets)


def _owners(text: SpanText, tokens: Tokens, inside: slice) -> list[int]:
    """Return for each token of a text the number of the word whose span it stands in, -1 for none.

    White space belongs to the word after it. ProbeError: a word has no token, or a token stands in a span in part.
    """
    owners: list[int] = []
    spans = tokens.spans[inside]
    for start, stop in spans:
        touched = [i for i, (left, right) in enumerate(text.spans) if start < right and stop > left]
        blank = not text.text[start:stop].strip()
        covering = [i for i in touched if text.spans[i][0] <= start and stop <= text.spans[i][1]]
        if touched and not blank and touched != covering:
            raise ProbeError(
                f"the token {text.text[start:stop]!r} of {text.id!r} stands across the edge of a word: {text.text!r}."
            )
        owners.append(touched[0] if touched and not blank else -1)
    for i in reversed(range(len(owners) - 1)):
        start, stop = spans[i]
        if owners[i] < 0 and not text.text[start:stop].strip():
            owners[i] = owners[i + 1]
    missing = sorted(set(range(len(text.spans))) - set(owners))
    if missing:
        raise ProbeError(
            f"the span {text.spans[missing[0]]} of {text.id!r} covers no token of its text: {text.text!r}."
        )
    return owners


def _responses(
    model: LanguageModel, chunks: Iterable[list[tuple[SpanText, _Inputs]]], boundary: Tensor | None
) -> Iterator[Surprisal]:
    for chunk in chunks:
        targets = [target for _, inputs in chunk for target in inputs.targets]
        plain, corrected = read_targets(model, targets, boundary)
        counts = [count_tokens(inputs.targets) for _, inputs in chunk]
        for (text, inputs), plain_values, corrected_values in zip(
            chunk, split(plain, counts), split(corrected, counts), strict=True
        ):
            yield _surprisal(text, inputs, plain_values, corrected_values)


def _surprisal(text: SpanText, inputs: _Inputs, plain: Values, corrected: Values) -> Surprisal:
    missing = len(inputs.ids) - len(plain)  # a first token that nothing precedes
    words = len(text.spans)
    sums = [np.zeros(words, np.float32), np.zeros(words, np.float32)]
    for values, word_sums in zip((plain, corrected), sums, strict=True):
        padded = np.concatenate([np.full(missing, np.nan, np.float32), values])
        for owner, value in zip(inputs.owners, padded, strict=True):
            if owner >= 0:
                word_sums[owner] -= value
    ids = tuple(
        np.array([token for token, owner in zip(inputs.ids, inputs.owners, strict=True) if owner == word], np.int32)
        for word in range(words)
    )
    return Surprisal(text.id, ids, sums[1], sums[1] - sums[0])
