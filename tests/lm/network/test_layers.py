"""The layers of a network, and the states after one of them."""

import pytest
import torch
from relprobe.lm.network.heads import body_of
from relprobe.lm.network.layers import LayerStates, layers_of

from tests.lm.architectures import ALL, network


@pytest.mark.parametrize(("name", "count"), [("bert", 2), ("albert", 1), ("distilbert", 2), ("opt", 2), ("gpt2", 2)])
def test_the_layers_of_a_network(name, count):
    assert len(list(layers_of(network(name)))) == count


@pytest.mark.parametrize("name", ALL)
@torch.no_grad()
def test_the_states_after_each_layer(name):
    net, ids = network(name), torch.tensor([range(5, 17)])
    expected = net(input_ids=ids, output_hidden_states=True).hidden_states
    reads = torch.tensor([3, 11, 4])
    for layers in ([0], [-1], [2, 0, 1], [-3, -2]):
        states = LayerStates(net, body_of(net), layers, ids[:, :3])(reads, input_ids=ids)
        whole = torch.stack([expected[layer][0, reads] for layer in layers], 1)
        torch.testing.assert_close(states, whole, rtol=0, atol=1e-5)


@pytest.mark.parametrize("name", ["bert", "llama", "gemma3_multimodal", "deberta_v3", "falcon_h1"])
@torch.no_grad()
def test_no_other_layer_is_kept(name, monkeypatch):
    net, ids = network(name), torch.tensor([range(5, 17)])
    states = LayerStates(net, body_of(net), [0, 1], ids[:, :3])
    body = states._body

    def recording(**inputs):
        assert "output_hidden_states" not in inputs
        return body(**inputs)

    monkeypatch.setattr(states, "_body", recording)
    assert states(torch.arange(12), input_ids=ids).shape == (12, 2, 32)


@pytest.mark.parametrize("layer", [3, -4])
def test_a_layer_that_the_network_lacks(layer):
    net = network("llama")
    with pytest.raises(IndexError, match=f"the layers 0 to 2, but not {layer}"):
        LayerStates(net, body_of(net), [0, layer], torch.tensor([[1, 2]]))
