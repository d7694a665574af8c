"""Products in float32 by either library: the same numbers, and the choice of the faster one."""

import logging
import math
from dataclasses import replace

import pytest
import torch
from relprobe.core.errors import ConfigError
from relprobe.lm.loading import cached_check
from relprobe.lm.loading.load import load
from relprobe.lm.network import products
from relprobe.lm.network.products import choice, fastest_library, lay_out, products_by, rates
from torch import nn
from torch.nn.functional import grouped_mm, linear
from transformers.pytorch_utils import Conv1D

from tests.lm import naive
from tests.lm.architectures import build, encoder
from tests.lm.loading.test_load import PROBES, save
from tests.lm.primitives.test_encoder_decoder import network as pairs
from tests.lm.primitives.test_encoder_decoder import tokenizer_of as tokenizer_of_pairs

KINDS = ("llama", "gpt2", "bert", "mixtral", "gpt_oss", "gemma2", "albert")
"""Networks with linear layers, with Conv1D, with experts, with a cap, and with one layer that is called many times."""


@pytest.fixture
def calls(monkeypatch):
    """The shapes of the products that oneDNN has computed."""
    shapes = []
    compute = products._linear_by_onednn

    def counted(states, weight, bias=None):
        shapes.append((states.numel() // states.shape[-1], *weight.shape))
        return compute(states, weight, bias)

    monkeypatch.setattr(products, "_linear_by_onednn", counted)
    return shapes


@pytest.fixture
def amd(monkeypatch):
    """The rates of a core of an EPYC with Zen 5."""
    monkeypatch.setattr(products, "rates", lambda *_: {"torch": 107e9, "oneDNN": 245e9})


@pytest.fixture
def intel(monkeypatch):
    """The rates of a core of a Xeon, where MKL is as fast."""
    monkeypatch.setattr(products, "rates", lambda *_: {"torch": 156e9, "oneDNN": 143e9})


def test_both_libraries_compute_float32_on_this_machine():
    measured = rates(64, 128)
    assert set(measured) == {"torch", "oneDNN"}
    assert all(rate > 1e8 for rate in measured.values())
    assert choice(measured) in measured


def test_a_clock_that_moves_in_steps_leaves_the_library_that_torch_takes():
    """Some machines count the seconds of a process in hundredths, and a product takes less."""
    measured = rates(64, 128, clock=lambda: 7.0)
    assert measured == {"torch": math.inf, "oneDNN": math.inf}
    assert choice(measured) == "torch"


@pytest.mark.parametrize("name", KINDS)
def test_a_network_gives_the_plain_log_probabilities_by_onednn(name, tmp_path, amd, calls):
    used = encoder(name)
    loaded = load(save(build(name), used.tokenizer, tmp_path / "m"), masked=used.masked)
    assert loaded.products == "oneDNN"
    calls.clear()
    torch_alone = build(name)
    naive.assert_slots_equal(loaded, torch_alone, PROBES)
    layers = torch_alone.config.get_text_config().num_hidden_layers
    assert len(calls) > layers  # several products of each layer, and the head


def test_an_encoder_decoder_network_is_computed_by_onednn(tmp_path, amd, calls):
    manifest = save(pairs("t5"), tokenizer_of_pairs("t5"), tmp_path / "m")
    loaded = load(manifest, masked=False, encoder_decoder=True)
    queries = [loaded.encoder.slot(text.id, text.variants[0].text) for text in PROBES]
    plain = replace(loaded, path="plain", products="torch")
    expected = plain.log_probs(plain.states(queries))
    calls.clear()
    assert torch.allclose(loaded.log_probs(loaded.states(queries)), expected, atol=1e-4)
    assert (loaded.products, bool(calls)) == ("oneDNN", True)


def test_torch_itself_computes_where_it_is_as_fast(tmp_path, intel, calls):
    loaded = load(save(build("llama"), encoder("llama").tokenizer, tmp_path / "m"), masked=False)
    naive.assert_slots_equal(loaded, loaded.net, PROBES)
    assert (loaded.products, calls) == ("torch", [])


def test_the_library_is_cached_with_the_check(tmp_path, amd, monkeypatch):
    manifest = save(build("llama"), encoder("llama").tokenizer, tmp_path / "m")
    first = load(manifest, masked=False)
    monkeypatch.setattr(products, "rates", lambda *_: pytest.fail("it is timed again"))
    second = load(manifest, masked=False)
    assert len(list((manifest.parent / cached_check.FOLDER).glob("*.json"))) == 1
    assert (first.products, second.products) == ("oneDNN", "oneDNN")


def test_a_library_that_computes_something_else_is_not_taken(tmp_path, amd, monkeypatch, caplog):
    """The self-check compares it with torch's own, and says so; the next path is not taken for that."""
    monkeypatch.setattr(products, "_linear_by_onednn", lambda *args: linear(*args) * 1.01)
    with caplog.at_level(logging.WARNING):
        loaded = load(save(build("llama"), encoder("llama").tokenizer, tmp_path / "m"), masked=False)
    assert (loaded.products, loaded.path) == ("torch", "packed")
    assert "off the plain forward" in caplog.text


def rounding(states, weight, bias=None):
    return (states.bfloat16() @ weight.bfloat16().T).float()


def test_a_library_that_rounds_is_never_taken(monkeypatch):
    monkeypatch.setattr(products, "_linear_by_onednn", rounding)
    assert set(rates(64, 128)) == {"torch"}
    monkeypatch.setattr(products, "linear", rounding)
    with pytest.raises(ConfigError, match="torch rounds products in float32 here: leave out"):
        fastest_library(nn.Linear(64, 128))


def test_a_torch_without_the_operator_computes_by_its_own(monkeypatch):
    def absent(*_):
        raise AttributeError("'_OpNamespace' 'mkldnn' object has no attribute '_linear_pointwise'")

    monkeypatch.setattr(products, "_linear_by_onednn", absent)
    assert fastest_library(nn.Linear(64, 128)) == "torch"


def test_a_network_without_products_of_the_cpu_needs_no_trial(amd):
    assert fastest_library(nn.LayerNorm(4)) == "torch"
    assert fastest_library(nn.Linear(4, 4, device="meta")) == "torch"


@pytest.mark.parametrize(
    ("layers", "shape"),
    [
        ([nn.Linear(5, 7), Conv1D(12, 8)], (8, 12)),
        ([nn.Linear(7, 5), nn.Linear(1, 35)], (5, 7)),
        ([nn.Linear(4, 30), nn.Linear(10, 9), nn.Linear(9, 10)], (9, 10)),
        ([nn.Linear(4, 30), nn.Linear(10, 9, device="meta"), nn.Linear(9, 10)], (4, 30)),
    ],
)
def test_the_shape_that_has_the_most_weights_is_timed(monkeypatch, layers, shape):
    timed = []
    monkeypatch.setattr(products, "rates", lambda *shape: timed.append(shape) or {"torch": 1.0, "oneDNN": 2.0})
    assert fastest_library(nn.Sequential(*layers)) == "oneDNN"
    assert timed == [shape]


@torch.inference_mode()
def test_weights_that_are_laid_out_keep_their_values(calls):
    layer = Conv1D(12, 8)
    states, before = torch.randn(5, 8), layer.weight.clone()
    expected = layer(states)
    with products_by("oneDNN"):
        assert torch.equal(layer(states), expected)  # by torch itself
        assert not calls
        lay_out(layer, "oneDNN")
        assert torch.allclose(layer(states), expected, atol=1e-6)
    assert torch.equal(layer.weight, before)
    assert calls == [(5, 12, 8)]


@torch.inference_mode()
@pytest.mark.parametrize("name", ["mixtral", "gpt_oss"])
def test_experts_are_computed_by_onednn_whichever_way_their_weights_lie(name, calls):
    net = build(name)
    experts = next(module for module in net.modules() if hasattr(module, "gate_up_proj"))
    shapes = {tuple(weight.shape) for weight in experts.parameters() if weight.dim() == 3}
    columns = {(shape[2], shape[1]) if experts.is_transposed else shape[1:] for shape in shapes}
    before = {key: weight.clone() for key, weight in net.state_dict().items()}
    ids = torch.arange(5, 69)[None]
    expected = net(input_ids=ids).logits
    lay_out(net, "oneDNN")
    with products_by("oneDNN"):
        assert torch.allclose(net(input_ids=ids).logits, expected, atol=1e-4)
    assert columns <= {call[1:] for call in calls}
    assert all(torch.equal(weight, before[key]) for key, weight in net.state_dict().items())


@torch.inference_mode()
@pytest.mark.parametrize("ends", [[4, 9, 9, 20], [0, 0, 0, 20], [1, 2, 3, 20]])
def test_products_of_experts_are_those_of_torch(ends, calls):
    states, weights = torch.randn(20, 8), torch.randn(4, 12, 8).transpose(1, 2)
    offsets = torch.tensor(ends, dtype=torch.int32)
    with products_by("oneDNN"):
        product = grouped_mm(states, weights, offs=offsets)
    assert torch.allclose(product, grouped_mm(states, weights, offs=offsets), atol=1e-5)
    assert calls


@torch.inference_mode()
@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float64])
def test_other_formats_are_left_to_torch(dtype, calls):
    states, weights = torch.randn(8, 4, dtype=dtype), torch.randn(3, 4, dtype=dtype)
    with products_by("oneDNN"):
        assert torch.equal(linear(states, weights), states @ weights.T)
    assert not calls


def test_products_with_gradients_are_left_to_torch(calls):
    layer = nn.Linear(4, 3)
    with products_by("oneDNN"):
        layer(torch.randn(8, 4)).sum().backward()
    assert layer.weight.grad is not None
    assert not calls


@torch.inference_mode()
def test_a_sum_that_is_no_layer_with_a_bias_is_left_to_torch(calls):
    """`addmm` also adds a matrix, or scales; oneDNN has one bias for each column."""
    states, weights = torch.randn(8, 4), torch.randn(5, 4).T
    for bias, options in ((torch.randn(8, 5), {}), (torch.randn(5), {"beta": 0.5}), (torch.randn(5), {"alpha": 2.0})):
        with products_by("oneDNN"):
            found = torch.addmm(bias, states, weights, **options)
        assert torch.equal(found, torch.addmm(bias, states, weights, **options))
    with products_by("oneDNN"):
        torch.addmm(torch.randn(4), states, torch.randn(4, 4))  # its weights are laid out by row
    assert not calls
    with products_by("oneDNN"):
        found = torch.addmm(torch.zeros(5), states, weights)
    assert calls == [(8, 5, 4)]
    assert torch.allclose(found, states @ weights, atol=1e-6)
