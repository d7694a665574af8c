"""The likeliest words of a causal model: best-first from the first tokens of all words, with the ends of words counted."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from relprobe.lm.network.devices import move
from relprobe.lm.network.model import LanguageModel
from relprobe.lm.primitives.ranking import best_of_rows, log_mixture
from relprobe.lm.primitives.stream import boundary_logprobs, chunks, fetch
from relprobe.lm.primitives.word_search import Frontier, Logs, runs, search
from relprobe.lm.requests import Query, SlotProbe, WordResponse
from relprobe.lm.words.encode import Encoder
from relprobe.lm.words.word_list import Ids, Spelling, WordList, WordTrie, spellings

FIRST_TOKENS = 8
"""So many times k first tokens of a probe are kept; a probe whose best words may lie beyond them is asked again for more."""


@dataclass(frozen=True)
class _FirstTokens:
    """The likeliest first tokens of words at the slots of some probes.

    `frontier` holds them as nodes. `bound` (probes,): no first token that was not kept has a higher log-probability; and
    `outside` (probes,) is the probability of the tokens with which no word begins.
    """

    frontier: Frontier
    bound: Logs
    outside: NDArray[np.float32]


def best_causal_words(
    model: LanguageModel,
    boundary: Tensor,
    words: WordList,
    k: int,
    start: str,
    probes: Sequence[SlotProbe],
    slots: Sequence[Sequence[Query]],
) -> list[WordResponse]:
    """Return the `k` likeliest words for each probe; `slots` are those of its wordings, and words are spelled after `start`.

    `boundary`: the tokens that end a word (`boundary_tokens`). ProbeError: the longest word does not fit after a text.
    """
    trie = spelling_trie(model.encoder, start, words.words)
    for probe, probe_slots in zip(probes, slots, strict=True):
        for slot in probe_slots:
            model.encoder.check_length(probe.id, _query_after(slot, trie.prefixes[-1]))
    left, count = list(range(len(probes))), FIRST_TOKENS * k
    answers: dict[int, WordResponse] = {}
    while left:
        open_probes, open_slots = [probes[i] for i in left], [slots[i] for i in left]
        first = _first_tokens(model, trie, boundary, open_probes, open_slots, count)
        best = search(model, trie, open_slots, first.frontier, k, _query_after, boundary)
        complete = (first.bound < best.least) | (first.bound == -np.inf)
        for i, (ids, logprobs), outside, done in zip(left, best, first.outside, complete, strict=True):
            if done:
                arrays = ids.astype(np.int32), logprobs.astype(np.float32)
                answers[i] = WordResponse(probes[i].id, *arrays, max(0.0, float(outside)))
        left, count = [i for i in left if i not in answers], 4 * count
    return [answers[i] for i in range(len(probes))]


@lru_cache(8)
def spelling_trie(encoder: Encoder, start: str, words: tuple[str, ...]) -> WordTrie:
    """Return the trie of the words as they are spelled after `start`."""
    return WordTrie.of(spellings(encoder, start, words))


def _query_after(slot: Query, prefix: Spelling) -> Query:
    """Return the query that reads the tokens of a beginning of words after the text.

    >>> _query_after(Query((1, 2), (1,)), (7, 8))
    Query(ids=(1, 2, 7, 8), positions=(3,))
    """
    ids = (*slot.ids, *prefix)
    return slot._replace(ids=ids, positions=(len(ids) - 1,))


@torch.inference_mode()
def _first_tokens(
    model: LanguageModel,
    trie: WordTrie,
    boundary: Tensor,
    probes: Sequence[SlotProbe],
    slots: Sequence[Sequence[Query]],
    most: int,
) -> _FirstTokens:
    """Rank the first tokens of all words for each probe and keep the best ones."""
    tokens = torch.from_numpy(trie.tokens[trie.starts[0] : trie.starts[1]])
    leads = torch.isin(tokens, boundary).float()  # 1 for the words that begin with a boundary, as a rule with the space
    states = model.states([slot for probe_slots in slots for slot in probe_slots])
    most = min(most, len(tokens))
    tokens, leads, boundary = (move(tensor, states.device) for tensor in (tokens, leads, boundary))

    def rank(first: int, stop: int, block: slice) -> list[Tensor]:
        logits, row = model.logits(states[block]), 0
        picked, mixtures = [], []
        for group in chunks(probes[first:stop], lambda probe: len(probe.variants), model.rows_at_once):
            count = sum(len(probe.variants) for probe in group)
            logprobs = model.log_softmax(logits[row : row + count])
            ends = boundary_logprobs(logprobs, boundary)
            picked.append(logprobs.index_select(1, tokens) - ends[:, None] * leads)
            mixtures.append(log_mixture(picked[-1], group))
            row += count
        values, best = best_of_rows(mixtures, most)
        counts = torch.tensor([len(probe.variants) for probe in probes[first:stop]], device=best.device)
        variant_rows, stops = best.long().repeat_interleave(counts, 0), itertools.accumulate(map(len, picked))
        pairs = zip(picked, stops, strict=True)
        chosen = torch.cat([part.gather(1, variant_rows[stop - len(part) : stop]) for part, stop in pairs])
        return [values[:, -1], best, chosen, torch.cat([1 - part.exp().sum(1) for part in mixtures])]

    blocks = model.in_blocks([len(probe_slots) for probe_slots in slots], rank)
    parts = fetch([tensor for block in blocks for tensor in block])
    least, best, chosen, outside = (np.concatenate(parts[i::4]) for i in range(4))
    bounds = least.astype(np.float64) if most < len(tokens) else np.full(len(probes), -np.inf)
    return _FirstTokens(_nodes(trie.starts[0] + best, chosen, probes), bounds, outside)


def _nodes(nodes: Ids, values: NDArray[np.float32], probes: Sequence[SlotProbe]) -> Frontier:
    """Return a frontier of `nodes` (probes, count); `values` (wordings of all probes, count) have no weights yet."""
    counts = [len(probe.variants) for probe in probes]
    owners, wordings = runs(np.array(counts))
    weights = np.log([variant.weight for probe in probes for variant in probe.variants])
    columns = np.full((len(probes), nodes.shape[1], max(counts)), -np.inf)
    columns[owners, :, wordings] = values + weights[:, None]
    return Frontier(np.repeat(np.arange(len(probes)), nodes.shape[1]), nodes.ravel(), columns.reshape(-1, max(counts)))
