"""Token tries and attention in blocks of their nodes, on a trie that is drawn by hand."""

import pytest
import torch
import transformers as hf
from relprobe.lm.network.blocks import NAME, NO_KEY, attend, attend_in_blocks, attention_mask, block_keys
from relprobe.lm.network.load import fastest_model
from relprobe.lm.network.trie import build_trie, sort_key
from relprobe.lm.requests import Query

from tests.lm.architectures import GQA, model, network

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
    keys = block_keys(pad(ENDS, 9), pad(DEPTHS, 9), 3)
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
    keys = block_keys(ends, depths, size)
    mask = attention_mask(keys, ends, depths, torch.float32, window)
    assert mask.shape == (length // size, 1, size, keys.shape[1])
    for node, visible in enumerate(ANCESTORS + [[node] for node in range(8, length)]):  # padding attends to itself
        allowed = mask[node // size, 0, node % size] == 0
        assert keys[node // size, allowed].tolist() == visible[-window if window else None :]


@pytest.mark.parametrize("size", [1, 3, 8, 16])
def test_attention_in_blocks_is_attention_under_the_tree_mask(size):
    torch.manual_seed(0)
    query, key, value = (torch.randn(1, heads, 8, 4) for heads in (4, 2, 2))
    tree = torch.full((8, 8), -torch.inf)
    for node, visible in enumerate(ANCESTORS):
        tree[node, visible] = 0
    scores = query @ key.repeat_interleave(2, 1).transpose(2, 3) * 0.3 + tree
    expected = (scores.softmax(-1) @ value.repeat_interleave(2, 1)).transpose(1, 2)
    length = -(-8 // size) * size
    ends, depths = pad(ENDS, length), pad(DEPTHS, length)
    keys = block_keys(ends, depths, size)
    mask = attention_mask(keys, ends, depths, torch.float32)
    output, weights = attend(torch.nn.Module(), query, key, value, mask, scaling=0.3, trie_keys=keys)
    assert weights is None
    torch.testing.assert_close(output, expected)


def test_a_network_without_keys_computes_as_before():
    for name in ("llama", "gemma3", "gpt2"):
        net = network(name)
        ids = torch.tensor([range(5, 45)])
        net.set_attn_implementation("sdpa")
        expected = net(ids).logits
        attend_in_blocks(net)
        assert net.config._attn_implementation == NAME
        assert torch.equal(net(ids).logits, expected)


def test_attention_in_blocks_refuses_a_soft_cap():
    states = torch.zeros(1, 1, 8, 4)
    with pytest.raises(ValueError, match="does not support softcap"):
        attend(torch.nn.Module(), states, states, states, states, trie_keys=torch.zeros(1, 8), softcap=30.0)


def test_a_network_with_its_own_attention_attends_to_the_whole_trie():
    sizes = {**GQA, "head_dim": 8, "query_pre_attn_scalar": 8, "sliding_window": 8, "attn_logit_softcapping": 2.0}
    encoder = model("gemma3").encoder
    torch.manual_seed(0)
    net = hf.Gemma2ForCausalLM(hf.Gemma2Config(vocab_size=len(encoder.tokenizer), **sizes)).eval()
    for weights in net.parameters():
        torch.nn.init.normal_(weights, std=0.3)
    scorer = fastest_model(net, encoder, 1024)
    assert (scorer.path, net.config._attn_implementation) == ("trie", "eager")
    queries = [Query((first, *range(6, 30), last), (25,)) for first in range(5, 25) for last in range(5, 10)]
    expected = torch.cat([net(torch.tensor([query.ids])).logits[0, -1:] for query in queries])
    sizes_of_batches = []
    body = scorer._body
    scorer._body = lambda **inputs: sizes_of_batches.append(inputs["input_ids"].numel()) or body(**inputs)
    logits = scorer.logits(scorer.states(queries))
    torch.testing.assert_close(logits, expected, rtol=0, atol=1e-4)
    # 20 branches of 25 shared and 5 own nodes: NODES_WITHOUT_BLOCKS = 384 leaves room for twelve of them,
    # but not for the first 26 nodes of the next branch.
    assert sizes_of_batches == [360, 240]
