"""Sentences: the log-probability of every token."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray
from torch import Tensor

from relprobe.core.errors import ModelError
from relprobe.lm.network.model import LanguageModel
from relprobe.lm.primitives.continuation import mask_within_word
from relprobe.lm.primitives.stream import boundary_tokens, count_tokens, encoded_chunks, score
from relprobe.lm.requests import Query, Sentence, SentenceResponse, Targets
from relprobe.lm.words.blank import Blank
from relprobe.lm.words.encode import Encoder
from relprobe.lm.words.tokens import Tokens
from relprobe.lm.words.unknown import null_unknown

if TYPE_CHECKING:
    from relprobe.lm.settings import Model

Masking = Literal["one_mask", "within_word_l2r"]
Ask = Callable[[Encoder, str, Tokens, int, Masking], list[Targets]]
"""Makes the targets of the tokens of a text, of which the number before the text is the fourth argument."""


def pseudo_logprob(
    model: Model,
    sentences: Iterable[Sentence],
    masking: Masking = "one_mask",
    *,
    word_boundary: bool = False,
) -> Iterator[SentenceResponse]:
    """Yield for each sentence w, in order, the natural-log probability of every token w_t except special tokens.

    - Masked models: log P(w_t | w without w_t), one mask at a time. The sum is the pseudo-log-likelihood of Salazar et
      al. (2020, Eq. 1). With "within_word_l2r" the later tokens of w_t's word are masked, too (Kauf and Ivanova 2023).
    - Encoder-decoder networks: log P(w_t | w with a blank in the place of w_t), one blank at a time, which is their
      counterpart. With "within_word_l2r" the blank stands for the later tokens of w_t's word, too. BART's decoder has also
      written w_1 … w_{t-1}.
    - Causal models: log P(w_t | w_1 … w_{t-1}). The sum is the sentence's log-probability; `masking` has no effect.
      The value of the first token is NaN if neither a BOS token nor a context precedes it.

    `word_boundary` counts the ends of words for a causal model, as `continuation_logprob` does: the sum over the tokens of a
    word includes that the word ends, and the space before it belongs to the word before. It changes nothing for a masked
    model or an encoder-decoder network.

    A sentence with a word that the tokenizer cannot write has NaN for all tokens (`null_unknown`).
    ProbeError: a sentence without tokens (`Encoder.sentence`), or too long for the model.

    >>> from relprobe.lm.loading.example import bigram_model
    >>> model = bigram_model({"a": {"robin": 0.25, "bird": 0.75}, "robin": {"sings": 1}})
    >>> response = next(pseudo_logprob(model, [Sentence("x", "a robin sings")]))
    >>> np.exp(response.logprobs).round(2).tolist()
    [nan, 0.25, 1.0]
    """
    if not isinstance(model, LanguageModel):
        if word_boundary:
            raise ModelError(f"{model} does not say how likely a word ends: ask without `word_boundary`.")
        return null_unknown(model.encoder.tokenizer, sentences, model.pseudo_logprob)
    encoder = model.encoder
    boundary = boundary_tokens(model) if word_boundary and not encoder.both_sides else None
    ask = targets_of(encoder, boundary is not None)

    def encode(group: Sequence[Sentence]) -> Iterator[_Inputs]:
        texts = encoder.sentences(
            [(sentence.id, sentence.text) for sentence in group], [sentence.before for sentence in group]
        )
        for sentence, (tokens, start) in zip(group, texts, strict=True):
            yield _Inputs(_ids(encoder, tokens, start), ask(encoder, sentence.id, tokens, start, masking))

    def answer(readable: Iterable[Sentence]) -> Iterator[SentenceResponse]:
        chunks = encoded_chunks(model, readable, encode, lambda inputs: count_tokens(inputs.targets))
        return _responses(model, chunks, boundary)

    return null_unknown(encoder.tokenizer, sentences, answer)


def targets_of(encoder: Encoder, ends: bool) -> Ask:
    """Return what makes the targets of a text's tokens; `ends`: a causal model is read after the last token, too."""
    if encoder.both_sides:
        return _masked if encoder.blank is None else partial(_blanked, encoder.blank)
    return _causal_with_end if ends else _causal


@dataclass(frozen=True)
class _Inputs:
    """The tokens of a sentence, and what the model is asked about them."""

    ids: NDArray[np.int32]
    targets: list[Targets]


def _responses(
    model: LanguageModel, chunks: Iterable[list[tuple[Sentence, _Inputs]]], boundary: Tensor | None
) -> Iterator[SentenceResponse]:
    for sentence, inputs, values in score(model, chunks, lambda inputs: inputs.targets, boundary):
        logprobs = np.full(len(inputs.ids), np.nan, np.float32)
        logprobs[len(inputs.ids) - len(values) :] = values
        yield SentenceResponse(sentence.id, inputs.ids, logprobs)


def _ids(encoder: Encoder, tokens: Tokens, start: int) -> NDArray[np.int32]:
    return np.array(tokens.ids[start : len(tokens.ids) - len(encoder.after)], np.int32)


def _masked(encoder: Encoder, sentence_id: str, tokens: Tokens, start: int, masking: Masking) -> list[Targets]:
    mask = encoder.tokenizer.mask_token_id
    targets = []
    for i in range(start, len(tokens.ids) - len(encoder.after)):
        if masking == "within_word_l2r":
            ids = mask_within_word(tokens, i, mask)
        else:
            ids = (*tokens.ids[:i], mask, *tokens.ids[i + 1 :])
        targets.append(Targets(encoder.check_length(sentence_id, Query(ids, (i,))), (tokens.ids[i],)))
    return targets


def _blanked(
    blank: Blank, encoder: Encoder, sentence_id: str, tokens: Tokens, start: int, masking: Masking
) -> list[Targets]:
    """Return a target for each token, for which a blank stands in the text of the encoder."""
    last, targets = len(tokens.ids) - len(encoder.after), []
    for i in range(start, last):
        stop = i + 1
        while masking == "within_word_l2r" and stop < last and tokens.words[stop] == tokens.words[i]:
            stop += 1
        source = (*tokens.ids[:i], blank.token_id, *tokens.ids[stop:])
        ids = blank.beginning(source, i)
        query = encoder.check_length(sentence_id, Query(ids, (len(ids) - 1,), source))
        targets.append(Targets(query, (tokens.ids[i],)))
    return targets


def _causal(encoder: Encoder, sentence_id: str, tokens: Tokens, start: int, _: Masking) -> list[Targets]:
    first = max(start, 1)  # nothing predicts the token at position 0
    if len(tokens.ids) == first:
        return []
    query = Query(tokens.ids[:-1], tuple(range(first - 1, len(tokens.ids) - 1)))
    return [Targets(encoder.check_length(sentence_id, query), tokens.ids[first:])]


def _causal_with_end(encoder: Encoder, sentence_id: str, tokens: Tokens, start: int, _: Masking) -> list[Targets]:
    """Return the target of a sentence with one more read position: its last token, after which its last word must end."""
    first = max(start, 1)
    if len(tokens.ids) == first:
        return []
    query = Query(tokens.ids, tuple(range(first - 1, len(tokens.ids))))
    return [Targets(encoder.check_length(sentence_id, query), tokens.ids[first:])]
