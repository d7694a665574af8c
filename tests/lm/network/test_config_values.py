"""Configs whose layers have values of their own: they are read, their small networks are made, and tries are proven."""

import pytest
import torch
import transformers as hf
from relprobe.lm.loading.load import fastest_model, max_length
from relprobe.lm.network.batching import Window, sliding_window
from relprobe.lm.network.packing import reason_against_tries
from relprobe.lm.network.small import small_network
from relprobe.lm.requests import Query
from relprobe.lm.words.encode import Encoder

from tests.lm import naive
from tests.lm.architectures import GQA, masked_byte_level
from tests.lm.tokenizers_for_tests import byte_level

MIXED = ["sliding_attention", "full_attention"] * 2
SHARED = {"num_kv_shared_layers": 2, "hidden_size_per_layer_input": 8}
ATTENTION = {"layer_types": ["attention"] * 2, "num_local_experts": 0, "num_experts_per_tok": 0, "mamba_n_heads": 8}
LONG_ROPE = {"rope_type": "longrope", "rope_theta": 10000.0, "short_factor": [1.0] * 4, "long_factor": [4.0] * 4}
PACKED = {
    "gemma4": (hf.Gemma4TextConfig, hf.Gemma4ForCausalLM, {"global_head_dim": 16, "num_hidden_layers": 4}),
    "gemma4, shared keys": (
        hf.Gemma4TextConfig,
        hf.Gemma4ForCausalLM,
        {**SHARED, "num_hidden_layers": 4, "global_head_dim": 16},
    ),
    "gemma3n": (
        hf.Gemma3nTextConfig,
        hf.Gemma3nForCausalLM,
        {**SHARED, "num_hidden_layers": 4, "laurel_rank": 8, "altup_num_inputs": 2, "intermediate_size": [64] * 4}
        | {"activation_sparsity_pattern": [0.5, 0.5, 0.0, 0.0]},
    ),
    "granite 4 of attention alone": (
        hf.GraniteMoeHybridConfig,
        hf.GraniteMoeHybridForCausalLM,
        {**ATTENTION, "shared_intermediate_size": 64},
    ),
    "lfm2 of attention alone": (hf.Lfm2Config, hf.Lfm2ForCausalLM, {"layer_types": ["full_attention"] * 2}),
    "phi-3 with long positions": (
        hf.Phi3Config,
        hf.Phi3ForCausalLM,
        {
            "eos_token_id": 1,
            "bos_token_id": 1,
            "original_max_position_embeddings": 64,
            "rope_parameters": {**LONG_ROPE, "factor": 4.0},
        },
    ),
    "afmoe": (
        hf.AfmoeConfig,
        hf.AfmoeForCausalLM,
        {"num_dense_layers": 1, "moe_intermediate_size": 32, "num_experts": 4, "num_experts_per_tok": 2},
    ),
    "jetmoe": (
        hf.JetMoeConfig,
        hf.JetMoeForCausalLM,
        {"kv_channels": 8, "num_local_experts": 4, "num_experts_per_tok": 2},
    ),
}
"""Networks that are packed, although a config of theirs was not read, or one of their layers was not like the others."""


def build(name):
    config, architecture, changes = PACKED[name]
    sizes = {**GQA, "head_dim": 8, "pad_token_id": 1, "vocab_size": len(byte_level()), **changes}
    if "gemma" in name:
        sizes |= {"layer_types": MIXED, "sliding_window": 8, "vocab_size_per_layer_input": len(byte_level())}
    torch.manual_seed(1)
    net = architecture(config(**sizes)).float().eval()
    for weights in net.parameters():
        torch.nn.init.normal_(weights, std=0.25 if weights.dim() > 1 else 0.4)
    return net


@pytest.mark.parametrize("name", PACKED)
def test_it_is_packed_and_agrees_with_the_plain_forward(name, caplog):
    net, tokenizer = build(name), byte_level()
    model = fastest_model(net, Encoder.of(tokenizer, masked=False, max_length=max_length(net, tokenizer)), 1024)
    assert (model.path, caplog.text) == ("packed", "")
    longest = min(model.encoder.max_length, 100)
    ids = [(*range(5, 5 + stem), *range(30, 30 + rest)) for stem in (1, 9, 40) for rest in (1, 4, 19)]
    ids += [(60 + i, *range(7, 6 + longest)) for i in range(2)]  # beyond the window, and the original length
    queries = [Query(one, (len(one) - 1, 0)) for one in ids]
    expected = torch.cat([naive.logprobs(net, query.ids)[list(query.positions)] for query in queries])
    assert torch.allclose(model.log_probs(model.states(queries)), expected, atol=1e-4)


def test_a_small_network_keeps_a_layer_of_each_kind_on_both_sides_of_shared_keys():
    small = small_network(build("gemma4, shared keys"))
    assert small.config.layer_types == MIXED
    assert small.config.num_kv_shared_layers == 2
    assert [layer.head_dim for layer in small.config.per_layer_config] == [8, 16] * 2
    with torch.device("meta"):
        whole = hf.Gemma3nForCausalLM(hf.Gemma3nTextConfig())
    config = small_network(whole).config
    assert config.num_hidden_layers < 8 < whole.config.num_hidden_layers
    assert set(config.layer_types[: -config.num_kv_shared_layers]) == set(config.layer_types)
    assert whole.config.num_hidden_layers == hf.Gemma3nTextConfig().num_hidden_layers  # the network's own stays


def test_positions_that_change_at_a_length_between_two_buckets_make_no_trie():
    for length, reason in ((64, None), (50, "its positions depend on the longest input"), (128, None)):
        net = build("phi-3 with long positions")
        net.config.rope_parameters["original_max_position_embeddings"] = length
        net.config.original_max_position_embeddings = length
        encoder = Encoder.of(byte_level(), masked=False, max_length=100)
        assert reason_against_tries(net, encoder) == reason


def test_a_masked_network_with_windows_of_several_lengths_is_loaded(caplog):
    """NeoMME ended in a traceback, as its window was read from the whole config."""
    tokenizer = masked_byte_level()
    sizes = {**GQA, "head_dim": 16, "pad_token_id": 1, "vocab_size": len(tokenizer), "num_hidden_layers": 6}
    config = hf.NeoMMEConfig(**sizes, sliding_window=8)
    assert sliding_window(config) == Window(config.default_long_sliding_window, per_layer=True)
    net = hf.NeoMMEForMaskedLM(config).float().eval()
    model = fastest_model(net, Encoder.of(tokenizer, masked=True, max_length=100), 1024)
    assert (model.path, caplog.text) == ("grouped", "")
    query = Query(tuple(range(5, 45)), (20, 0))
    expected = naive.logprobs(net, query.ids)[list(query.positions)]
    assert torch.allclose(model.log_probs(model.states([query])), expected, atol=1e-4)


def test_a_causal_network_with_windows_of_several_lengths_makes_no_trie():
    net = build("gemma4")
    net.config.per_layer_config = {0: {"sliding_window": 8}, 2: {"sliding_window": 16}}
    encoder = Encoder.of(byte_level(), masked=False, max_length=100)
    assert reason_against_tries(net, encoder) == "its windows have several lengths"
