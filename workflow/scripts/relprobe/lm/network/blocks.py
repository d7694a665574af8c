"""Attention over a token trie in blocks of its nodes, as an attention function of transformers.

Attention from every node to every node of a trie costs nodes². But a node needs only its ancestors and itself, so the row
of nodes is cut into blocks of consecutive nodes, and a block attends to its keys: the ancestors of its first node, then its
own nodes. Every ancestor of a node of the block is among them. Everything else in a network works on each node by itself and
needs no blocks. The example of this module is the trie of "a robin sings" and "a bird sings", in blocks of two nodes:

    a ─┬─ robin ── sings      nodes 0 1 2     depths 0 1 2     ends 5 3 3
       └─ bird ─── sings            3 4              1 2            5 5

    block 0    nodes 0 1    keys 0 1              (node 0 has no ancestors)
    block 1    nodes 2 3    keys 0 1, then 2 3    (the ancestors of node 2 are 0 1)
    block 2    node  4      keys 0 3, then 4 5    (the ancestors of node 4 are 0 3; node 5 is padding)
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.functional import pad, scaled_dot_product_attention
from transformers import AttentionInterface, AttentionMaskInterface
from transformers.integrations.sdpa_attention import repeat_kv
from transformers.masking_utils import sdpa_mask

NAME = "trie_blocks"
KEY_MULTIPLE = 8
"""The number of keys is a multiple of this, because a GPU's attention kernels need a mask that is so aligned."""
NO_KEY = -1
"""The filling where a block has fewer ancestors than another block."""


def block_keys(depths: Sequence[int], size: int) -> Tensor:
    """Return the nodes that each block of `size` nodes attends to, shape (blocks, keys), on the CPU.

    The keys are the ancestors of the block's first node, each at the index of its depth, then NO_KEY as filling, then the
    block's own nodes. `depths` are those of a trie's nodes; the last block is filled up with nodes that do not exist.

    >>> block_keys([0, 1, 2, 1, 2], size=2)
    tensor([[-1, -1, -1, -1, -1, -1,  0,  1],
            [ 0,  1, -1, -1, -1, -1,  2,  3],
            [ 0,  3, -1, -1, -1, -1,  4,  5]])
    """
    ancestors_of_blocks: list[list[int]] = []
    path: list[int] = []  # the ancestors of a node, then the node
    for node, depth in enumerate(depths):
        del path[depth:]
        if node % size == 0:
            ancestors_of_blocks.append(path[:])
        path.append(node)
    width = -(-(max(map(len, ancestors_of_blocks)) + size) // KEY_MULTIPLE) * KEY_MULTIPLE
    filled = [ancestors + [NO_KEY] * (width - size - len(ancestors)) for ancestors in ancestors_of_blocks]
    return torch.cat(
        [torch.tensor(filled, dtype=torch.long), torch.arange(len(ancestors_of_blocks) * size).view(-1, size)], 1
    )


def attention_mask(keys: Tensor, ends: Tensor, depths: Tensor, dtype: torch.dtype, window: int | None = None) -> Tensor:
    """Return the additive mask of a trie, shape (blocks, 1, nodes of a block, keys): 0 where a node attends to a key.

    `ends` and `depths` (nodes) are padded with 0. With a `window`, a node attends only to ancestors that are less than
    `window` depths above it. Padding attends to itself alone, so that its softmax is defined. Node 3 of the example stands
    second in block 1 and attends to the keys 0 and 3; within a window of 1 it attends to itself:

    >>> ends, depths = torch.tensor([5, 3, 3, 5, 5, 0]), torch.tensor([0, 1, 2, 1, 2, 0])
    >>> keys = block_keys([0, 1, 2, 1, 2], size=2)
    >>> keys[1][attention_mask(keys, ends, depths, torch.float32)[1, 0, 1] == 0]
    tensor([0, 3])
    >>> keys[1][attention_mask(keys, ends, depths, torch.float32, window=1)[1, 0, 1] == 0]
    tensor([3])
    """
    node = torch.arange(len(ends), device=ends.device).view(len(keys), -1, 1)  # (blocks, nodes of a block, 1)
    key = keys[:, None]  # (blocks, 1, keys)
    allowed = (key != NO_KEY) & (key <= node) & (ends[key] > node)
    if window is not None:
        allowed &= depths[node] - depths[key] < window
    allowed |= key == node
    mask = torch.zeros(allowed.shape, dtype=dtype, device=ends.device)
    return mask.masked_fill_(~allowed, torch.finfo(dtype).min)[:, None]


def attend(
    _module: nn.Module,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attention_mask: Tensor,
    scaling: float | None = None,
    trie_keys: Tensor | None = None,
    softcap: float | None = None,
    s_aux: Tensor | None = None,
    position_bias: Tensor | None = None,
    **_options: Any,
) -> tuple[Tensor, None]:
    """Return the attention (1, nodes, heads, size) of a trie's nodes, block by block, and no attention weights.

    `query` has shape (1, heads, nodes, size); `key` and `value` may have fewer heads. `trie_keys` (blocks, keys) are the
    `block_keys` of the trie, with any node in place of one that does not exist; `attention_mask`, which is theirs, hides
    it. `softcap` bounds the products of queries and keys (Gemma 2), and `s_aux` (heads,) are sinks, which take a share of
    each node's attention (gpt-oss).
    ValueError: the network does not pass the keys on, or has learned biases of relative positions.
    """
    if trie_keys is None or position_bias is not None:
        raise ValueError("its attention cannot be computed in blocks")
    count, size = len(trie_keys), attention_mask.shape[2]
    nodes = query.shape[2]
    indices = trie_keys.to(key.device).flatten()
    keys, values = (_in_blocks(states[0].index_select(1, indices), count) for states in (key, value))
    queries = _in_blocks(pad(query[0], (0, 0, 0, count * size - nodes)), count)
    mask = attention_mask.to(query.device, query.dtype)
    groups = query.shape[1] // key.shape[1]
    plain = softcap is None and s_aux is None
    if groups > 1 and not (
        plain and query.device.type == "cpu"
    ):  # with a mask, only the CPU's kernel takes fewer heads
        keys, values = repeat_kv(keys, groups), repeat_kv(values, groups)
    if plain:
        fewer = keys.shape[1] < queries.shape[1]
        output = scaled_dot_product_attention(queries, keys, values, mask, scale=scaling, enable_gqa=fewer)
    else:
        output = _attend_with_extras(queries, keys, values, mask, scaling, softcap, s_aux)
    # Of one block nothing has been copied so far, and some networks take a view of the result.
    return output.transpose(1, 2).flatten(0, 1)[None, :nodes].contiguous(), None


def _attend_with_extras(
    queries: Tensor,
    keys: Tensor,
    values: Tensor,
    mask: Tensor,
    scaling: float | None,
    softcap: float | None,
    sinks: Tensor | None,
) -> Tensor:
    """Return the attention (blocks, heads, nodes, size) with a cap on its scores, with sinks, or with both."""
    scores = queries @ keys.transpose(-1, -2) * (queries.shape[-1] ** -0.5 if scaling is None else scaling)
    if softcap is not None:
        scores = (scores / softcap).tanh() * softcap
    scores = scores + mask
    if sinks is not None:
        scores = torch.cat([scores, sinks.to(scores).view(1, -1, 1, 1).expand(*scores.shape[:-1], 1)], -1)
    weights = scores.softmax(-1, torch.float32).to(values.dtype)[..., : keys.shape[2]]
    return weights @ values


def _in_blocks(states: Tensor, count: int) -> Tensor:
    """Cut (heads, length, size) into (blocks, heads, length of a block, size)."""
    heads, length, size = states.shape
    return states.view(heads, count, length // count, size).transpose(0, 1)


@contextmanager
def attention_in_blocks(net: Any, function: Callable[..., Any] = attend) -> Iterator[None]:
    """Let a network attend with `function`, which takes `trie_keys`, and afterwards as before."""
    AttentionInterface.register(NAME, function)
    AttentionMaskInterface.register(NAME, sdpa_mask)
    configs = list(parts_of(net.config))
    names = [config._attn_implementation for config in configs]
    net.config._attn_implementation = NAME  # and those of all parts of the network
    try:
        yield
    finally:
        for config, name in zip(configs, names, strict=True):  # a whole comes before its parts, which it sets, too
            config._attn_implementation = name


def parts_of(config: Any) -> Iterator[Any]:
    """Yield the config of a network, and those of its parts: a network for texts and images has one for each."""
    yield config
    for key in config.sub_configs:
        part = getattr(config, key, None)
        if part is not None:
            yield from parts_of(part)
