"""Batches of model inputs: a token trie for causal models, inputs of one length for any model; no padding between words."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from relprobe.lm.network.blocks import MULTIPLE, attention_mask, block_keys
from relprobe.lm.network.trie import bucket, grow
from relprobe.lm.requests import Query

WHOLE_NODES = 384
"""Nodes of a trie for a network that attends from every node to every node, which costs nodes²."""
LEAST_BLOCKS = 2
"""Blocks of a trie, were one enough: layers that torch compiles for any number are compiled anew for one."""


@dataclass(frozen=True)
class Window:
    """Sliding-window attention over `size` tokens, the token itself included: in all layers or by the layer's type."""

    size: int
    per_layer: bool


@dataclass(frozen=True)
class TrieRow:
    """The `ends` and `depths` of a trie's nodes, padded with 0 to whole blocks of `block` nodes.

    `blocked`: does the network attend block by block (`attend_in_blocks`)? If not, all is one block.
    """

    ends: Tensor
    depths: Tensor
    block: int
    blocked: bool

    def attention(self, device: torch.device, dtype: torch.dtype, window: Window | None) -> dict[str, Any]:
        """Return the mask, and what it belongs to if the network attends in blocks."""
        ends, depths = self.ends.to(device), self.depths.to(device)
        keys = block_keys(ends, depths, self.block)
        mask: Any = attention_mask(keys, ends, depths, dtype)
        if window is not None and int(self.depths.max()) >= window.size:
            near = attention_mask(keys, ends, depths, dtype, window.size)
            mask = {"full_attention": mask, "sliding_attention": near} if window.per_layer else near
        return {"attention_mask": mask, "trie_keys": keys} if self.blocked else {"attention_mask": mask}


@dataclass(frozen=True)
class Batch:
    """One forward pass: `tokens` (rows, length) and, for a trie, what its one row is made of.

    `reads` are the states wanted, as indices into rows x length: those of the first query, then of the second, ….
    """

    queries: Sequence[Query]
    tokens: Tensor
    reads: Tensor
    trie: TrieRow | None = None

    def inputs(self, device: torch.device, dtype: torch.dtype, window: Window | None = None) -> dict[str, Any]:
        """Return the arguments of the forward pass of a model whose sliding-window layers, if any, see `window`."""
        made: dict[str, Any] = {"input_ids": self.tokens.to(device)}
        if self.trie is not None:
            made["position_ids"] = self.trie.depths[: self.tokens.shape[1]][None].to(device)
            made |= self.trie.attention(device, dtype, window)
        return made


def take_grouped(queries: Sequence[Query], start: int, budget: int) -> Batch:
    """Take the queries from `start` that are as long as the first, up to `budget` tokens (at least one query)."""
    length = len(queries[start].ids)
    stop = start + 1
    while stop < len(queries) and len(queries[stop].ids) == length and (stop + 1 - start) * length <= budget:
        stop += 1
    chosen = queries[start:stop]
    reads = [row * length + position for row, query in enumerate(chosen) for position in query.positions]
    return Batch(chosen, torch.tensor([query.ids for query in chosen]), torch.tensor(reads))


def take_trie(queries: Sequence[Query], start: int, budget: int, *, blocked: bool) -> Batch:
    """Take queries from `start`, in the order of `sort_key`, into a trie of up to `budget` nodes (at least one query).

    Its blocks have half as many nodes as their deepest node can have ancestors: in smaller ones more ancestors are looked
    up again, in larger ones more nodes of other branches are passed over. 32 and 64 measured the same on short inputs.
    """
    trie = grow(queries, start, budget if blocked else min(budget, WHOLE_NODES))
    whole = _multiple(len(trie.tokens), MULTIPLE)
    block = bucket(queries[start]) // 2 if blocked else whole
    padded = max(_multiple(whole, block), LEAST_BLOCKS * block) if blocked else whole
    row = TrieRow(
        ends=_padded(trie.ends, padded),
        depths=_padded(trie.depths, padded),
        block=block,
        blocked=blocked,
    )
    tokens = torch.tensor(trie.tokens) if blocked else _padded(trie.tokens, whole)
    reads = torch.tensor([node for read in trie.reads for node in read])
    return Batch(queries[start : start + len(trie.reads)], tokens[None], reads, row)


def _multiple(count: int, of: int) -> int:
    """Return the least multiple of `of` that is not below `count`."""
    return -(-count // of) * of


def _padded(values: list[int], length: int) -> Tensor:
    return torch.tensor(values + [0] * (length - len(values)))
