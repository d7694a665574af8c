"""Batches and small configs by hand: how many inputs fit, which windows and lengths count, and what a small network has."""

from types import SimpleNamespace

import pytest
import torch
from relprobe.lm.network.batching import (
    Window,
    length_key,
    mask_dtype,
    sliding_window,
    take_batch,
    take_group,
    take_pairs,
    take_trie,
    window_sizes,
)
from relprobe.lm.network.blocks import parts_of
from relprobe.lm.network.config_values import layer_values
from relprobe.lm.network.packing import _is_border, _original_lengths, reason_against_tries
from relprobe.lm.network.small import _key_heads, _layers_of_each_kind, _narrow, _narrow_all, _sections
from relprobe.lm.network.trie import Trie, bucket, build_trie
from relprobe.lm.requests import Query


def queries_of(*lengths, source=()):
    return [Query((number, *range(1, length)), (length - 1,), source) for number, length in enumerate(lengths, 10)]


@pytest.mark.parametrize(("budget", "taken"), [(1, 1), (5, 1), (6, 2), (8, 2), (9, 3), (100, 3)])
def test_a_group_has_inputs_of_one_length_up_to_its_budget(budget, taken):
    batch = take_group(queries_of(2, 3, 3, 3, 4), 1, budget)
    assert len(batch.queries) == taken
    assert batch.tokens.shape == (taken, 3)
    assert batch.reads.tolist() == [2, 5, 8][:taken]
    assert len(take_group(queries_of(3, 3), 1, budget).queries) == 1


@pytest.mark.parametrize(("budget", "taken"), [(1, 1), (9, 1), (10, 2), (20, 2), (21, 3), (100, 3)])
def test_pairs_count_the_tokens_of_their_texts_and_the_longest_row(budget, taken):
    """By hand: texts of 2 tokens; two rows of up to 3 tokens make 10, and three of up to 5 make 21."""
    rows = [*queries_of(2, 3, 5, source=(7, 8)), *queries_of(2, source=(7,))]
    batch = take_pairs(rows, 0, budget)
    assert len(batch.queries) == taken
    assert batch.tokens.shape == (taken, [2, 3, 5][taken - 1])
    assert batch.sources == ((7, 8),) * taken
    assert batch.tokens[0].tolist() == [10, 1, 0, 0, 0][: batch.tokens.shape[1]]


def test_inputs_are_taken_as_their_way_asks():
    plain, pairs = queries_of(3, 3), queries_of(3, 3, source=(7, 8))
    assert take_batch(plain, 0, 64, packed=True).trie is not None
    assert take_batch(plain, 0, 64, packed=False).trie is None
    assert take_batch(pairs, 0, 64, packed=False).sources == ((7, 8),) * 2
    rows = [
        *queries_of(1, source=(8, 7)),
        *queries_of(3, 2, source=(9,)),
        *queries_of(4),
        *queries_of(1, source=(7, 8)),
    ]
    order = sorted(rows, key=length_key)
    assert [(query.source, len(query.ids)) for query in order] == [
        *(((), 4), ((9,), 2), ((9,), 3), ((7, 8), 1), ((8, 7), 1))
    ]


def test_a_block_of_a_trie_has_half_of_what_its_longest_inputs_may_have():
    for length, size in ((3, 32), (65, 64), (129, 128)):
        row = take_trie(queries_of(length), 0, 1000).trie
        assert (len(row.ends) % size, len(row.keys)) == (0, -(-length // size))
        assert row.nodes == length


@pytest.mark.parametrize(("depth", "size", "near"), [(4, 5, False), (5, 5, True), (6, 5, True)])
def test_a_window_shows_only_in_inputs_that_are_longer(depth, size, near):
    row = take_trie(queries_of(depth + 1), 0, 1000).trie
    device = torch.device("cpu")
    alone = row.attention(device, torch.float32, None)["attention_mask"]
    everywhere = row.attention(device, torch.float32, Window(size, per_layer=False))["attention_mask"]
    assert torch.equal(everywhere, alone) is not near
    in_layers = row.attention(device, torch.float32, Window(size, per_layer=True))
    if near:
        assert torch.equal(in_layers["attention_mask"]["full_attention"], alone)
        assert torch.equal(in_layers["attention_mask"]["sliding_attention"], everywhere)
    else:
        assert torch.equal(in_layers["attention_mask"], alone)
    assert in_layers["trie_keys"].min() == 0
    assert in_layers["trie_keys"].max() == depth


@pytest.mark.parametrize(
    ("dtype", "expected"),
    [
        *((torch.float32, torch.float32), (torch.bfloat16, torch.bfloat16), (torch.float16, torch.float16)),
        *((torch.int8, torch.float32), (torch.float8_e4m3fn, torch.float32), (torch.int32, torch.float32)),
    ],
)
def test_masks_have_the_format_of_the_weights_unless_that_is_no_wide_float(dtype, expected):
    assert mask_dtype(SimpleNamespace(dtype=dtype)) == expected


def config_of(**values):
    """A config of a network that has one part."""
    config = SimpleNamespace(sub_configs={}, **values)
    config.get_text_config = lambda: config
    return config


def test_the_window_is_the_longest_of_the_sliding_layers_if_there_are_any():
    layers = {"per_layer_attributes": {"sliding_window"}}
    several = [SimpleNamespace(sliding_window=size) for size in (8, None, 16, 8, 0)]
    assert window_sizes(config_of(per_layer_config=several, **layers)) == [8, 16]
    assert sliding_window(config_of(per_layer_config=several, **layers)) == Window(16, per_layer=False)
    kinds = ["full_attention", "sliding_attention"]
    assert sliding_window(config_of(sliding_window=8, layer_types=kinds)) == Window(8, per_layer=True)
    assert sliding_window(config_of(sliding_window=8, layer_types=kinds[:1])) is None
    assert sliding_window(config_of(sliding_window=None)) is None
    assert layer_values(config_of(size=0), "size") == [0]


def encoder_of(**values):
    return SimpleNamespace(**{"both_sides": False, "masked": False, "max_length": 64, **values})


def network_of(*, stateful=False, exchangeable=True, positions=True, **config):
    def with_positions(input_ids, position_ids): ...
    def without(input_ids): ...

    body = SimpleNamespace(forward=with_positions if positions else without)
    settings = config_of(is_encoder_decoder=False, **config)
    return SimpleNamespace(
        model=body,
        base_model_prefix="model",
        named_children=dict,
        config=settings,
        _is_stateful=stateful,
        _supports_attention_backend=exchangeable,
    )


LENGTHS = {"rope_parameters": {"rope_type": "dynamic"}}


@pytest.mark.parametrize(
    ("net", "encoder", "reason"),
    [
        ({}, {}, None),
        ({}, {"both_sides": True, "masked": True}, "a masked network reads on both sides"),
        ({}, {"both_sides": True}, "its encoder reads on both sides"),
        ({"layer_types": ["full_attention", "mamba"]}, {}, "some layers do not attend, or only within chunks"),
        ({"stateful": True}, {}, "some layers do not attend, or only within chunks"),
        ({"stateful": True, "layer_types": ["sliding_attention", "attention"]}, {}, None),
        ({"exchangeable": False}, {}, "its attention cannot be exchanged"),
        ({"positions": False}, {}, "it takes no positions"),
        ({**LENGTHS, "max_position_embeddings": 50}, {}, "its positions depend on the longest input"),
        ({**LENGTHS, "max_position_embeddings": 64}, {}, None),
        ({**LENGTHS, "max_position_embeddings": 50}, {"max_length": 50}, None),
        ({"exchangeable": False, "positions": False}, {}, "its attention cannot be exchanged"),
    ],
)
def test_the_first_reason_against_a_trie_is_named(net, encoder, reason):
    assert reason_against_tries(network_of(**net), encoder_of(**encoder)) == reason


def test_rotary_positions_change_at_the_length_of_the_variant_or_else_of_the_config():
    dynamic = {"rope_type": "dynamic"}
    own = {"rope_type": "longrope", "original_max_position_embeddings": 8}
    for values, lengths in (
        ({}, []),
        ({"rope_parameters": {"rope_type": "linear"}, "max_position_embeddings": 4}, []),
        ({"rope_parameters": dynamic, "max_position_embeddings": 4}, [4]),
        ({"rope_parameters": dynamic, "max_position_embeddings": 4, "original_max_position_embeddings": 2}, [2]),
        ({"rope_parameters": own, "max_position_embeddings": 4, "original_max_position_embeddings": 2}, [8]),
        ({"rope_parameters": {"full": own, "near": dynamic, "rope_theta": 7}, "max_position_embeddings": 4}, [8, 4]),
        ({"rope_parameters": dynamic}, [0]),
    ):
        assert _original_lengths(config_of(**values)) == lengths
    borders = [(64, 65, True), (63, 64, False), (32, 33, False), (96, 97, False), (96, 96, True), (128, 129, True)]
    assert [_is_border(length, longest) for length, longest, _ in borders] == [right for *_, right in borders]


def test_a_trie_holds_inputs_of_one_bucket_and_as_many_nodes_as_fit():
    assert [bucket(query) for query in queries_of(1, 64, 65, 128, 129)] == [64, 64, 128, 128, 256]
    rows = [Query((1, 2, 3), (2,)), Query((1, 2, 4), (2,)), Query((1, 5, 6), (2,))]
    assert [len(build_trie(rows, 0, nodes).reads) for nodes in (2, 3, 4, 5, 6)] == [1, 1, 2, 2, 3]
    assert [len(build_trie(rows, 1, nodes).reads) for nodes in (3, 5)] == [1, 2]


def test_the_common_beginning_is_counted_whatever_was_shared_before():
    trie = Trie()
    for ids, shared in (
        ((1, 2, 3, 4), 0),
        ((1, 2, 3, 5), 3),
        ((1, 2, 3, 5, 6), 4),
        ((1, 7), 1),
        ((8,), 0),
        ((8, 1), 1),
    ):
        query = Query(ids, (0,))
        assert trie.common_length(query) == shared
        trie.add(query, shared)
    trie.close()
    assert trie.tokens == [1, 2, 3, 4, 5, 6, 7, 8, 1]
    assert trie.ends == [7, 6, 6, 4, 6, 6, 7, 9, 9]


@pytest.mark.parametrize(
    ("config", "layers"),
    [
        ({}, [0, 1]),
        ({"layer_types": list("aaaa")}, [0, 1]),
        ({"layer_types": list("aaba")}, [0, 1, 2]),
        ({"layer_types": list("aaab")}, [0, 1, 2, 3]),
        ({"layer_types": list("abab"), "num_kv_shared_layers": 2}, [0, 1, 2, 3]),
        ({"layer_types": list("abaaab"), "num_kv_shared_layers": 2}, [0, 1, 4, 5]),
        ({"num_kv_shared_layers": 1}, [0, 1, 3]),
        (
            {"per_layer_attributes": ["w"], "per_layer_config": [SimpleNamespace(w=w) for w in (1, 1, 2, 1)]},
            [0, 1, 2],
        ),
    ],
)
def test_a_small_network_has_the_first_layer_of_each_kind(config, layers):
    count = len(config.get("layer_types", "four"))
    assert _layers_of_each_kind(SimpleNamespace(**config), count) == layers
    assert _layers_of_each_kind(SimpleNamespace(), 1) == [0]


def test_a_small_network_is_narrow_where_its_config_has_a_width():
    assert [_narrow("head_dim", value) for value in (8, 16, 17, True, None, 0, -1)] == [8, 16, 16, True, None, 0, -1]
    assert _narrow("unknown", 1000) == 1000
    heads = SimpleNamespace(num_attention_heads=32)
    assert (_key_heads(heads, 32, 4), _key_heads(heads, 8, 4)) == (4, 2)
    assert _sections([1, 1, 2], 9) == [2, 2, 5]
    for key_heads, expected in ((32, 4), (8, 2)):
        config = SimpleNamespace(
            num_attention_heads=32,
            num_key_value_heads=key_heads,
            hidden_size=4096,
            head_dim=None,
            bos_token_id=5,
            pad_token_id=None,
            rope_parameters={"mrope_section": [16, 24, 24], "partial_rotary_factor": 0.5},
        )
        _narrow_all(config)
        assert (config.num_attention_heads, config.num_key_value_heads, config.hidden_size) == (4, expected, 64)
        assert (config.bos_token_id, config.pad_token_id, config.head_dim) == (0, None, None)
        assert config.rope_parameters["mrope_section"] == [1, 1, 2]  # of half of the 16 numbers of a head


def test_the_parts_of_a_network_come_after_the_whole():
    inner = SimpleNamespace(sub_configs={}, name="inner")
    text = SimpleNamespace(sub_configs={"deep": None, "none": None}, deep=inner, none=None, name="text")
    assert [part.name for part in parts_of(SimpleNamespace(sub_configs={"text": None}, text=text, name="whole"))] == [
        *("whole", "text", "inner")
    ]
