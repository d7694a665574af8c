"""Best-first search for the likeliest words in a trie of their spellings, for all probes of a chunk at once.

A node of the trie is a beginning of words. The probability of a word never exceeds that of its beginning, its *bound*. So
the search opens the nodes of the highest bounds first. It never opens a node whose bound lies below the k-th best word
that it has seen, since no word beyond that node can be among the k best. What it returns is exact.

To open a node is to let the model read its tokens after the text: that gives the bounds of its children, and the
probability that the words which end there do end. Nodes are opened in rounds, several for each probe, so that the
model gets full batches and the texts are read again a few times only.

A probe with several wordings has one bound and one word probability for each, and their weighted sums decide.
"""

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from torch import Tensor

from relprobe.lm.network.model import LanguageModel
from relprobe.lm.primitives.stream import read_logprobs
from relprobe.lm.requests import Query
from relprobe.lm.words.word_list import Ids, Spelling, WordTrie

Logs = NDArray[np.float64]
Ask = Callable[[Query, Spelling], Query]
"""Makes the query that reads the tokens of a node in the slot of a wording."""

LEAST_AT_ONCE = 8
"""The nodes of a probe that are opened in one round, at least: the text before them is read again in every round."""
VALUES_AT_ONCE = 2**24
"""The most log-probabilities of children that are in memory at once: 128 MB."""


@dataclass(frozen=True)
class Frontier:
    """Nodes of probes that are not opened yet. Entry i is node `nodes[i]` of probe `probes[i]`.

    `values` (entries, wordings): log(weight x probability of the node) for each wording, -inf where a probe has fewer.
    """

    probes: Ids
    nodes: Ids
    values: Logs

    def __getitem__(self, chosen: NDArray[np.bool_] | Ids | slice) -> "Frontier":
        return Frontier(self.probes[chosen], self.nodes[chosen], self.values[chosen])

    def __len__(self) -> int:
        return len(self.probes)

    @property
    def bounds(self) -> Logs:
        """The log-probability of each node, over all wordings."""
        return log_sums(self.values)

    def above(self, least: Logs) -> "Frontier":
        """Return the entries whose bounds reach `least` of their probe, and are more than -inf."""
        bounds = self.bounds
        return self[(bounds >= least[self.probes]) & (bounds > -np.inf)]

    def split(self, count: int) -> tuple["Frontier", "Frontier"]:
        """Return the `count` entries of the highest bounds of each probe, by probe, and the others."""
        order = np.lexsort((-self.bounds, self.probes))
        first = positions_in_group(self.probes[order]) < count
        return self[order[first]], self[order[~first]]


def join(frontiers: Sequence[Frontier]) -> Frontier:
    """Return the entries of several frontiers."""
    columns = zip(*((frontier.probes, frontier.nodes, frontier.values) for frontier in frontiers), strict=True)
    return Frontier(*(np.concatenate(column) for column in columns))


class BestWords:
    """The `k` best words of each probe so far; of equally likely words the first of the list comes first."""

    def __init__(self, probes: int, k: int) -> None:
        self._k = k
        self._probes, self._words, self._logprobs = np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0)
        self.least = np.full(probes, -np.inf)
        """The log-probability of the k-th best word of each probe, -inf where fewer words are there."""

    def add(self, probes: Ids, words: Ids, logprobs: Logs) -> None:
        """Take words of probes into account; impossible ones are left out."""
        possible = logprobs > -np.inf
        probes, words, logprobs = (
            np.concatenate([old, new[possible]])
            for old, new in ((self._probes, probes), (self._words, words), (self._logprobs, logprobs))
        )
        order = np.lexsort((words, -logprobs, probes))
        rank = positions_in_group(probes[order])
        last = order[rank == self._k - 1]
        self.least[probes[last]] = logprobs[last]
        best = order[rank < self._k]
        self._probes, self._words, self._logprobs = probes[best], words[best], logprobs[best]

    def __iter__(self) -> Iterator[tuple[Ids, Logs]]:
        stops = np.searchsorted(self._probes, np.arange(len(self.least) + 1))
        for start, stop in itertools.pairwise(stops):
            yield self._words[start:stop], self._logprobs[start:stop]


def search(
    model: LanguageModel,
    trie: WordTrie,
    wordings: Sequence[Sequence[Query]],
    frontier: Frontier,
    k: int,
    ask: Ask,
    boundary: Tensor | None,
) -> BestWords:
    """Return the k best words below the nodes of a frontier for each probe; `wordings` are the slots of each probe.

    `boundary`: the tokens one of which must follow a word (`boundary_tokens`); without it a word ends with its tokens.
    """
    best = BestWords(len(wordings), k)
    at_once = max(LEAST_AT_ONCE, k + k // 2)
    while len(frontier := frontier.above(best.least)):
        chosen, frontier = frontier.split(at_once)
        parts = [frontier]
        for part in _parts(model, trie, chosen):
            children = _open(model, trie, wordings, part, ask, boundary, best)
            parts.append(children.above(best.least))
        frontier = join(parts)
        at_once = max(LEAST_AT_ONCE, k)
    return best


def _parts(model: LanguageModel, trie: WordTrie, chosen: Frontier) -> Iterator[Frontier]:
    """Cut entries into parts whose states and whose children's values are in memory at once, but at least one entry."""
    wordings = (chosen.values > -np.inf).sum(1)
    children = wordings * (trie.starts[chosen.nodes + 1] - trie.starts[chosen.nodes])
    start = states = values = 0
    for i, (rows, count) in enumerate(zip(wordings.tolist(), children.tolist(), strict=True)):
        if i > start and (states + rows > model.chunk or values + count > VALUES_AT_ONCE):
            yield chosen[start:i]
            start, states, values = i, 0, 0
        states, values = states + rows, values + count
    yield chosen[start:]


def _open(
    model: LanguageModel,
    trie: WordTrie,
    wordings: Sequence[Sequence[Query]],
    entries: Frontier,
    ask: Ask,
    boundary: Tensor | None,
    best: BestWords,
) -> Frontier:
    """Read the tokens of some nodes; add the words that end there to the best ones, and return the children."""
    entry, wording = np.nonzero(entries.values > -np.inf)  # a wording in which a node is impossible is not read
    owners, nodes = entries.probes[entry].tolist(), entries.nodes[entry].tolist()
    queries = [
        ask(wordings[owner][which], trie.prefixes[node])
        for owner, which, node in zip(owners, wording.tolist(), nodes, strict=True)
    ]
    counts = trie.starts[entries.nodes + 1] - trie.starts[entries.nodes]  # children of each entry
    rows, offset = runs(counts[entry])
    children = trie.starts[entries.nodes[entry]][rows] + offset
    logprobs, ends = read_logprobs(model, model.states(queries), rows, trie.tokens[children], boundary)
    if boundary is not None:
        finished = np.full(entries.values.shape, -np.inf)
        finished[entry, wording] = entries.values[entry, wording] + ends
        _finish(trie, Frontier(entries.probes, entries.nodes, finished), best)
    parent, place_of_child = runs(counts)
    values = np.full((len(parent), entries.values.shape[1]), -np.inf)
    first_child = np.cumsum(counts) - counts
    values[first_child[entry][rows] + offset, wording[rows]] = entries.values[entry, wording][rows] + logprobs
    next_frontier = Frontier(entries.probes[parent], trie.starts[entries.nodes[parent]] + place_of_child, values)
    if boundary is None:
        _finish(trie, next_frontier, best)
    return (
        next_frontier[trie.starts[next_frontier.nodes + 1] > trie.starts[next_frontier.nodes]]
        if boundary is None
        else next_frontier
    )


def _finish(trie: WordTrie, ended: Frontier, best: BestWords) -> None:
    """Add the words that end at these nodes, whose values are now those of whole words."""
    entry, offset = runs(trie.ends[ended.nodes + 1] - trie.ends[ended.nodes])
    words = trie.words[trie.ends[ended.nodes][entry] + offset]
    best.add(ended.probes[entry], words, ended.bounds[entry])


def runs(counts: Ids) -> tuple[Ids, Ids]:
    """Return, for runs of these lengths one after another, the number of each item's run and its place in the run.

    >>> [array.tolist() for array in runs(np.array([2, 0, 1]))]
    [[0, 0, 2], [0, 1, 0]]
    """
    owner = np.repeat(np.arange(len(counts)), counts)
    return owner, np.arange(len(owner)) - np.repeat(np.cumsum(counts) - counts, counts)


def positions_in_group(groups: Ids) -> Ids:
    """Return the position of each item in its group, from 0; equal groups stand together.

    >>> positions_in_group(np.array([3, 3, 5, 5, 5])).tolist()
    [0, 1, 0, 1, 2]
    """
    starts = np.flatnonzero(np.diff(groups, prepend=-1))
    return np.arange(len(groups)) - np.repeat(starts, np.diff(starts, append=len(groups)))


def log_sums(values: Logs) -> Logs:
    """Return the logarithm of the sum of each row of probabilities, whose logarithms are `values` (rows, columns).

    >>> log_sums(np.log([[0.25, 0.5], [0.5, 0.5]])).round(3).tolist()  # 0.75 and 1
    [-0.288, 0.0]
    """
    result: Logs = np.logaddexp.reduce(values, axis=1)
    return result
