"""Batches of model inputs: a token trie for causal models, or inputs of one length for any model, without padding tokens."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from relprobe.lm.network.blocks import attention_mask, block_keys
from relprobe.lm.network.config_values import layer_values
from relprobe.lm.network.devices import move
from relprobe.lm.network.trie import bucket, build_trie
from relprobe.lm.requests import Query


@dataclass(frozen=True)
class Window:
    """Sliding-window attention: a token attends to the last `size` tokens up to itself.

    With `per_layer`, only the layers of the type "sliding_attention" do so; otherwise all layers do.
    """

    size: int
    per_layer: bool


@dataclass(frozen=True)
class TrieRow:
    """The `keys` of the blocks of a trie, and the `ends` and `depths` of its `nodes`, padded with 0 to whole blocks."""

    keys: Tensor
    ends: Tensor
    depths: Tensor
    nodes: int

    def attention(self, device: torch.device, dtype: torch.dtype, window: Window | None) -> dict[str, Any]:
        """Return the attention mask and the keys of the blocks as arguments of the network.

        In the keys, the fillings and the padding become nodes that exist, once for all layers: the mask hides them.
        """
        keys, ends, depths = (move(values, device) for values in (self.keys, self.ends, self.depths))
        mask: Any = attention_mask(keys, ends, depths, dtype)
        if window is not None and int(self.depths.max()) >= window.size:
            near_mask = attention_mask(keys, ends, depths, dtype, window.size)
            mask = {"full_attention": mask, "sliding_attention": near_mask} if window.per_layer else near_mask
        return {"attention_mask": mask, "trie_keys": keys.clamp(0, self.nodes - 1)}


@dataclass(frozen=True)
class Batch:
    """One forward pass: `tokens` of shape (rows, length), and for a trie the geometry of its one row.

    `reads` are the read positions of the first query, then of the second, and so on, as indices into rows × length: in a
    batch of length 4, position 2 of the second row has index 4 + 2 = 6.
    """

    queries: Sequence[Query]
    tokens: Tensor
    reads: Tensor
    trie: TrieRow | None = None
    sources: Sequence[tuple[int, ...]] = ()  # of an encoder-decoder network: the text of each row, all of one length

    def inputs(self, device: torch.device, dtype: torch.dtype, window: Window | None = None) -> dict[str, Any]:
        """Return the arguments of the forward pass; `window` is that of the network's sliding-window layers, if any."""
        arguments: dict[str, Any] = {"input_ids": move(self.tokens, device)}
        if self.trie is not None:
            arguments["position_ids"] = move(self.trie.depths[: self.tokens.shape[1]][None], device)
            arguments |= self.trie.attention(device, dtype, window)
        if self.sources:
            arguments["sources"] = self.sources
        return arguments


def length_key(query: Query) -> tuple[int, tuple[int, ...], int, tuple[int, ...]]:
    """Return a key by which inputs of one length, or with one source, stand together, as `take_group` and `take_pairs` ask.

    >>> sorted([Query((7, 8), (1,)), Query((9,), (0,)), Query((1, 2), (1,))], key=length_key)[0].ids
    (9,)
    """
    return len(query.source), query.source, len(query.ids), query.ids


def take_batch(queries: Sequence[Query], start: int, budget: int, *, packed: bool) -> Batch:
    """Take queries from index `start` on as one forward pass of up to `budget` tokens, but at least one query.

    `packed` takes a trie, and otherwise inputs of one length, or texts of one length with their candidates.
    """
    if packed:
        return take_trie(queries, start, budget)
    return (take_pairs if queries[start].source else take_group)(queries, start, budget)


def take_group(queries: Sequence[Query], start: int, budget: int) -> Batch:
    """Take the queries from index `start` on that are as long as the first, up to `budget` tokens but at least one query.

    >>> batch = take_group([Query((5, 6), (1,)), Query((5, 7), (0, 1)), Query((5, 6, 7), (2,))], 0, budget=64)
    >>> batch.tokens.tolist(), batch.reads.tolist()
    ([[5, 6], [5, 7]], [1, 2, 3])
    """
    length = len(queries[start].ids)
    stop = start + 1
    while stop < len(queries) and len(queries[stop].ids) == length and (stop + 1 - start) * length <= budget:
        stop += 1
    group = queries[start:stop]
    reads = [row * length + position for row, query in enumerate(group) for position in query.positions]
    return Batch(group, torch.tensor([query.ids for query in group]), torch.tensor(reads))


def take_pairs(queries: Sequence[Query], start: int, budget: int) -> Batch:
    """Take the queries of an encoder-decoder network from index `start` on whose sources are as long as that of the first.

    They have up to `budget` tokens, those of their sources included, but there is at least one query. Rows are filled up at
    their ends with 0, which no decoder looks at from the tokens before.

    >>> batch = take_pairs([Query((1, 5), (1,), (7, 8)), Query((1, 5, 6), (1, 2), (7, 8)), Query((1,), (0,), (7,))], 0, 64)
    >>> batch.tokens.tolist(), batch.reads.tolist(), batch.sources
    ([[1, 5, 0], [1, 5, 6]], [1, 4, 5], ((7, 8), (7, 8)))
    """
    length, longest, stop = len(queries[start].source), 0, start
    while stop < len(queries) and len(queries[stop].source) == length:
        wider = max(longest, len(queries[stop].ids))
        if stop > start and (stop + 1 - start) * (length + wider) > budget:
            break
        longest, stop = wider, stop + 1
    group = queries[start:stop]
    rows = [query.ids + (0,) * (longest - len(query.ids)) for query in group]
    reads = [row * longest + position for row, query in enumerate(group) for position in query.positions]
    return Batch(group, torch.tensor(rows), torch.tensor(reads), sources=tuple(query.source for query in group))


def take_trie(queries: Sequence[Query], start: int, budget: int) -> Batch:
    """Take queries from index `start` on into a trie of up to `budget` nodes, but at least one query.

    The queries are in the order of `sort_key`. A block has half as many nodes as the longest input of its bucket can have
    tokens: 32 nodes for inputs of up to 64 tokens. In smaller blocks more ancestors are looked up again, and in larger ones
    a node passes over more nodes of other branches. Blocks of 32 and of 64 nodes were equally fast on short inputs.

    >>> batch = take_trie([Query((5, 6, 7), (2,)), Query((5, 6, 8), (2,))], 0, budget=64)
    >>> batch.tokens.tolist(), batch.reads.tolist()
    ([[5, 6, 7, 8]], [2, 3])
    >>> batch.trie.ends.tolist()[:6], len(batch.trie.ends)
    ([4, 4, 3, 4, 0, 0], 32)
    """
    trie = build_trie(queries, start, budget)
    keys = block_keys(trie.depths, bucket(queries[start]) // 2)
    length = len(keys) * (bucket(queries[start]) // 2)
    row = TrieRow(keys, _pad(trie.ends, length), _pad(trie.depths, length), len(trie.tokens))
    reads = torch.tensor([node for nodes in trie.reads for node in nodes])
    return Batch(queries[start : start + len(trie.reads)], torch.tensor(trie.tokens)[None], reads, row)


def _pad(values: list[int], length: int) -> Tensor:
    return torch.tensor(values + [0] * (length - len(values)))


def mask_dtype(net: Any) -> torch.dtype:
    """Return the number format of a network's attention masks; weights of eight bits or less compute in another format."""
    dtype: torch.dtype = net.dtype
    return dtype if dtype.is_floating_point and dtype.itemsize > 1 else torch.float32


def sliding_window(config: Any) -> Window | None:
    """Return the window of a network's sliding-window layers, or None if it has no such layers; of several, the longest."""
    text = config.get_text_config()
    kinds = getattr(text, "layer_types", None)
    sizes = window_sizes(text)
    if not sizes or (kinds is not None and "sliding_attention" not in kinds):
        return None
    return Window(max(sizes), per_layer=kinds is not None)


def window_sizes(config: Any) -> list[int]:
    """Return the different lengths of the windows that a config has for sliding-window layers."""
    return [int(size) for size in layer_values(config, "sliding_window") if size]
