"""The likeliest words of a masked model: a look-up under masks, or best-first from left to right.

A masked model is told how many tokens a word has, by the number of masks. So there is a question for each number of tokens,
and a prior over these numbers weights the answers (`length_prior`). The text after the slot shows where the word ends, so
the ends of words need no correction.
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import torch
from torch import Tensor

from relprobe.lm.network.devices import move
from relprobe.lm.network.model import LanguageModel
from relprobe.lm.primitives.continuation import fill
from relprobe.lm.primitives.ranking import best_of_rows, log_mixture
from relprobe.lm.primitives.stream import chunks, fetch
from relprobe.lm.primitives.word_search import Frontier, Logs, search
from relprobe.lm.requests import Query, SlotProbe, WordResponse
from relprobe.lm.words.encode import Encoder
from relprobe.lm.words.word_list import Spelling, WordList, WordTrie, length_prior, logs, spellings

logger = logging.getLogger("relprobe")


@dataclass(frozen=True)
class _Length:
    """The words of one number of tokens: their places in the list (words,), and their tokens (words, count)."""

    words: Tensor
    tokens: Tensor
    log_prior: float

    def move(self, device: torch.device) -> "_Length":
        """Return the same words with their tensors on a device."""
        return _Length(move(self.words, device), move(self.tokens, device), self.log_prior)


@lru_cache(8)
def _lengths(encoder: Encoder, start: str, words: WordList, masks: int) -> list[_Length]:
    """Return the words by their numbers of tokens, from 1 to `masks`; their shares of the list's frequency are logged."""
    spelled = spellings(encoder, start, words.words)
    prior = length_prior(spelled, words.frequencies, masks)
    log_prior = logs(prior)
    lengths = []
    for count in range(1, masks + 1):
        word_ids = [i for i, spelling in enumerate(spelled) if spelling is not None and len(spelling) == count]
        tokens = torch.tensor([spelled[i] for i in word_ids], dtype=torch.long).reshape(-1, count)
        lengths.append(_Length(torch.tensor(word_ids, dtype=torch.long), tokens, float(log_prior[count - 1])))
    longer = sum(spelling is not None and len(spelling) > masks for spelling in spelled)
    shares = ", ".join(f"{count + 1}: {share:.4f}" for count, share in enumerate(prior))
    logger.info("prior over the tokens of a word: %s; %s words are longer and no answers", shares, f"{longer:,}")
    return lengths


@torch.inference_mode()
def look_up(
    model: LanguageModel,
    words: WordList,
    k: int,
    masks: int,
    start: str,
    probes: Sequence[SlotProbe],
    slots: Sequence[Sequence[Query]],
) -> list[WordResponse]:
    """Return the `k` likeliest words for each probe, from one forward pass for each number of masks."""
    lengths = _lengths(model.encoder, start, words, masks)
    k = min(k, len(words.words))
    queries = [_masks(slot, count) for probe_slots in slots for slot in probe_slots for count in range(1, masks + 1)]
    states = model.states(queries)
    lengths = [length.move(states.device) for length in lengths]
    rows = masks * (masks + 1) // 2  # of one wording

    def rank(first: int, stop: int, block: slice) -> list[Tensor]:
        logits, row, mixtures = model.logits(states[block]), 0, []
        for group in chunks(probes[first:stop], lambda probe: rows * len(probe.variants), model.rows_at_once):
            count = rows * sum(len(probe.variants) for probe in group)
            logprobs = model.log_softmax(logits[row : row + count])
            mixtures.append(
                log_mixture(
                    _word_logprobs(logprobs.view(-1, rows, logprobs.shape[1]), lengths, len(words.words)), group
                )
            )
            row += count
        return [*best_of_rows(mixtures, k), torch.cat([1 - part.exp().sum(1) for part in mixtures])]

    blocks = model.in_blocks([rows * len(probe_slots) for probe_slots in slots], rank)
    parts = fetch([tensor for block in blocks for tensor in block])
    values, ids, outside = (np.concatenate(parts[i::3]) for i in range(3))
    answers = zip(probes, ids, values, outside, strict=True)
    return [
        WordResponse(probe.id, best[logprobs > -np.inf], logprobs[logprobs > -np.inf], max(0.0, float(remainder)))
        for probe, best, logprobs, remainder in answers
    ]


def _word_logprobs(logprobs: Tensor, lengths: Sequence[_Length], words: int) -> Tensor:
    """Return the log-probabilities of words (wordings, words) from those of tokens (wordings, masks of all lengths, ids)."""
    values = torch.full((len(logprobs), words), -torch.inf, device=logprobs.device)
    row = 0
    for count, length in enumerate(lengths, 1):
        block = logprobs[:, row : row + count]
        sums = sum((block[:, i].index_select(1, length.tokens[:, i]) for i in range(count)), torch.zeros(()))
        values[:, length.words] = sums + length.log_prior
        row += count
    return values


def search_left_to_right(
    model: LanguageModel,
    words: WordList,
    k: int,
    masks: int,
    start: str,
    probes: Sequence[SlotProbe],
    slots: Sequence[Sequence[Query]],
) -> list[WordResponse]:
    """Return the `k` likeliest words for each probe, best-first: the tokens of a word are revealed from left to right.

    The words of n tokens are a trie of their own, below a node that stands for n masks. A node of i tokens is read with
    n - i masks after these.
    """
    encoder = model.encoder
    trie, prior = _trie_by_length(encoder, start, words, masks)
    counts = np.arange(trie.starts[0], trie.starts[1])
    log_prior = logs(prior)[trie.tokens[counts] - 1]
    width = max(map(len, slots))
    weights = np.full((len(probes), 1, width), -np.inf)
    for row, probe in zip(weights, probes, strict=True):
        row[0, : len(probe.variants)] = np.log([variant.weight for variant in probe.variants])
    values = (weights + log_prior[:, None]).reshape(-1, width)
    frontier = Frontier(np.repeat(np.arange(len(probes)), len(counts)), np.tile(counts, len(probes)), values)
    best = search(model, trie, slots, frontier, k, _partly_masked, None)
    return [
        WordResponse(probe.id, ids.astype(np.int32), logprobs.astype(np.float32), None)
        for probe, (ids, logprobs) in zip(probes, best, strict=True)
    ]


@lru_cache(8)
def _trie_by_length(encoder: Encoder, start: str, words: WordList, masks: int) -> tuple[WordTrie, Logs]:
    """Return the trie in which a word's number of tokens stands before its tokens, and the prior over these numbers.

    "ab", spelled 5 6, is 2 5 6 in this trie; words of more than `masks` tokens are left out.
    """
    spelled = spellings(encoder, start, words.words)
    prior = length_prior(spelled, words.frequencies, masks)
    short = [None if spelling is None or len(spelling) > masks else (len(spelling), *spelling) for spelling in spelled]
    return WordTrie.of(short), prior


def _masks(slot: Query, count: int) -> Query:
    """Return the query with `count` masks in the slot; all of them are read.

    >>> _masks(Query((1, 99, 2), (1,)), 2)  # 99 is the mask
    Query(ids=(1, 99, 99, 2), positions=(1, 2))
    """
    return fill(slot, (slot.ids[slot.positions[0]],) * count, range(count))


def _partly_masked(slot: Query, prefix: Spelling) -> Query:
    """Return the query with the first tokens of a word and masks for its other ones; the first mask is read.

    The prefix begins with the word's number of tokens. This is the first of three tokens, 7:

    >>> _partly_masked(Query((1, 99, 2), (1,)), (3, 7))  # 99 is the mask
    Query(ids=(1, 7, 99, 99, 2), positions=(2,))
    """
    count, *tokens = prefix
    masks = (slot.ids[slot.positions[0]],) * (count - len(tokens))
    return fill(slot, (*tokens, *masks), range(len(tokens), len(tokens) + 1))
