"""Token tries: causal inputs that begin alike share the computation of what they share.

A pack is a trie laid out in depth-first order as one row of tokens. Node j attends to its ancestors and itself, which in
that order are the nodes i <= j whose subtree has not ended before j; its position is its depth.
"""

import itertools
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field

import torch
from torch import Tensor

from relprobe.lm.requests import Query

PACK_NODES = 96
"""Nodes of one trie. Attention costs nodes² and shared prefixes are repeated once per trie; 96 measured fastest."""

SHARED_PART = 4
"""A trie is at least this many times as long as what all inputs begin with, a long context for example."""


@dataclass
class Pack:
    """One trie: per node its token, its depth and the end of its subtree, and per query the nodes it reads."""

    tokens: list[int] = field(default_factory=list)
    depths: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    reads: list[list[int]] = field(default_factory=list)
    path: list[int] = field(default_factory=list)  # the nodes of the query added last

    def new_nodes(self, query: Query) -> int:
        """Count the nodes that adding `query` would make."""
        return len(query.ids) - self._shared(query)

    def add(self, query: Query) -> None:
        """Add a query; queries come in lexicographic order of their ids, so its shared prefix lies on the last path."""
        shared = self._shared(query)
        for node in self.path[shared:]:
            self.ends[node] = len(self.tokens)
        del self.path[shared:]
        for depth in range(shared, len(query.ids)):
            self.path.append(len(self.tokens))
            self.tokens.append(query.ids[depth])
            self.depths.append(depth)
            self.ends.append(-1)
        self.reads.append([self.path[position] for position in query.positions])

    def close(self) -> None:
        """End the subtrees that are still open."""
        for node in self.path:
            self.ends[node] = len(self.tokens)
        self.path = []

    def _shared(self, query: Query) -> int:
        count = 0
        for node, token in zip(self.path, query.ids, strict=False):
            if self.tokens[node] != token:
                break
            count += 1
        return count


def bucket(query: Query) -> int:
    """Return the size of the tries that a query goes into: PACK_NODES, or the next power of two if it is longer."""
    return max(PACK_NODES, 1 << (len(query.ids) - 1).bit_length())


def sort_key(query: Query) -> tuple[int, tuple[int, ...]]:
    """Sort queries so that those of one bucket stand together, and among them those that begin alike."""
    return bucket(query), query.ids


def pack_nodes(queries: Sequence[Query], start: int) -> int:
    """Return how many nodes the tries of the queries from `start` that are of one bucket should have."""
    size = bucket(queries[start])
    last = bisect_right(queries, size, start, key=bucket) - 1
    pairs = zip(queries[start].ids, queries[last].ids, strict=False)  # what these two share, all between them do
    shared = sum(1 for _ in itertools.takewhile(lambda pair: pair[0] == pair[1], pairs))
    return max(size, SHARED_PART * shared)


def pack(queries: Sequence[Query], start: int, nodes: int, packs: int) -> list[Pack]:
    """Fill up to `packs` tries of up to `nodes` nodes with queries of one bucket, from `start`, in the order of `sort_key`.

    A query longer than `nodes` gets a trie of its own.
    """
    filled = [Pack()]
    size = bucket(queries[start])
    for index in range(start, len(queries)):
        query = queries[index]
        if bucket(query) != size:
            break
        current = filled[-1]
        if current.tokens and len(current.tokens) + current.new_nodes(query) > nodes:
            if len(filled) == packs:
                break
            filled.append(Pack())
        filled[-1].add(query)
    for trie in filled:
        trie.close()
    return filled


def attention_mask(ends: Tensor, depths: Tensor, dtype: torch.dtype, window: int | None = None) -> Tensor:
    """Return the additive mask (packs, 1, nodes, nodes) of tries whose `ends` (packs, nodes) are padded with 0.

    With `window`, a node sees only the ancestors less than that many `depths` (packs, nodes) above it. Padding attends to
    itself alone, so that its softmax is defined.
    """
    index = torch.arange(ends.shape[1], device=ends.device)
    causal = index[None, :] <= index[:, None]  # (query node, key node)
    open_ = ends[:, None, :] > index[None, :, None]  # the key node's subtree reaches the query node
    allowed = causal & open_
    if window is not None:
        allowed &= depths[:, :, None] - depths[:, None, :] < window
    allowed |= torch.eye(len(index), dtype=torch.bool, device=ends.device)
    mask = torch.zeros(allowed.shape, dtype=dtype, device=ends.device)
    return mask.masked_fill_(~allowed, torch.finfo(dtype).min)[:, None]
