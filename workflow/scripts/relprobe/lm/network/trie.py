"""Token tries: causal inputs that begin alike share the computation of their common beginning.

A trie is one row of tokens (nodes) in depth-first order. With one token per word, the three inputs "a robin is a bird",
"a robin is a kind of a" and "a robin is a kind of an" make nine nodes instead of 19 tokens:

    a ── robin ── is ── a ─┬─ bird                  nodes 0 1 2 3 4
                           └─ kind ── of ─┬─ a                    5 6 7
                                          └─ an                   8

The depth of a node is its position in its input: "kind" (node 5) has depth 4, as "bird" (node 4) has. The end of a node is
the first node after its subtree: the end of "bird" is 5, and the end of "of" (node 6) is 9. A node attends to its ancestors
and itself, and in this order the ancestors of node j are the nodes i < j whose end is greater than j.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from relprobe.lm.requests import Query

SHORT_LENGTH = 64
"""Inputs of up to this many tokens go into the same tries."""


@dataclass
class Trie:
    """The token, depth and end of each node, and for each query the nodes that it reads."""

    tokens: list[int] = field(default_factory=list)
    depths: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)  # -1 as long as a subtree is open
    reads: list[list[int]] = field(default_factory=list)
    path: list[int] = field(default_factory=list)  # the nodes of the last query
    last: tuple[int, ...] = ()  # the ids of the last query
    likely: int = 0  # how many tokens it shared: the next one probably shares as many

    def common_length(self, query: Query) -> int:
        """Count the tokens that a query has in common with the last query, from its first token on."""
        ids, last_ids = query.ids, self.last
        # Long inputs begin alike as a rule: slices are compared many times faster than their tokens one by one.
        count = self.likely if ids[: self.likely] == last_ids[: self.likely] else 0
        for token, previous in zip(ids[count:], last_ids[count:], strict=False):
            if token != previous:
                break
            count += 1
        return count

    def add(self, query: Query, shared: int) -> None:
        """Add a query that has its first `shared` tokens in common with the last one, as queries in order have."""
        path, first = self.path, len(self.tokens)
        for node in path[shared:]:
            self.ends[node] = first
        path[shared:] = range(first, first + len(query.ids) - shared)
        self.tokens += query.ids[shared:]
        self.depths += range(shared, len(query.ids))
        self.ends += [-1] * (len(query.ids) - shared)
        self.reads.append([path[position] for position in query.positions])
        self.last, self.likely = query.ids, shared

    def close(self) -> None:
        """End the subtrees that are still open."""
        for node in self.path:
            self.ends[node] = len(self.tokens)
        self.path = []


def bucket(query: Query) -> int:
    """Return SHORT_LENGTH, or for a longer query the next power of two; only queries of one bucket share a trie.

    >>> [bucket(Query((1,) * length, (0,))) for length in (5, 64, 65, 129)]
    [64, 64, 128, 256]
    """
    return max(SHORT_LENGTH, 1 << (len(query.ids) - 1).bit_length())


def sort_key(query: Query) -> tuple[int, tuple[int, ...]]:
    """Return a key that sorts queries by their buckets, and within a bucket so that equal beginnings are neighbours.

    >>> queries = [Query(ids, (0,)) for ids in [(7, 2), (1,) * 65, (1, 5), (7,)]]
    >>> [query.ids[:2] for query in sorted(queries, key=sort_key)]
    [(1, 5), (7,), (7, 2), (1, 1)]
    """
    return bucket(query), query.ids


def build_trie(queries: Sequence[Query], start: int, nodes: int) -> Trie:
    """Build a trie of up to `nodes` nodes from the queries of one bucket, from index `start` on.

    The queries are in the order of `sort_key`. A query longer than `nodes` gets a trie of its own. This is the example of
    the module, with the ids a 1, an 2, bird 3, is 4, kind 5, of 6, robin 7; each input is read at its last token:

    >>> inputs = [(1, 7, 4, 1, 3), (1, 7, 4, 1, 5, 6, 1), (1, 7, 4, 1, 5, 6, 2)]
    >>> trie = build_trie([Query(ids, (len(ids) - 1,)) for ids in inputs], 0, nodes=64)
    >>> trie.tokens
    [1, 7, 4, 1, 3, 5, 6, 1, 2]
    >>> trie.depths
    [0, 1, 2, 3, 4, 4, 5, 6, 6]
    >>> trie.ends
    [9, 9, 9, 9, 5, 9, 9, 8, 9]
    >>> trie.reads
    [[4], [7], [8]]
    """
    trie = Trie()
    size = bucket(queries[start])
    for index in range(start, len(queries)):
        query = queries[index]
        shared = trie.common_length(query)
        if len(query.ids) > size or (trie.tokens and len(trie.tokens) + len(query.ids) - shared > nodes):
            break
        trie.add(query, shared)
    trie.close()
    return trie
