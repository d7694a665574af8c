"""The probability of every token of a sentence."""

from collections.abc import Iterable, Iterator
from typing import Literal

import numpy as np

from relprobe.lm.network.model import LanguageModel
from relprobe.lm.primitives.continuation import masked_within_word
from relprobe.lm.primitives.stream import score
from relprobe.lm.requests import Query, Sentence, SentenceResponse, Targets
from relprobe.lm.words.encode import Encoder

Masking = Literal["one_mask", "within_word_l2r"]


def pseudo_logprob(
    model: LanguageModel, sentences: Iterable[Sentence], masking: Masking = "one_mask"
) -> Iterator[SentenceResponse]:
    """Yield for each sentence w, in order, the natural-log probability of every token w_t; special tokens are not scored.

    - Masked models: log P(w_t | w without w_t), one mask at a time, whose sum is the pseudo-log-likelihood of Salazar et
      al. (2020, Eq. 1); with "within_word_l2r" the later tokens of w_t's word are masked too (Kauf and Ivanova 2023).
    - Causal models: log P(w_t | w_1 … w_{t-1}), whose sum is the sentence's log-probability; `masking` does not matter.
      The first token has none, NaN, if the model's inputs begin with no BOS token and it has no context.

    ProbeError: a sentence without tokens (`Encoder.sentence`), or too long for the model.
    """
    encoder = model.encoder
    encode = _masked if encoder.masked else _causal
    for sentence, values in score(model, sentences, lambda asked: encode(encoder, asked, masking)):
        tokens, start = encoder.sentence(sentence.id, sentence.text)
        ids = np.array(tokens.ids[start : len(tokens.ids) - len(encoder.after)], np.int32)
        logprobs = np.full(len(ids), np.nan, np.float32)
        logprobs[len(ids) - len(values) :] = values
        yield SentenceResponse(sentence.id, ids, logprobs)


def _masked(encoder: Encoder, sentence: Sentence, masking: Masking) -> list[Targets]:
    tokens, start = encoder.sentence(sentence.id, sentence.text)
    mask = encoder.tokenizer.mask_token_id
    made = []
    for i in range(start, len(tokens.ids) - len(encoder.after)):
        if masking == "within_word_l2r":
            ids = masked_within_word(tokens, i, mask)
        else:
            ids = (*tokens.ids[:i], mask, *tokens.ids[i + 1 :])
        made.append(Targets(encoder.checked(sentence.id, Query(ids, (i,))), (tokens.ids[i],)))
    return made


def _causal(encoder: Encoder, sentence: Sentence, _: Masking) -> list[Targets]:
    tokens, start = encoder.sentence(sentence.id, sentence.text)
    first = max(start, 1)  # nothing predicts the token at position 0
    if len(tokens.ids) == first:
        return []
    query = Query(tokens.ids[:-1], tuple(range(first - 1, len(tokens.ids) - 1)))
    return [Targets(encoder.checked(sentence.id, query), tokens.ids[first:])]
