"""Token tries: causal inputs that begin alike share the computation of what they share.

A trie is laid out in depth-first order as one row of tokens. Node j attends to its ancestors and itself, which in that
order are the nodes i <= j whose subtree has not ended before j; its position is its depth.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from relprobe.lm.requests import Query

SHORT = 64
"""Inputs of up to this many tokens go into the same tries."""


@dataclass
class Trie:
    """Per node its token, its depth and the end of its subtree, and per query the nodes it reads."""

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
    """Return SHORT, or the next power of two if the query is longer: how deep the tries are that a query goes into."""
    return max(SHORT, 1 << (len(query.ids) - 1).bit_length())


def sort_key(query: Query) -> tuple[int, tuple[int, ...]]:
    """Sort queries so that those of one bucket stand together, and among them those that begin alike."""
    return bucket(query), query.ids


def grow(queries: Sequence[Query], start: int, nodes: int) -> Trie:
    """Make a trie of up to `nodes` nodes of queries of one bucket, from `start`, in the order of `sort_key`.

    A query longer than `nodes` gets a trie of its own.
    """
    trie = Trie()
    size = bucket(queries[start])
    for index in range(start, len(queries)):
        query = queries[index]
        if bucket(query) != size or (trie.tokens and len(trie.tokens) + trie.new_nodes(query) > nodes):
            break
        trie.add(query)
    trie.close()
    return trie
