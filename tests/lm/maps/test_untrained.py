"""Networks as they were before their training: the same shape, other weights, and maps from their layers."""

import pytest
import torch
from relprobe.lm.maps import fit
from relprobe.lm.maps.file import MAPPED, SHUFFLED, UNTRAINED, LayerMaps
from relprobe.lm.maps.fit import fit_maps
from relprobe.lm.maps.ridge import Sums, solve
from relprobe.lm.maps.untrained import untrained_model
from relprobe.lm.primitives.layers import View, slot_top_k_of_layers
from relprobe.lm.requests import SlotProbe, Variant

from tests.lm.architectures import ALL, model
from tests.lm.maps.test_maps import SENTENCES

PROBE = SlotProbe("x", (Variant("a robin is a [V]"),))


@pytest.mark.parametrize("name", ALL)
def test_every_architecture_has_an_untrained_network_of_its_shape(name):
    trained = model(name)
    other = untrained_model(trained)
    own, drawn = (dict(one.net.named_parameters()) for one in (trained, other))
    assert {key: weights.shape for key, weights in own.items()} == {
        key: weights.shape for key, weights in drawn.items()
    }
    assert any(not torch.equal(own[key], drawn[key]) for key in own)
    assert (other.path, other.encoder, other.net.dtype) == (trained.path, trained.encoder, trained.net.dtype)
    assert not other.net.training


@pytest.mark.parametrize("name", ["llama", "bert", "gpt2", "mamba"])
def test_the_seed_decides_its_weights(name):
    drawn = dict(untrained_model(model(name)).net.named_parameters())
    torch.rand(1)  # the network depends on nothing that is drawn elsewhere
    again = dict(untrained_model(model(name)).net.named_parameters())
    assert drawn.keys() == again.keys()
    assert all(torch.equal(weights, again[key]) for key, weights in drawn.items())


@pytest.mark.parametrize("name", ["llama", "bert"])
def test_its_map_leads_to_the_last_layer_of_the_trained_network(name, monkeypatch):
    """By hand: one regression of the trained network's last states on the states of the other network."""
    monkeypatch.setattr(fit, "PENALTIES", (0.1,))
    trained = model(name)
    other = untrained_model(trained)
    fits = fit_maps(trained, SENTENCES, [1, 2], other)
    own, shuffled, control = fits[1]
    for kept, expected in zip((own, shuffled), fit_maps(trained, SENTENCES, [1, 2])[1], strict=True):
        torch.testing.assert_close(kept.weights, expected.weights)
    queries = [next(fit._queries(trained.encoder, [(number, text)])) for number, text in enumerate(SENTENCES)]
    x = torch.cat([other.lens([query], [1])[0] for query in queries])
    y = torch.cat([trained.lens([query], [2])[0] for query in queries])
    weights, offset = solve(Sums.of(x, y), 0.1)
    torch.testing.assert_close(control.weights, weights, atol=1e-4, rtol=1e-3)
    torch.testing.assert_close(control.offset, offset, atol=1e-3, rtol=1e-3)


def test_a_view_of_it_reads_its_states_with_the_head_of_the_trained_network(tmp_path):
    trained = model("llama")
    other = untrained_model(trained)
    maps = LayerMaps.of(fit_maps(trained, SENTENCES, [1, 2], other))
    maps.write(tmp_path / "maps.safetensors")
    read = LayerMaps.read(tmp_path / "maps.safetensors")
    assert set(read.tensors) == {(variant, layer) for variant in (MAPPED, SHUFFLED, UNTRAINED) for layer in (1, 2)}
    weights, offset = read.tensors[UNTRAINED, 1]
    views = [View(1), View(1, weights, offset, untrained=True), View(2)]
    response = next(slot_top_k_of_layers(trained, [PROBE], 3, views, untrained=other))
    query = next(iter(trained.encoder.slots([("x", "a robin is a [V]")])))
    for place, states in enumerate(
        (trained.lens([query], [1])[0], other.lens([query], [1])[0] @ weights + offset, trained.lens([query], [2])[0])
    ):
        assert response.token_ids[place].tolist() == trained.log_probs(states)[0].topk(3).indices.tolist()
