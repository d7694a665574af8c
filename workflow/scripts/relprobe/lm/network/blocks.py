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

from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.functional import pad, scaled_dot_product_attention
from transformers import AttentionInterface, AttentionMaskInterface
from transformers.integrations.sdpa_attention import repeat_kv, sdpa_attention_forward
from transformers.masking_utils import sdpa_mask

NAME = "trie_blocks"
KEY_MULTIPLE = 8
"""The number of keys is a multiple of this, because a GPU's attention kernels need a mask that is so aligned."""
NO_KEY = -1
"""The filling where a block has fewer ancestors than another block."""
UNSUPPORTED_ARGUMENTS = ("softcap", "position_bias", "s_aux")
"""Additions of some networks to their attention that `attend` does not compute: a cap, learned biases, sinks."""


def block_keys(ends: Tensor, depths: Tensor, size: int) -> Tensor:
    """Return the nodes that each block of `size` nodes attends to, shape (blocks, keys).

    The keys are the ancestors of the block's first node, each at the index of its depth, then NO_KEY as filling, then the
    block's own nodes. `ends` and `depths` (nodes) are those of a trie, padded with 0 to whole blocks.

    >>> block_keys(torch.tensor([5, 3, 3, 5, 5, 0]), torch.tensor([0, 1, 2, 1, 2, 0]), size=2)
    tensor([[-1, -1, -1, -1, -1, -1,  0,  1],
            [ 0,  1, -1, -1, -1, -1,  2,  3],
            [ 0,  3, -1, -1, -1, -1,  4,  5]])
    """
    nodes = torch.arange(len(ends), device=ends.device)
    first = nodes[::size, None]
    above = (nodes < first) & (ends > first)  # (blocks, nodes)
    width = -(-(int(above.sum(1).max()) + size) // KEY_MULTIPLE) * KEY_MULTIPLE
    keys = torch.full((len(first), width), NO_KEY, device=ends.device)
    block, node = above.nonzero(as_tuple=True)
    keys[block, depths[node]] = node
    keys[:, -size:] = nodes.view(-1, size)
    return keys


def attention_mask(keys: Tensor, ends: Tensor, depths: Tensor, dtype: torch.dtype, window: int | None = None) -> Tensor:
    """Return the additive mask of a trie, shape (blocks, 1, nodes of a block, keys): 0 where a node attends to a key.

    `ends` and `depths` (nodes) are padded with 0. With a `window`, a node attends only to ancestors that are less than
    `window` depths above it. Padding attends to itself alone, so that its softmax is defined. Node 3 of the example stands
    second in block 1 and attends to the keys 0 and 3; within a window of 1 it attends to itself:

    >>> ends, depths = torch.tensor([5, 3, 3, 5, 5, 0]), torch.tensor([0, 1, 2, 1, 2, 0])
    >>> keys = block_keys(ends, depths, size=2)
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
    module: nn.Module,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attention_mask: Tensor | None,
    scaling: float | None = None,
    trie_keys: Tensor | None = None,
    **others: Any,
) -> tuple[Tensor, None]:
    """Return the attention (1, nodes, heads, size) of a trie's nodes, block by block, and no attention weights.

    `query` has shape (1, heads, nodes, size); `key` and `value` may have fewer heads. `trie_keys` (blocks, keys) are the
    `block_keys` of the trie, and `attention_mask` is theirs. Without `trie_keys` this is transformers' own "sdpa".
    ValueError: the network passes one of UNSUPPORTED_ARGUMENTS.
    """
    if trie_keys is None or attention_mask is None:
        return sdpa_attention_forward(module, query, key, value, attention_mask, scaling=scaling, **others)
    if unsupported := [name for name in UNSUPPORTED_ARGUMENTS if others.get(name) is not None]:
        raise ValueError(f"attention in blocks does not support {unsupported[0]}")
    count, size = len(trie_keys), attention_mask.shape[2]
    nodes = query.shape[2]
    indices = trie_keys.clamp(0, nodes - 1).flatten()  # the mask hides fillings and padding, whatever node they name
    keys, values = (_in_blocks(states[0].index_select(1, indices), count) for states in (key, value))
    queries = _in_blocks(pad(query[0], (0, 0, 0, count * size - nodes)), count)
    if query.device.type != "cpu":  # with a mask, only the CPU's kernel takes fewer heads of keys than of queries
        groups = query.shape[1] // key.shape[1]
        keys, values = repeat_kv(keys, groups), repeat_kv(values, groups)
    output = scaled_dot_product_attention(queries, keys, values, attention_mask, scale=scaling, enable_gqa=True)
    return output.transpose(1, 2).flatten(0, 1)[None, :nodes], None


def _in_blocks(states: Tensor, count: int) -> Tensor:
    """Cut (heads, length, size) into (blocks, heads, length of a block, size)."""
    heads, length, size = states.shape
    return states.view(heads, count, length // count, size).transpose(0, 1)


def can_attend_in_blocks(net: Any) -> bool:
    """Return whether a network attends through transformers' exchangeable function "sdpa", which `attend` can replace."""
    return net.config._attn_implementation in ("sdpa", NAME)


def attend_in_blocks(net: Any) -> None:
    """Let a network attend in blocks whenever its arguments have `trie_keys`; without them it computes as before."""
    AttentionInterface.register(NAME, attend)
    AttentionMaskInterface.register(NAME, sdpa_mask)
    net.set_attn_implementation(NAME)
