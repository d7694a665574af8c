"""The states after every layer, as the head takes them: those of a network that ends after that layer."""

import copy

import numpy as np
import pytest
import torch
from relprobe.core.errors import ModelError
from relprobe.lm.loading.example import bigram_model
from relprobe.lm.network.blocks import parts_of
from relprobe.lm.network.heads import body_of
from relprobe.lm.network.lens import Lens, chosen_layers
from relprobe.lm.network.model import LanguageModel
from relprobe.lm.primitives.layers import View, slot_top_k_of_layers
from relprobe.lm.primitives.slots import slot_top_k
from relprobe.lm.requests import Query, SlotProbe, Variant
from torch import nn

from tests.lm.architectures import ALL, build, model, network

PROBES = [
    SlotProbe("one", (Variant("a robin is a [V]", 0.75), Variant("a robin is an [V]", 0.25))),
    SlotProbe("two", (Variant("a car is a [V]"),)),
]
SHARED = {"albert"}  # its config says how often it calls its only layer
TRIAL = torch.tensor([[3, 10, 11]])
TAILS = {
    "bert": [], "albert": [], "roberta": [], "modernbert": ["final_norm"], "esm": ["encoder.emb_layer_norm_after"],
    "gpt2": ["ln_f"], "opt": ["decoder.final_layer_norm"], "gpt_neox": ["final_layer_norm"], "llama": ["norm"],
    "gemma2": ["norm"], "bloom": ["ln_f"], "mamba": ["norm_f"], "falcon_h1": ["final_layernorm"],
}  # fmt: skip


def cut(net, layers):
    """Return a copy of a network that ends after so many layers."""
    short = copy.deepcopy(net)
    if layers == 0:
        for parent in list(body_of(short).modules()):
            for child in parent.children():
                if isinstance(child, nn.ModuleList):
                    child._modules = {}
    else:
        outermost = next(m for m in body_of(short).modules() if isinstance(m, nn.ModuleList) and len(m) == 2)
        outermost._modules = dict(list(outermost._modules.items())[:layers])
    for config in parts_of(short.config):
        if hasattr(config, "num_hidden_layers"):
            config.num_hidden_layers = layers
    return short


@pytest.mark.parametrize("name", [name for name in ALL if name not in SHARED])
@torch.no_grad()
def test_the_states_after_a_layer_are_those_of_a_network_that_ends_there(name):
    scorer, net = model(name), network(name)
    assert scorer.path in ("packed", "grouped")
    inputs = [Query((3, *range(10, 20), last), (4, 11)) for last in (30, 31, 32)]
    states = scorer.lens(inputs, [1, 2])
    for layer, layer_states in zip((1, 2), states, strict=True):
        short = net if layer == 2 else cut(net, layer)
        logits = [
            short(input_ids=torch.tensor([query.ids]), use_cache=False).logits[0, list(query.positions)]
            for query in inputs
        ]
        expected = torch.cat(logits).float().log_softmax(-1)
        torch.testing.assert_close(scorer.logits(layer_states).log_softmax(-1), expected, rtol=0, atol=1e-4)


@pytest.mark.parametrize("name", ["gpt2", "llama", "opt", "bert"])
@torch.no_grad()
def test_the_embeddings_are_those_of_a_network_without_layers(name):
    states = model(name).lens([Query((3, 10, 11), (2,))], [0])[0]
    expected = cut(network(name), 0)(input_ids=TRIAL).logits[0, [2]]
    torch.testing.assert_close(model(name).logits(states), expected, rtol=0, atol=1e-4)


def test_albert_has_as_many_layers_as_it_calls():
    query, net = Query((3, 10, 11), (2,)), copy.deepcopy(network("albert"))
    net.config.num_hidden_layers = 1
    with torch.no_grad():
        expected = net(input_ids=torch.tensor([query.ids])).logits[0, [2]]
        logits = model("albert").logits(model("albert").lens([query], [1])[0])
    torch.testing.assert_close(logits, expected, rtol=0, atol=1e-4)


@pytest.mark.parametrize(("name", "norm"), [("llama", lambda body: body.norm), ("bert", None)])
@torch.no_grad()
def test_the_answers_are_those_of_hidden_states_by_hand(name, norm):
    scorer, net = model(name), network(name)
    ids = scorer.encoder.slots([("x", "a robin is a [V]")])
    query = next(iter(ids))
    hidden = net(input_ids=torch.tensor([query.ids]), output_hidden_states=True).hidden_states
    head = net.lm_head if norm else net.cls
    for layer in range(2):  # the last of transformers' states has been through the norm in some networks
        states = hidden[layer][:, list(query.positions)]
        expected = head(norm(body_of(net))(states) if norm else states)[0].log_softmax(-1)
        own = scorer.logits(scorer.lens([query], [layer])[0]).log_softmax(-1)
        torch.testing.assert_close(own, expected, rtol=0, atol=1e-4)


@pytest.mark.parametrize(("name", "expected"), TAILS.items())
@torch.no_grad()
def test_what_follows_the_last_layer_is_found(name, expected):
    body = body_of(network(name))
    names = {module: path for path, module in body.named_modules()}
    tail = Lens(network(name), body, [1], TRIAL).tail
    assert [names[module].removeprefix("language_model.") for module in tail] == expected


@torch.no_grad()
def test_a_projection_follows_the_last_layer():
    """OPT-350m has no final norm, but states that are wider than those its head takes."""
    net = build("opt", do_layer_norm_before=False, word_embed_proj_dim=16)
    assert Lens(net, body_of(net), [1], TRIAL).tail == [net.model.decoder.project_out]


class Doubled(nn.Module):
    """A body that does something after its norm that no module of its own does."""

    def __init__(self, body):
        super().__init__()
        self.body = body

    def forward(self, **inputs):
        output = self.body(**inputs)
        output.last_hidden_state = output.last_hidden_state * 2
        return output


def test_a_network_whose_way_to_its_head_is_not_found_is_refused():
    """It never passes for one that has no final norm."""
    net = copy.deepcopy(network("llama"))
    net.model = Doubled(net.model)
    scorer = LanguageModel(net, model("llama").encoder, "grouped", 1024)
    with pytest.raises(ModelError, match="LlamaForCausalLM has no answers of single layers, as it has no known way"):
        next(slot_top_k_of_layers(scorer, PROBES, 5, [View(1)]))


def test_a_network_that_is_computed_whole_is_refused():
    scorer = LanguageModel(network("llama"), model("llama").encoder, "plain", 1024)
    with pytest.raises(ModelError, match="no answers of single layers, as its head cannot be computed alone"):
        next(slot_top_k_of_layers(scorer, PROBES, 5, [View(1)]))


class Mixing(nn.Module):
    """A final norm that looks at other positions, too."""

    def forward(self, states):
        return states + states.mean(1, keepdim=True) if states.dim() == 3 else states


def test_what_depends_on_other_positions_is_refused():
    net = copy.deepcopy(network("llama"))
    net.model.norm = Mixing()
    with pytest.raises(ValueError, match="depend on other positions"), torch.no_grad():
        Lens(net, net.model, [1], TRIAL)


@pytest.mark.parametrize("name", ["llama", "bert"])
def test_the_last_layer_answers_as_the_model_does(name):
    scorer = model(name)
    own = list(slot_top_k_of_layers(scorer, PROBES, 5, [View(2), View(1)]))
    for one, expected in zip(own, slot_top_k(scorer, PROBES, 5), strict=True):
        assert one.id == expected.id
        np.testing.assert_array_equal(one.token_ids[0], expected.token_ids)
        np.testing.assert_allclose(one.logprobs[0], expected.logprobs, rtol=0, atol=1e-6)
        assert one.token_ids[1].tolist() != one.token_ids[0].tolist()


def test_a_map_comes_between_a_layer_and_the_head():
    """A map that gives the last layer's states of one probe, whatever it gets, gives that probe's answer."""
    scorer = model("llama")
    query = next(iter(scorer.encoder.slots([("x", "a car is a [V]")])))
    constant = scorer.lens([query], [2])[0, 0]
    mapped = View(1, torch.zeros(len(constant), len(constant)), constant)
    first, second = slot_top_k_of_layers(scorer, PROBES, 5, [mapped, View(2)])
    np.testing.assert_array_equal(first.token_ids[0], second.token_ids[1])
    np.testing.assert_allclose(first.logprobs[0], second.logprobs[1], rtol=0, atol=1e-5)


def test_many_layers_go_in_small_chunks(monkeypatch):
    """The states of all layers together are bounded, and the answers do not depend on the bound."""
    scorer, probes = model("llama"), [SlotProbe(str(i), (Variant(f"{'a ' * i}[V]"),)) for i in range(1, 6)]
    whole = list(slot_top_k_of_layers(scorer, probes, 3, [View(0), View(2)]))
    seen, lens = [], LanguageModel.lens
    monkeypatch.setattr(
        LanguageModel, "lens", lambda self, queries, layers: seen.append(len(queries)) or lens(self, queries, layers)
    )
    monkeypatch.setattr("relprobe.lm.primitives.stream.LAYER_VALUES", 2 * 2 * 32)
    parts = list(slot_top_k_of_layers(scorer, probes, 3, [View(0), View(2)]))
    assert seen == [2, 2, 1]
    for one, other in zip(whole, parts, strict=True):
        np.testing.assert_allclose(one.logprobs, other.logprobs, rtol=0, atol=1e-5)


@pytest.mark.parametrize(
    ("choice", "message"),
    [
        ([3], "the network has the layers 0 to 2, but not 3"),
        ([-4], "the network has the layers 0 to 2, but not -4"),
        ({"every": 0}, "write {every: 3}"),
        ({"each": 2}, "write {every: 3}"),
        ("some", "use all, a list"),
        ([1.5], "use all, a list"),
    ],
)
def test_a_choice_of_layers_that_is_none(choice, message):
    with pytest.raises(ValueError, match=message):
        chosen_layers(choice, 2)


def test_a_view_of_an_untrained_network_has_its_states_and_the_head_of_the_model():
    """The untrained network takes "a" for "bird", which "owl" follows; the other views are those of the model."""
    followers = {"a": {"bird": 0.75, "owl": 0.25}, "bird": {"owl": 1.0}}
    trained, untrained = bigram_model(followers), bigram_model(followers)
    with torch.no_grad():
        embeddings = untrained.net.get_input_embeddings().weight
        embeddings[:2] = embeddings[[1, 0]].clone()
    views = [View(0), View(0, untrained=True), View(1)]
    (response,) = slot_top_k_of_layers(
        trained, [SlotProbe("x", (Variant("a [V]"),))], 1, views=views, untrained=untrained
    )
    assert response.token_ids.tolist() == [[1], [2], [1]]
    assert np.exp(response.logprobs).ravel() == pytest.approx([0.75, 1.0, 0.75], abs=1e-3)
