"""The probability of words and phrases, of one token or several, at a text's slot."""

from collections.abc import Iterable, Iterator
from typing import Literal

import numpy as np

from relprobe.core.errors import ModelError, ProbeError
from relprobe.lm.network.model import LanguageModel
from relprobe.lm.primitives.stream import score, split
from relprobe.lm.requests import Continuation, ContinuationResponse, Query, Targets
from relprobe.lm.words.encode import Encoder, Tokens

Method = Literal["chain", "first_token", "all_masks", "within_word_l2r"]
CAUSAL: tuple[Method, ...] = ("chain", "first_token")
MASKED: tuple[Method, ...] = ("all_masks", "within_word_l2r")


def continuation_logprob(
    model: LanguageModel, requests: Iterable[Continuation], method: Method | None = None
) -> Iterator[ContinuationResponse]:
    """Yield for each request, in order, the natural-log probability of every token of every candidate at the slot.

    With candidate w = w_1 … w_n and context c, `method` is, for causal models,
    - "chain" (default): log P(w_i | c, w_1 … w_{i-1}), whose sum is log P(w | c);
    - "first_token": log P(w_1 | c) alone;
    and for masked models, with n masks in the slot,
    - "all_masks" (default): log P(w_i | c with all n masks), the factors of WDLMPro's product over masks;
    - "within_word_l2r": log P(w_i | c, w without w_i and the later tokens of its word), the correction of Kauf and
      Ivanova (2023): a word's tokens are revealed from left to right, the candidate's other words are visible.

    ModelError: a method of the other kind of model. ProbeError: a text or candidate that cannot be encoded
    (`Encoder.slot`, `Encoder.candidate`), or no candidates.
    """
    allowed = MASKED if model.encoder.masked else CAUSAL
    method = method or allowed[0]
    if method not in allowed:
        raise ModelError(
            f"{method!r} is no method for a {'masked' if model.encoder.masked else 'causal'} model: "
            f"take {' or '.join(map(repr, allowed))}."
        )
    return _responses(model, requests, method)


def _responses(
    model: LanguageModel, requests: Iterable[Continuation], method: Method
) -> Iterator[ContinuationResponse]:
    for request, values in score(model, requests, lambda asked: _targets(model.encoder, asked, method)):
        candidates = [tokens.ids for tokens in _candidates(model.encoder, request)]
        if method == "first_token":
            candidates = [ids[:1] for ids in candidates]
        logprobs = split(values, [len(ids) for ids in candidates])
        yield ContinuationResponse(request.id, tuple(np.array(ids, np.int32) for ids in candidates), tuple(logprobs))


def _candidates(encoder: Encoder, request: Continuation) -> list[Tokens]:
    if not request.candidates:
        raise ProbeError(f"probe {request.id!r} has no candidates.")
    return [encoder.candidate(request.id, request.text, candidate) for candidate in request.candidates]


def _targets(encoder: Encoder, request: Continuation, method: Method) -> list[Targets]:
    slot = encoder.slot(request.id, request.text)
    made: list[Targets] = []
    for candidate in _candidates(encoder, request):
        if method == "chain":
            made.append(_chain(slot, candidate.ids))
        elif method == "first_token":
            made.append(Targets(slot, candidate.ids[:1]))
        elif method == "all_masks":
            made.append(_all_masks(slot, candidate.ids))
        else:
            made.extend(_within_word(slot, candidate))
    for target in made:
        encoder.checked(request.id, target.query)
    return made


def _chain(slot: Query, ids: tuple[int, ...]) -> Targets:
    """Read every token but the last where the one after it is predicted; the last predicts nothing and is no input."""
    start = slot.positions[0]
    return Targets(Query((*slot.ids, *ids[:-1]), tuple(range(start, start + len(ids)))), ids)


def _all_masks(slot: Query, ids: tuple[int, ...]) -> Targets:
    start = slot.positions[0]
    mask = slot.ids[start]
    return Targets(_filled(slot, (mask,) * len(ids), range(len(ids))), ids)


def _within_word(slot: Query, candidate: Tokens) -> Iterator[Targets]:
    mask = slot.ids[slot.positions[0]]
    for i, token in enumerate(candidate.ids):
        yield Targets(_filled(slot, masked_within_word(candidate, i, mask), range(i, i + 1)), (token,))


def masked_within_word(tokens: Tokens, i: int, mask: int) -> tuple[int, ...]:
    """Return the ids with the mask in place of token i and the later tokens of its word (Kauf and Ivanova 2023)."""
    pairs = enumerate(zip(tokens.ids, tokens.words, strict=True))
    return tuple(mask if j == i or (j > i and word == tokens.words[i]) else token for j, (token, word) in pairs)


def _filled(slot: Query, ids: tuple[int, ...], read: range) -> Query:
    """Put `ids` in place of the slot's token and read those of them that `read` says."""
    start = slot.positions[0]
    return Query((*slot.ids[:start], *ids, *slot.ids[start + 1 :]), tuple(start + i for i in read))
