"""Continuations: the log-probability of words and phrases, of one token or several, at the slot of a text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np
from torch import Tensor

from relprobe.core.errors import ModelError, ProbeError
from relprobe.lm.network.model import LanguageModel
from relprobe.lm.primitives.stream import boundary_tokens, count_tokens, encoded_chunks, score, split
from relprobe.lm.requests import Continuation, ContinuationResponse, Query, Targets
from relprobe.lm.words.encode import Encoder
from relprobe.lm.words.tokens import Tokens
from relprobe.lm.words.unknown import null_unknown

if TYPE_CHECKING:
    from relprobe.lm.settings import Model

Method = Literal["chain", "first_token", "all_masks", "within_word_l2r"]
CAUSAL: tuple[Method, ...] = ("chain", "first_token")
MASKED: tuple[Method, ...] = ("all_masks", "within_word_l2r")


def continuation_logprob(
    model: Model,
    requests: Iterable[Continuation],
    method: Method | None = None,
    *,
    word_boundary: bool = False,
) -> Iterator[ContinuationResponse]:
    """Yield for each request, in order, the natural-log probability of every token of every candidate at the slot.

    With candidate w = w_1 … w_n and context c, `method` is, for causal models,

    - "chain" (default): log P(w_i | c, w_1 … w_{i-1}), whose sum is log P(w | c);
    - "first_token": log P(w_1 | c) alone;

    and for masked models, with n masks in the slot,

    - "all_masks" (default): log P(w_i | c with all n masks), the factors of WDLMPro's product over masks;
    - "within_word_l2r": log P(w_i | c, w without w_i and the later tokens of its word), the correction of Kauf and
      Ivanova (2023): the tokens of a word are revealed from left to right, and the candidate's other words are visible.

    `word_boundary` counts the ends of words for a causal model (`relprobe.lm.words.boundary`), so that words of several
    tokens and words of models with other tokenizers can be compared: log P(bird | c) includes that the word ends there, and
    not "birds", given that the word before it has ended. The sums are those of `slot_top_words`. A masked model sees the
    text after the slot, and the option changes nothing.

    ModelError: a method of the other kind of model, or the ends of words without their later tokens ("first_token").
    ProbeError: a text or candidate cannot be encoded (`Encoder.slot`,
    `Encoder.candidate`), or there are no candidates. A candidate that the tokenizer cannot write has NaN, and so have all
    candidates of a text with such a word (`null_unknown`).

    >>> from relprobe.lm.loading.example import bigram_model
    >>> model = bigram_model({"a": {"steering": 0.5, "wheel": 0.5}, "steering": {"wheel": 1}})
    >>> request = Continuation("x", "a [V]", ("wheel", "steering wheel"))
    >>> response = next(continuation_logprob(model, [request]))
    >>> [np.exp(logprobs).round(2).tolist() for logprobs in response.logprobs]
    [[0.5], [0.5, 1.0]]
    """
    if not isinstance(model, LanguageModel):
        if word_boundary:
            raise ModelError(f"{model} does not say how likely a word ends: ask without `word_boundary`.")
        return null_unknown(model.encoder.tokenizer, requests, lambda asked: model.continuation_logprob(asked, method))
    methods = MASKED if model.encoder.masked else CAUSAL
    method = method or methods[0]
    if method not in methods:
        raise ModelError(
            f"{method!r} is no method for {model.encoder.kind_in_words}: use {' or '.join(map(repr, methods))}."
        )
    if word_boundary and method == "first_token":
        raise ModelError("the first token of a word says nothing about its end: use 'chain' with word_boundary.")
    boundary = boundary_tokens(model) if word_boundary and not model.encoder.masked else None

    def answer(asked: Iterable[Continuation]) -> Iterator[ContinuationResponse]:
        chunks = encoded_chunks(
            model,
            asked,
            lambda group: _encode(model.encoder, group, method, boundary is not None),
            lambda inputs: count_tokens(inputs.targets),
        )
        return _responses(model, chunks, boundary)

    return null_unknown(model.encoder.tokenizer, requests, answer)


@dataclass(frozen=True)
class _Inputs:
    """The scored tokens of each candidate, and what the model is asked about them."""

    candidates: list[tuple[int, ...]]
    targets: list[Targets]


def _responses(
    model: LanguageModel, chunks: Iterable[list[tuple[Continuation, _Inputs]]], boundary: Tensor | None
) -> Iterator[ContinuationResponse]:
    for request, inputs, values in score(model, chunks, lambda inputs: inputs.targets, boundary):
        logprobs = split(values, map(len, inputs.candidates))
        ids = tuple(np.array(ids, np.int32) for ids in inputs.candidates)
        yield ContinuationResponse(request.id, ids, tuple(logprobs))


def _encode(encoder: Encoder, requests: Sequence[Continuation], method: Method, ends: bool) -> Iterator[_Inputs]:
    slots = encoder.slots([(request.id, request.text) for request in requests])
    for request, slot in zip(requests, slots, strict=True):
        if not request.candidates:
            raise ProbeError(f"probe {request.id!r} has no candidates.")
        candidates = encoder.candidates(request.id, request.text, request.candidates, unknown=True)
        targets = [target for candidate in candidates for target in _targets(slot, candidate, method, ends)]
        for target in targets:
            encoder.check_length(request.id, target.query)
        stop = 1 if method == "first_token" else None
        yield _Inputs([candidate.ids[:stop] for candidate in candidates], targets)


def _targets(slot: Query, candidate: Tokens, method: Method, ends: bool) -> Iterable[Targets]:
    if method == "chain":
        return [_chain_with_end(slot, candidate.ids) if ends else _chain(slot, candidate.ids)]
    if method == "first_token":
        return [Targets(slot, candidate.ids[:1])]
    if method == "all_masks":
        return [_all_masks(slot, candidate.ids)]
    return _within_word(slot, candidate)


def _chain(slot: Query, ids: tuple[int, ...]) -> Targets:
    """Return the input of the chain rule: each token is read where the token before it predicts it.

    The last token predicts nothing, so it is no input.

    >>> _chain(Query((1, 2), (1,)), (7, 8))  # the text 1 2, the candidate 7 8
    Targets(query=Query(ids=(1, 2, 7), positions=(1, 2)), tokens=(7, 8))
    """
    start = slot.positions[0]
    return Targets(slot._replace(ids=(*slot.ids, *ids[:-1]), positions=tuple(range(start, start + len(ids)))), ids)


def _chain_with_end(slot: Query, ids: tuple[int, ...]) -> Targets:
    """Return the input of the chain rule with the last token, which is read to see whether the word ends.

    >>> _chain_with_end(Query((1, 2), (1,)), (7, 8))  # the text 1 2, the candidate 7 8
    Targets(query=Query(ids=(1, 2, 7, 8), positions=(1, 2, 3)), tokens=(7, 8))
    """
    start = slot.positions[0]
    return Targets(slot._replace(ids=(*slot.ids, *ids), positions=tuple(range(start, start + len(ids) + 1))), ids)


def _all_masks(slot: Query, ids: tuple[int, ...]) -> Targets:
    """Return the input with as many masks as the candidate has tokens; all of them are read.

    >>> _all_masks(Query((1, 99, 2), (1,)), (7, 8))  # 99 is the mask
    Targets(query=Query(ids=(1, 99, 99, 2), positions=(1, 2)), tokens=(7, 8))
    """
    start = slot.positions[0]
    mask = slot.ids[start]
    return Targets(fill(slot, (mask,) * len(ids), range(len(ids))), ids)


def _within_word(slot: Query, candidate: Tokens) -> Iterator[Targets]:
    """Yield one input per token of the candidate, with masks for that token and the later tokens of its word."""
    mask = slot.ids[slot.positions[0]]
    for i, token in enumerate(candidate.ids):
        yield Targets(fill(slot, mask_within_word(candidate, i, mask), range(i, i + 1)), (token,))


def mask_within_word(tokens: Tokens, i: int, mask: int) -> tuple[int, ...]:
    """Return the ids with the mask in place of token i and the later tokens of its word (Kauf and Ivanova 2023).

    Three tokens of word 0 and one token of word 1:

    >>> tokens = Tokens((5, 6, 7, 8), ((0, 2), (2, 4), (4, 6), (7, 9)), (0, 0, 0, 1))
    >>> mask_within_word(tokens, 1, mask=99)
    (5, 99, 99, 8)
    """
    pairs = enumerate(zip(tokens.ids, tokens.words, strict=True))
    return tuple(mask if j == i or (j > i and word == tokens.words[i]) else token for j, (token, word) in pairs)


def fill(slot: Query, ids: tuple[int, ...], reads: range) -> Query:
    """Put `ids` in place of the slot's token; the read positions are those of the ids with the indices `reads`.

    >>> fill(Query((1, 99, 2), (1,)), (7, 8), range(1, 2))
    Query(ids=(1, 7, 8, 2), positions=(2,))
    """
    start = slot.positions[0]
    return Query((*slot.ids[:start], *ids, *slot.ids[start + 1 :]), tuple(start + i for i in reads))
