"""The likeliest words of a list by the lists of a server: what these leave open is a bound on each word.

A server lists the likeliest tokens of a prompt. The probability of a listed token is exact; an unlisted one has at most that
of the last. That a word ends is the probability of many tokens, of which some are unlisted: it lies between the sum of the
listed ones and that sum with all that is not listed. So a word has a lower and an upper log-probability.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from relprobe.core.errors import ModelError, ProbeError
from relprobe.lm.requests import Query, SlotProbe
from relprobe.lm.words.boundary import boundary_ids
from relprobe.lm.words.unknown import missing
from relprobe.lm.words.word_list import WordList, WordTrie, anchor, spellings

if TYPE_CHECKING:
    from relprobe.lm.served.dialect import TopList
    from relprobe.lm.served.model import ServedModel

AT_ONCE = 16
"""The beginnings of words that one probe asks about in a round, at most."""
LONGEST = 10_000
"""The longest lists that are asked for, if the server gives them."""


@dataclass(frozen=True)
class BoundedWords:
    """The likeliest words of a list at a probe's slot, best first: ids, natural-log probabilities, and their `errors`.

    The true log-probability of a word is no further than its error from the one that is given. All have shape (K,).
    """

    id: str
    word_ids: NDArray[np.int32]
    logprobs: NDArray[np.float32]
    errors: NDArray[np.float32]


@missing.register
def _(response: BoundedWords, _lost: Sequence[bool]) -> BoundedWords:
    return replace(response, word_ids=response.word_ids[:0], logprobs=response.logprobs[:0], errors=response.errors[:0])


def likeliest_words(model: ServedModel, probes: Sequence[SlotProbe], words: WordList, k: int) -> Iterator[BoundedWords]:
    """Yield for each probe of one wording, in order, the `k` likeliest words of a list, as `slot_top_words` defines them.

    No word of which the lists do not say enough can be likelier than those of the response.
    ModelError: the server's lists are too short for that; the sentence has the length that is long enough.
    ProbeError: a probe has several wordings, or cannot be encoded.
    """
    encoder = model.encoder
    size = model.longest_lists(min(LONGEST, len(encoder.token_ids)))
    boundary = np.array(boundary_ids(encoder.tokenizer))
    searches = [_search(model, probe, words, k, boundary) for probe in probes]
    while asked := [(search, *entry) for search in searches for entry in search.best()]:
        prompts = [(*search.slot.ids, *search.trie.prefixes[node]) for search, node, _, _ in asked]
        for (search, node, low, high), answer in zip(asked, model.top_lists(prompts, size), strict=True):
            search.read(node, low, high, answer, complete=len(answer.ids) >= len(encoder.token_ids))
    for probe, search in zip(probes, searches, strict=True):
        yield _response(model, probe, search, size)


def _search(model: ServedModel, probe: SlotProbe, words: WordList, k: int, boundary: NDArray[np.int64]) -> _Search:
    if len(probe.variants) > 1:
        raise ProbeError(f"probe {probe.id!r} has several wordings, which a server ranks no words for: ask each alone.")
    text = probe.variants[0].text
    trie = WordTrie.of(spellings(model.encoder, anchor(model.encoder, probe.id, text), words.words))
    return _Search(model.encoder.slot(probe.id, text), trie, min(k, len(words.words)), boundary)


@dataclass
class _Search:
    """The search of one probe: nodes of the trie that are not opened yet, and the words so far, with their bounds.

    `left` has (node, low, high), `words` (low, high, word), and `unlisted` is the most that a word may have whose tokens are
    in no list.
    """

    slot: Query
    trie: WordTrie
    k: int
    boundary: NDArray[np.int64]
    left: list[tuple[int, float, float]] = field(default_factory=lambda: [(0, 0.0, 0.0)])
    words: list[tuple[float, float, int]] = field(default_factory=list)
    unlisted: float = -math.inf

    def best(self) -> list[tuple[int, float, float]]:
        """Take the likeliest nodes that may lead to one of the k best words; none are left at the end."""
        lows = sorted((low for low, _, _ in self.words), reverse=True)
        least = lows[self.k - 1] if len(lows) >= self.k else -math.inf
        left = sorted((entry for entry in self.left if entry[2] >= least), key=lambda entry: -entry[2])
        self.left = left[AT_ONCE:]
        return left[:AT_ONCE]

    def read(self, node: int, low: float, high: float, answer: TopList, *, complete: bool) -> None:
        """Take the list after a node into account: the words that end there, and the node's children."""
        logprobs = answer.values()
        last = -math.inf if complete else min(logprobs.values())
        ends = self._ends(answer, complete=complete)
        for word in self.trie.words[self.trie.ends[node] : self.trie.ends[node + 1]].tolist():
            self.words.append((low + ends[0], high + ends[1], word))
            if ends[0] == -math.inf:  # no boundary is listed
                self.unlisted = max(self.unlisted, high + ends[1])
        for child in range(self.trie.starts[node], self.trie.starts[node + 1]):
            token = int(self.trie.tokens[child])
            begins = node == 0 and token in self.boundary  # given that the word before has ended
            highest_end, lowest_end = (ends[0], ends[1]) if begins else (0.0, 0.0)
            if token in logprobs:
                self.left.append((child, low + logprobs[token] - lowest_end, high + logprobs[token] - highest_end))
            else:
                self.unlisted = max(self.unlisted, high + last - highest_end)

    def _ends(self, answer: TopList, *, complete: bool) -> tuple[float, float]:
        """Return the least and the greatest log-probability that a boundary comes next."""
        probabilities = np.exp(answer.logprobs.astype(float))
        listed = float(probabilities[np.isin(answer.ids, self.boundary)].sum())
        unlisted = 0.0 if complete else max(0.0, 1 - float(probabilities.sum()))
        return _log(listed), _log(min(1.0, listed + unlisted))


def _log(probability: float) -> float:
    return math.log(probability) if probability > 0 else -math.inf


def _response(model: ServedModel, probe: SlotProbe, search: _Search, size: int) -> BoundedWords:
    """Return the k best words. ModelError: a word that is in no list may be one of them."""
    words = sorted(
        (entry for entry in search.words if entry[0] > -math.inf), key=lambda entry: (-entry[0] - entry[1], entry[2])
    )
    certain = [entry for entry in words[: search.k] if entry[0] >= search.unlisted]
    if len(certain) < search.k and search.unlisted > -math.inf:
        enough = len(model.encoder.token_ids)
        raise ModelError(
            f"{model}: only {len(certain)} of {search.k} words of probe {probe.id!r} are certain, as its lists end after "
            f"{size} tokens: lists of {enough} tokens are long enough (--max-logprobs of vLLM); or ask for fewer words."
        )
    lows, highs, ids = (np.array([entry[i] for entry in certain]) for i in range(3))
    middle = (lows + highs) / 2
    return BoundedWords(
        probe.id, ids.astype(np.int32), middle.astype(np.float32), ((highs - lows) / 2).astype(np.float32)
    )
