"""Attention over a token trie in blocks of its nodes, as an attention function of transformers.

All else in a network works on each node by itself. So the nodes of a trie make one row, where nothing stands twice, and
only here a block of consecutive nodes is set beside what it attends to: itself and the ancestors of its first node.
"""

from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.functional import pad, scaled_dot_product_attention
from transformers import AttentionInterface, AttentionMaskInterface
from transformers.integrations.sdpa_attention import repeat_kv, sdpa_attention_forward
from transformers.masking_utils import sdpa_mask

NAME = "trie_blocks"
MULTIPLE = 8
"""A block attends to a multiple of this many keys: the mask of a GPU's attention kernels must be so aligned."""
NO_KEY = -1
"""Fills up the keys of a block with fewer ancestors than others."""
UNSUPPORTED = ("softcap", "position_bias", "s_aux")
"""What some networks add to their attention and is not computed here: a cap, learned biases, sinks."""


def block_keys(ends: Tensor, depths: Tensor, size: int) -> Tensor:
    """Return the nodes that each block of `size` nodes attends to, shape (blocks, keys): its ancestors, then its own.

    `ends` and `depths` (nodes) are a trie's, padded with 0 to whole blocks.
    """
    nodes = torch.arange(len(ends), device=ends.device)
    first = nodes[::size, None]
    above = (nodes < first) & (ends > first)  # (blocks, nodes)
    width = -(-(int(above.sum(1).max()) + size) // MULTIPLE) * MULTIPLE
    keys = torch.full((len(first), width), NO_KEY, device=ends.device)
    block, node = above.nonzero(as_tuple=True)
    keys[block, depths[node]] = node
    keys[:, -size:] = nodes.view(-1, size)
    return keys


def attention_mask(keys: Tensor, ends: Tensor, depths: Tensor, dtype: torch.dtype, window: int | None = None) -> Tensor:
    """Return the additive mask (blocks, 1, nodes of a block, keys) of a trie whose `ends` (nodes) are padded with 0.

    With `window`, a node sees only the ancestors less than that many `depths` (nodes) above it. Padding attends to itself
    alone, so that its softmax is defined.
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
    """Return the attention (1, nodes, heads, size) of a trie's nodes, `query` (1, heads, nodes, size), block by block.

    `trie_keys` (blocks, keys) are `block_keys`, and the mask belongs to them; without them this is transformers' "sdpa".
    ValueError: the network asks for one of UNSUPPORTED.
    """
    if trie_keys is None or attention_mask is None:
        return sdpa_attention_forward(module, query, key, value, attention_mask, scaling=scaling, **others)
    if asked := [name for name in UNSUPPORTED if others.get(name) is not None]:
        raise ValueError(f"attention with {asked[0]} is not computed in blocks")
    count, size = len(trie_keys), attention_mask.shape[2]
    nodes = query.shape[2]
    wanted = trie_keys.clamp(0, nodes - 1).flatten()
    keys, values = (_in_blocks(states[0].index_select(1, wanted), count) for states in (key, value))
    queries = _in_blocks(pad(query[0], (0, 0, 0, count * size - nodes)), count)
    if query.device.type != "cpu":  # only the CPU's kernel takes a mask and fewer heads of keys than of queries
        groups = query.shape[1] // key.shape[1]
        keys, values = repeat_kv(keys, groups), repeat_kv(values, groups)
    found = scaled_dot_product_attention(queries, keys, values, attention_mask, scale=scaling, enable_gqa=True)
    return found.transpose(1, 2).flatten(0, 1)[None, :nodes], None


def _in_blocks(states: Tensor, count: int) -> Tensor:
    """Cut (heads, length, size) into (blocks, heads, length of a block, size)."""
    heads, length, size = states.shape
    return states.view(heads, count, length // count, size).transpose(0, 1)


def can_attend_in_blocks(net: Any) -> bool:
    """Return whether a network's attention is one of transformers' exchangeable functions, "sdpa"."""
    return net.config._attn_implementation in ("sdpa", NAME)


def attend_in_blocks(net: Any) -> None:
    """Let a network attend in blocks whenever it is given `trie_keys`; without them it goes on as before."""
    AttentionInterface.register(NAME, attend)
    AttentionMaskInterface.register(NAME, sdpa_mask)
    net.set_attn_implementation(NAME)
