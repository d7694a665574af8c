"""Batches of model inputs: token tries for causal models, inputs of one length for any model; no padding between words."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from relprobe.lm.requests import Query
from relprobe.lm.trie import attention_mask, pack, pack_nodes

MULTIPLE = 8
"""Tries are padded to a multiple of this many nodes: the mask of a GPU's attention kernels must be so aligned."""


@dataclass(frozen=True)
class Window:
    """Sliding-window attention over `size` tokens, the token itself included: in all layers or by the layer's type."""

    size: int
    per_layer: bool


@dataclass(frozen=True)
class Batch:
    """One forward pass: `tokens` (rows, length) and, for tries, the mask and the positions that go with them.

    `reads` are the states wanted, as indices into rows x length: those of the first query, then of the second, ….
    """

    queries: Sequence[Query]
    tokens: Tensor
    reads: Tensor
    ends: Tensor | None = None
    depths: Tensor | None = None

    def inputs(self, device: torch.device, dtype: torch.dtype, window: Window | None = None) -> dict[str, Any]:
        """Return the arguments of the forward pass of a model whose sliding-window layers, if any, see `window`."""
        made: dict[str, Any] = {"input_ids": self.tokens.to(device)}
        if self.ends is not None and self.depths is not None:
            ends, depths = self.ends.to(device), self.depths.to(device)
            made["position_ids"] = depths
            made["attention_mask"] = attention_mask(ends, depths, dtype)
            if window is not None and int(self.depths.max()) >= window.size:
                near = attention_mask(ends, depths, dtype, window.size)
                kinds = {"full_attention": made["attention_mask"], "sliding_attention": near}
                made["attention_mask"] = kinds if window.per_layer else near
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


def take_packed(queries: Sequence[Query], start: int, budget: int) -> Batch:
    """Take queries from `start`, in the order of `sort_key`, into tries of together up to `budget` nodes (at least one)."""
    nodes = min(budget, pack_nodes(queries, start))
    packs = pack(queries, start, nodes, max(1, budget // nodes))
    longest = max(len(trie.tokens) for trie in packs)
    length = -(-longest // MULTIPLE) * MULTIPLE
    reads = [row * length + node for row, trie in enumerate(packs) for read in trie.reads for node in read]
    count = sum(len(trie.reads) for trie in packs)
    return Batch(
        queries[start : start + count],
        _padded([trie.tokens for trie in packs], length),
        torch.tensor(reads),
        ends=_padded([trie.ends for trie in packs], length),
        depths=_padded([trie.depths for trie in packs], length),
    )


def _padded(rows: list[list[int]], length: int) -> Tensor:
    return torch.tensor([row + [0] * (length - len(row)) for row in rows])
