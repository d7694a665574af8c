"""Batches of model inputs: token tries for causal models, inputs of one length for any model; no padding between words."""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from relprobe.lm.requests import Query
from relprobe.lm.trie import attention_mask, pack

PACK_NODES = 128
"""Nodes of one trie. Attention costs nodes² and shared prefixes are repeated once per trie; 128 measured fastest."""


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

    def inputs(self, device: torch.device, dtype: torch.dtype) -> dict[str, Tensor]:
        """Return the arguments of the forward pass."""
        made = {"input_ids": self.tokens.to(device)}
        if self.ends is not None and self.depths is not None:
            made["attention_mask"] = attention_mask(self.ends.to(device), dtype)
            made["position_ids"] = self.depths.to(device)
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
    """Take queries from `start`, sorted by their ids, into tries of together up to `budget` nodes (at least one query)."""
    nodes = min(budget, PACK_NODES)
    packs = pack(queries, start, nodes, max(1, budget // nodes))
    length = max(len(trie.tokens) for trie in packs)
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
