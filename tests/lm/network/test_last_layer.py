"""The last layer computes the read positions only, in every architecture, and its results are the same."""

import copy

import numpy as np
import pytest
import torch
from relprobe.lm.loading.load import fastest_model
from relprobe.lm.network import last_layer
from relprobe.lm.network.last_layer import ReadPositions
from relprobe.lm.network.layers import layers_of
from relprobe.lm.requests import Query, SlotProbe, Variant
from torch import nn
from transformers.pytorch_utils import Conv1D

from tests.lm import naive
from tests.lm.architectures import ARCHITECTURES, encoder, model, network

PROBES = [SlotProbe(text, (Variant(text),)) for text in ("a robin is a [V]", "a robin is an [V]", "car [V]")]
NARROW = {
    "bert": {"attention.self.query", "attention.output.dense", "intermediate.dense", "output.dense"},
    "modernbert": {"attn.Wo", "mlp.Wi", "mlp.Wo"},
    "gpt2": {"attn.c_proj", "mlp.c_fc", "mlp.c_proj"},
    "gpt_neox": {"attention.dense", "mlp.dense_h_to_4h", "mlp.dense_4h_to_h"},
    "llama": {"self_attn.q_proj", "self_attn.o_proj", "mlp.gate_proj", "mlp.up_proj", "mlp.down_proj"},
}


def queries(read):
    """Three inputs of 12 tokens that differ in the last, and are read at their last `read` positions."""
    return [Query((3, *range(10, 20), last), tuple(range(12 - read, 12))) for last in (30, 31, 32)]


def positions_of_products(scorer, inputs):
    """Return at how many positions each matrix product of the last layer is computed."""
    positions = {}

    def count(name):
        return lambda _module, _arguments, output: positions.update({name: output.shape[:-1].numel()})

    layer = list(layers_of(scorer.net.base_model))[-1]
    products = {name: module for name, module in layer.named_modules() if isinstance(module, nn.Linear | Conv1D)}
    handles = [module.register_forward_hook(count(name), prepend=True) for name, module in products.items()]
    scorer.states(inputs)
    for handle in handles:
        handle.remove()
    return positions


@pytest.mark.parametrize("name", NARROW)
def test_products_other_than_keys_and_values_compute_the_read_positions_only(name):
    scorer = model(name)
    positions = positions_of_products(scorer, queries(1))
    everywhere = 36 if scorer.encoder.masked else 14  # the causal ones share 11 tokens
    assert {module for module, count in positions.items() if count == 3} == NARROW[name]
    assert set(positions.values()) == {3, everywhere}


@pytest.mark.parametrize("name", sorted(ARCHITECTURES))
@pytest.mark.parametrize("read", [1, 12])
def test_the_states_are_those_of_the_whole_layer(name, read):
    states, expected = model(name).states(queries(read)), network(name).base_model
    with torch.inference_mode():
        rows = [expected(torch.tensor([query.ids])).last_hidden_state[0, 12 - read :] for query in queries(read)]
    np.testing.assert_allclose(states, torch.cat(rows), rtol=0, atol=1e-4)


@pytest.mark.parametrize("layer", [-1, 1])
def test_hidden_states_of_a_layer_are_those_of_the_whole_layer(layer):
    scorer = model("llama")
    expected = network("llama")(torch.tensor([queries(1)[0].ids]), output_hidden_states=True).hidden_states[layer][0]
    np.testing.assert_allclose(
        scorer.hidden_states(queries(1), [layer])[0, 0], expected[-1].detach(), rtol=0, atol=1e-4
    )


@pytest.mark.parametrize("length", [15, 16, 17])
def test_a_product_that_also_computes_something_else_is_left_alone(length):
    """DeBERTa's queries and keys come from the products that also take its table of 16 distances."""
    scorer, query = model("deberta_v3"), Query(tuple(range(5, 5 + length)), (3,))
    with torch.no_grad():
        expected = network("deberta_v3").base_model(torch.tensor([query.ids])).last_hidden_state[0, 3]
    np.testing.assert_allclose(scorer.states([query])[0], expected, rtol=0, atol=1e-4)


def test_every_position_is_computed_if_half_of_them_are_read():
    positions = positions_of_products(model("bert"), queries(6))
    assert set(positions.values()) == {36}


def test_a_layer_that_stands_for_all_layers_computes_every_position():
    assert model("albert").last_layer is None


def test_the_last_layer_stays_as_it_is_if_the_narrow_one_disagrees(monkeypatch, caplog):
    monkeypatch.setattr(last_layer, "_keeps_to_its_position", lambda *_: True)  # keys and values, too
    scorer = fastest_model(copy.deepcopy(network("llama")), encoder("llama"), 1024)
    assert "LlamaForCausalLM: the last layer at read positions only is " in caplog.text
    assert (scorer.last_layer, scorer.path) == (None, "packed")
    naive.assert_slots_equal(scorer, network("llama"), PROBES)


def test_the_last_layer_stays_as_it_is_if_the_trial_fails(monkeypatch, caplog):
    net = copy.deepcopy(network("llama"))
    product = list(layers_of(net))[-1].mlp.down_proj
    register = product.register_forward_hook

    def failing(spoil):
        def spoil_and_fail(*arguments):
            spoil(*arguments)
            raise RuntimeError("no tensor")

        return register(spoil_and_fail)

    monkeypatch.setattr(product, "register_forward_hook", failing)
    scorer = fastest_model(net, encoder("llama"), 1024)
    assert "LlamaForCausalLM: the last layer at read positions only fails (no tensor): falling back" in caplog.text
    assert (scorer.last_layer, scorer.path) == (None, "packed")
    naive.assert_slots_equal(scorer, network("llama"), PROBES)


def test_after_an_error_every_position_is_computed_again():
    reads = ReadPositions()
    with pytest.raises(RuntimeError, match="memory"), reads.restrict_to(torch.tensor([1]), 4):
        reads.pick(nn.Identity(), (torch.zeros(1, 4, 2),))
        raise RuntimeError("memory")
    whole = torch.ones(1, 4, 2)
    assert reads.pick(nn.Identity(), (whole,)) is None
    assert reads.spread(nn.Identity(), (whole,), whole) is whole
