"""The likeliest tokens at a probe's slot."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

import torch
from torch import Tensor

from relprobe.lm.network.model import LanguageModel
from relprobe.lm.primitives.ranking import Best, best_of_rows, mixture
from relprobe.lm.primitives.stream import chunks, encoded_chunks, fetch
from relprobe.lm.requests import Query, SlotProbe, SlotResponse
from relprobe.lm.words.unknown import null_unknown

if TYPE_CHECKING:
    from relprobe.lm.settings import Model


def slot_top_k(
    model: Model, probes: Iterable[SlotProbe], k: int, excluded: Sequence[int] = ()
) -> Iterator[SlotResponse]:
    """Yield for each probe, in order, the `k` likeliest tokens of the whole vocabulary at its slot (a SlotResponse).

    The variants of a probe are mixed as probabilities, p(v) = Σ weight · p_variant(v), before the ranking
    (Cao et al., section 7.2). The tokens in `excluded`, which are ids, get probability 0, and so do ids that are no token
    of the tokenizer, which only pad the matrices of a network.
    A probe with a word that the tokenizer cannot write has no tokens (`null_unknown`).
    ProbeError: a probe cannot be encoded (`Encoder.slot`).

    >>> from relprobe.lm.loading.example import bigram_model
    >>> from relprobe.lm.requests import Variant
    >>> model = bigram_model({"a": {"bird": 1}, "an": {"animal": 0.5, "owl": 0.5}})
    >>> probe = SlotProbe("robin", (Variant("a [V]", 0.75), Variant("an [V]", 0.25)))
    >>> response = next(slot_top_k(model, [probe], k=2))
    >>> model.encoder.tokenizer.convert_ids_to_tokens(response.token_ids)
    ['bird', 'animal']
    >>> import numpy as np
    >>> np.exp(response.logprobs).round(3).tolist()
    [0.75, 0.125]
    """

    def answer(asked: Iterable[SlotProbe]) -> Iterator[SlotResponse]:
        if not isinstance(model, LanguageModel):
            return model.slot_top_k(asked, k, excluded)
        chunks_ahead = encoded_chunks(model, asked, lambda group: queries_of(model, group), len)
        return _responses(model, chunks_ahead, k, excluded)

    return null_unknown(model.encoder.tokenizer, probes, answer)


def queries_of(model: LanguageModel, probes: Sequence[SlotProbe]) -> Iterator[list[Query]]:
    """Yield the queries of each probe, one for each of its variants."""
    queries = iter(model.encoder.slots([(probe.id, variant.text) for probe in probes for variant in probe.variants]))
    for probe in probes:
        yield list(itertools.islice(queries, len(probe.variants)))


def _responses(
    model: LanguageModel, chunks_ahead: Iterable[list[tuple[SlotProbe, list[Query]]]], k: int, excluded: Sequence[int]
) -> Iterator[SlotResponse]:
    for chunk in chunks_ahead:
        probes = [probe for probe, _ in chunk]
        states = model.states([query for _, queries in chunk for query in queries])  # (variants, width)
        blocks = best_at_states(model, probes, states, k, excluded)
        arrays = fetch([tensor for block in blocks for tensor in block])
        values, ids = (itertools.chain.from_iterable(arrays[i::2]) for i in range(2))
        for probe, logprobs, token_ids in zip(probes, values, ids, strict=True):
            yield SlotResponse(probe.id, token_ids, logprobs)


def best_at_states(
    model: LanguageModel, probes: Sequence[SlotProbe], states: Tensor, k: int, excluded: Sequence[int]
) -> list[Best]:
    """Return the best tokens of consecutive probes, in blocks whose logits are in memory at once.

    `states`: those at the slots of all wordings of the probes, as the head takes them, shape (variants, width).
    """

    def rank(first: int, stop: int, rows: slice) -> Best:
        return _rank(model, model.logits(states[rows]), probes[first:stop], k, excluded)

    return list(model.in_blocks([len(probe.variants) for probe in probes], rank))


@torch.inference_mode()
def _rank(model: LanguageModel, logits: Tensor, probes: Sequence[SlotProbe], k: int, excluded: Sequence[int]) -> Best:
    """Rank the vocabulary for each probe by `logits` (variants, vocabulary).

    Ids without a token have log 0. The last ones, which may be most of the columns, are left out before wordings are mixed:
    exp(-inf) and log(0) take ten times as long as other values.
    """
    k = min(k, logits.shape[1])
    columns = max(model.tokens_end, k)
    no_answers = torch.tensor(
        [token_id for token_id in excluded if token_id < columns], dtype=torch.long, device=logits.device
    )
    mixtures = []  # each of shape (some probes, columns)
    row = 0
    for group in chunks(probes, lambda probe: len(probe.variants), model.rows_at_once):
        count = sum(len(probe.variants) for probe in group)
        mixtures.append(mixture(model.log_softmax(logits[row : row + count])[:, :columns], group))
        mixtures[-1].index_fill_(1, no_answers, -torch.inf)
        row += count
    return best_of_rows(mixtures, k)
