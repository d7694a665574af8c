"""The self-check refuses what is wrong, and its small networks show what a large one hides."""

from dataclasses import replace

import pytest
import torch
import transformers as hf
from relprobe.lm.loading.load import fastest_model
from relprobe.lm.network.batching import take_trie
from relprobe.lm.network.self_check import ONE_TRIE, Proof, SelfCheck, _random_queries
from relprobe.lm.network.small import small_network
from relprobe.lm.network.trie import sort_key
from relprobe.lm.requests import Query
from relprobe.lm.words.encode import Encoder

from tests.lm import naive
from tests.lm.architectures import ALL, build, model
from tests.lm.tokenizers_for_tests import byte_level


def test_gpt_neo_with_its_window_of_256_gives_the_plain_results():
    """It windows by the place in a row: in a trie of 20 branches the last ones would not see their common beginning."""
    net = build("gpt_neo", window_size=256, max_position_embeddings=512, attention_types=[[["local"], 2]])
    scorer = fastest_model(net, Encoder.of(byte_level(), masked=False, max_length=512), 2048)
    queries = [Query((*range(5, 35), *range(first, first + 17)), (46,)) for first in range(40, 60)]
    logprobs = scorer.log_probs(scorer.states(queries))
    expected = torch.stack([naive.logprobs(net, query.ids)[-1] for query in queries])
    torch.testing.assert_close(logprobs, expected, rtol=0, atol=1e-4)
    assert scorer.path == "grouped"


def test_a_result_that_depends_on_the_place_in_a_row_is_no_proof(monkeypatch, caplog):
    """Llama 4 scales its queries by their place in the row, from row 8192 on."""
    proof = Proof.of(build("llama4", no_rope_layers=[0, 0], floor_scale=1000), model("llama4").encoder)
    proof.small.config.layer_types = ["full_attention"] * 2
    assert proof.passes("packed", 500)
    assert not proof.passes("packed", 2000)
    assert "the packed path of a small network is" in caplog.text


@pytest.mark.parametrize(("name", "attribute", "value"), [("falcon_h1", "_is_stateful", False)])
def test_layers_that_keep_a_state_are_no_proof(name, attribute, value, caplog):
    assert not Proof.of(build(name), model(name).encoder).passes("packed", 256)


def test_a_network_some_of_whose_layers_do_not_attend_is_no_proof_of_tries(monkeypatch, caplog):
    proof = Proof.of(build("llama"), model("llama").encoder)
    assert proof.passes("packed", 64)
    monkeypatch.setattr(Proof, "_attends_in_every_layer", lambda self: False)
    assert proof.passes("grouped", 64)
    assert caplog.messages == []
    assert not proof.passes("packed", 64)
    assert "the packed path of a small network fails (some layers do not attend through" in caplog.text


def test_a_config_that_allows_for_no_small_network_is_named(monkeypatch, caplog):
    net, encoder = build("llama"), model("llama").encoder

    def refuse(net):
        raise ValueError("no such width")

    monkeypatch.setattr("relprobe.lm.network.self_check.small_network", refuse)
    assert Proof.of(net, encoder) is None
    (line,) = caplog.messages
    assert line.startswith("LlamaForCausalLM: no small network of its config can be made (")
    assert "no such width" in line


def test_the_inputs_of_a_proof_fill_one_trie_of_several_blocks_and_are_longer_than_the_window():
    net = small_network(build("mistral"))
    queries, compared = _random_queries(400, 2048)
    short = sorted((query for query in queries if len(query.ids) <= 64), key=sort_key)
    batch = take_trie(short, 0, ONE_TRIE)
    assert len(batch.queries) == len(short)
    assert batch.tokens.numel() >= 2048
    assert len(batch.trie.keys) >= 60
    assert net.config.sliding_window < 60 == max(len(query.ids) for query in short)
    assert max(len(query.ids) for query in queries) == 300
    assert len(compared) == 23


def test_all_samples_of_one_length_class_fit_into_one_trie():
    net = build("llama", max_position_embeddings=2048)
    check = SelfCheck.of(
        replace(model("llama"), net=net, path="plain", encoder=replace(model("llama").encoder, max_length=2048))
    )
    order = sorted(check.queries, key=sort_key)
    first = take_trie(order, 0, ONE_TRIE)
    second = take_trie(order, len(first.queries), ONE_TRIE)
    assert len(first.queries) + len(second.queries) == len(order)
    assert len(first.trie.keys) > 1
    assert len(second.trie.keys) > 1


def test_a_small_network_has_every_kind_of_layer_and_leaves_the_random_numbers_alone():
    kinds = ["sliding_attention"] * 5 + ["full_attention"] + ["sliding_attention"] * 4
    with torch.device("meta"):
        net = hf.Gemma3ForCausalLM(hf.Gemma3TextConfig(num_hidden_layers=10, layer_types=kinds))
    torch.manual_seed(0)
    expected = torch.rand(1)
    torch.manual_seed(0)
    small = small_network(net)
    assert torch.rand(1) == expected
    assert small.config.layer_types == kinds[:6]
    assert (small.config.hidden_size, small.config.head_dim, small.dtype) == (64, 16, torch.float32)


@pytest.mark.parametrize("name", ["llama", "gemma3", "bert"])
def test_a_bfloat16_network_takes_the_same_path(name, caplog):
    assert fastest_model(build(name).bfloat16(), model(name).encoder, 1024).path == model(name).path


@pytest.mark.parametrize("name", [name for name, (masked, *_) in ALL.items() if not masked])
def test_the_plain_forward_computes_the_logits_at_the_read_positions_and_no_others(name):
    plain = replace(model(name), path="plain", last_layer=None)
    if plain.encoder.blank is not None:
        pytest.skip("an encoder-decoder network has its own forward pass")
    queries = [Query((5, 6, 7, 8, 9, 10), (2, 5)), Query((5, 6, 7), (0, 2)), Query((4, 3), (1,))]
    computed = []
    layer = plain.net.get_output_embeddings()
    with layer.register_forward_hook(lambda *values: computed.append(values[2].shape[-2])):
        few = plain.states(queries)
    whole = replace(plain)
    whole._keeps_logits = False
    torch.testing.assert_close(few, whole.states(queries), rtol=0, atol=1e-5)
    assert sum(computed) == (5 if plain._keeps_logits else 11)


def test_a_network_that_leaves_logits_to_keep_unread_is_read_by_position(monkeypatch):
    plain = replace(model("llama"), path="plain", last_layer=None)
    queries = [Query((5, 6, 7, 8), (1, 3))]
    expected = plain.states(queries)
    forward = plain.net.forward

    def unread(*args, logits_to_keep=0, **kwargs):
        return forward(*args, **kwargs)

    monkeypatch.setattr(plain.net, "forward", unread)
    torch.testing.assert_close(replace(plain).states(queries), expected, rtol=0, atol=1e-5)
