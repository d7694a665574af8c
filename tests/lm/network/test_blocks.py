"""Token tries and attention in blocks of their nodes, on a trie that is drawn by hand."""

import pytest
import torch
from relprobe.lm.network.blocks import NAME, NO_KEY, attend, attention_in_blocks, attention_mask, block_keys
from relprobe.lm.network.trie import build_trie, sort_key
from relprobe.lm.requests import Query

from tests.lm.architectures import build

QUERIES = [Query(ids, (len(ids) - 1,)) for ids in [(1, 2, 3), (1, 2, 4), (1, 5), (1, 5, 6, 7), (8,)]]
# 1 ─┬─ 2 ─┬─ 3        nodes 0 1 2
#    │     └─ 4                  3
#    └─ 5 ─── 6 ── 7             4 5 6
# 8                              7
ENDS = [7, 4, 3, 4, 7, 7, 7, 8]
DEPTHS = [0, 1, 2, 2, 1, 2, 3, 0]
ANCESTORS = [[0], [0, 1], [0, 1, 2], [0, 1, 3], [0, 4], [0, 4, 5], [0, 4, 5, 6], [7]]


def test_a_trie_has_its_nodes_in_depth_first_order():
    trie = build_trie(sorted(QUERIES, key=sort_key), 0, 8)
    assert (trie.tokens, trie.ends, trie.depths) == ([1, 2, 3, 4, 5, 6, 7, 8], ENDS, DEPTHS)
    assert trie.reads == [[2], [3], [4], [6], [7]]


def test_a_full_trie_leaves_the_rest_of_the_queries():
    assert len(build_trie(QUERIES, 0, 5).reads) == 3
    assert build_trie(QUERIES, 3, 2).tokens == [1, 5, 6, 7]  # a trie has one query at least


def test_short_and_long_inputs_go_into_different_tries():
    long = Query(tuple(range(70)), (0,))
    assert len(build_trie([*QUERIES, long], 0, 1000).reads) == len(QUERIES)


def pad(values, length):
    return torch.tensor(values + [0] * (length - len(values)))


def test_a_block_attends_to_the_ancestors_of_its_first_node_and_to_itself():
    keys = block_keys(DEPTHS, 3)
    filling = [NO_KEY] * 3  # at most two ancestors and three nodes make five keys, and there are eight
    assert keys.tolist() == [
        [NO_KEY, NO_KEY, *filling, 0, 1, 2],
        [0, 1, *filling, 3, 4, 5],
        [0, 4, 5, *filling[:2], 6, 7, 8],
    ]


@pytest.mark.parametrize("size", [1, 2, 3, 4, 8])
@pytest.mark.parametrize("window", [None, 2])
def test_a_node_attends_to_its_ancestors_and_itself(size, window):
    length = -(-8 // size) * size
    ends, depths = pad(ENDS, length), pad(DEPTHS, length)
    keys = block_keys(DEPTHS, size)
    mask = attention_mask(keys, ends, depths, torch.float32, window)
    assert mask.shape == (length // size, 1, size, keys.shape[1])
    for node, visible in enumerate(ANCESTORS + [[node] for node in range(8, length)]):  # padding attends to itself
        allowed = mask[node // size, 0, node % size] == 0
        assert keys[node // size, allowed].tolist() == visible[-window if window else None :]


@pytest.mark.parametrize("size", [1, 3, 8, 16])
@pytest.mark.parametrize("softcap", [None, 1.5])
@pytest.mark.parametrize("sinks", [None, [0.5, -1.0, 0.0, 2.0]])
@pytest.mark.parametrize("scaling", [0.3, None])
def test_attention_in_blocks_is_attention_under_the_tree_mask(size, softcap, sinks, scaling):
    """A network that says no scale has that of every transformer, 1 / sqrt(size of a head), here of 4."""
    torch.manual_seed(0)
    query, key, value = (torch.randn(1, heads, 8, 4) for heads in (4, 2, 2))
    tree = torch.full((8, 8), -torch.inf)
    for node, visible in enumerate(ANCESTORS):
        tree[node, visible] = 0
    scores = query @ key.repeat_interleave(2, 1).transpose(2, 3) * (scaling or 1 / 2)
    scores = (softcap * torch.tanh(scores / softcap) if softcap else scores) + tree
    if sinks:  # a ninth key for each head, whose value is 0
        scores = torch.cat([scores, torch.tensor(sinks).view(1, 4, 1, 1).expand(1, 4, 8, 1)], -1)
    expected = (scores.softmax(-1)[..., :8] @ value.repeat_interleave(2, 1)).transpose(1, 2)
    length = -(-8 // size) * size
    keys = block_keys(DEPTHS, size)
    mask = attention_mask(keys, pad(ENDS, length), pad(DEPTHS, length), torch.float32)
    extras = {"softcap": softcap, "s_aux": None if sinks is None else torch.tensor(sinks)}
    nodes = keys.clamp(0, 7)  # the mask hides fillings and padding
    output, weights = attend(torch.nn.Module(), query, key, value, mask, scaling=scaling, trie_keys=nodes, **extras)
    assert weights is None
    torch.testing.assert_close(output, expected)


@pytest.mark.parametrize(
    "arguments", [{"trie_keys": None}, {"trie_keys": torch.zeros(1, 8), "position_bias": torch.zeros(1)}]
)
def test_attention_in_blocks_refuses_what_it_does_not_compute(arguments):
    states = torch.zeros(1, 1, 8, 4)
    with pytest.raises(ValueError, match="cannot be computed in blocks"):
        attend(torch.nn.Module(), states, states, states, states, **arguments)


@pytest.mark.parametrize("name", ["llama", "gemma2", "gemma3_multimodal"])
def test_a_network_attends_in_blocks_in_the_context_alone(name):
    net = build(name)
    text = net.config.get_text_config()
    before = (net.config._attn_implementation, text._attn_implementation)
    with pytest.raises(RuntimeError, match="stop"), attention_in_blocks(net):
        assert text._attn_implementation == NAME
        raise RuntimeError("stop")
    assert (net.config._attn_implementation, text._attn_implementation) == before


@pytest.mark.parametrize("window", [None, 1])
def test_the_mask_is_made_on_the_device_of_the_trie(window):
    """Tensors that are made without a device are elsewhere here, as they are where a network computes on a GPU."""
    keys, ends, depths = block_keys(DEPTHS, 4), torch.tensor(ENDS), torch.tensor(DEPTHS)
    expected = attention_mask(keys, ends, depths, torch.float32, window)
    with torch.device("meta"):
        assert torch.equal(attention_mask(keys, ends, depths, torch.float32, window), expected)
