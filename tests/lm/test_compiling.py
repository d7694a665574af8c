"""Layers that torch compiles give the same results; if not, the layers stay as they were."""

import copy
import shutil

import numpy as np
import pytest
import torch
from relprobe.lm.network.layers import layers_of
from relprobe.lm.network.load import fastest_model
from relprobe.lm.primitives.embeddings import embeddings
from relprobe.lm.requests import Query, SlotProbe, SpanText, Variant
from torch._dynamo.utils import counters
from torch._inductor import config as inductor

from tests.lm import naive
from tests.lm.architectures import model, network

TEXTS = (
    "a robin is a [V]",
    "a robin is an [V]",
    "car [V]",
    "the word bird has a more general meaning than the word [V]",
)
PROBES = [SlotProbe(text, (Variant(text),)) for text in TEXTS]
needs_compiler = pytest.mark.skipif(shutil.which("g++") is None, reason="torch compiles with g++, which is not here")


@pytest.fixture(autouse=True)
def _fresh(tmp_path, monkeypatch):
    """Forget what torch has compiled, in this process and on disk: it compiles the code of a layer only a few times."""
    monkeypatch.setenv("TORCHINDUCTOR_CACHE_DIR", str(tmp_path / "compiled"))
    torch.compiler.reset()
    counters.clear()


SLOW = pytest.mark.slow  # torch compiles a network for 10 to 40 s


def compiled_model(name):
    """Return a model with compiled layers that no other test uses."""
    return fastest_model(copy.deepcopy(network(name)), model(name).encoder, 1024, use_compiler=True)


@needs_compiler
@pytest.mark.parametrize("name", ["llama", pytest.param("bert", marks=SLOW), pytest.param("gemma3", marks=SLOW)])
def test_compiled_layers_agree_with_the_plain_forward(name):
    scorer = compiled_model(name)
    graphs = counters["stats"]["unique_graphs"]
    assert graphs > 0
    for budget in (1024, 16):
        scorer.budget = budget
        naive.assert_slots_equal(scorer, network(name), PROBES)
    text = [SpanText("x", "a robin is a kind of bird", ((0, 1),))]
    response, expected = (next(embeddings(each, text, 1)) for each in (scorer, model(name)))
    np.testing.assert_allclose(response.vectors, expected.vectors, rtol=0, atol=1e-4)
    assert counters["stats"]["unique_graphs"] <= graphs + 3  # far fewer than sizes of batches


@needs_compiler
@pytest.mark.slow
@pytest.mark.parametrize("name", ["llama", "gemma3"])
def test_the_layers_of_a_causal_model_are_compiled_once_for_batches_of_all_sizes(name):
    scorer = compiled_model(name)
    for lengths in [(2,), (32,), (40, 24), (64, 64), (60, 50, 40)]:
        queries = [Query((first, *range(10, 9 + length)), (length - 1,)) for first, length in enumerate(lengths, 3)]
        with torch.compiler.set_stance("fail_on_recompile"):
            states = scorer.states(queries)
        np.testing.assert_allclose(states, model(name).states(queries), rtol=0, atol=1e-4)


def test_the_layers_stay_as_they_are_without_a_compiler(caplog):
    with inductor.patch({"cpp.cxx": (None, "no-such-compiler"), "force_disable_caches": True}):
        scorer = compiled_model("llama")
    assert "LlamaForCausalLM: the compiled network fails (" in caplog.text
    assert scorer.path == "blocks"
    naive.assert_slots_equal(scorer, network("llama"), PROBES)


def test_the_layers_stay_as_they_are_if_compiled_ones_disagree(monkeypatch, caplog):
    def doubled(layer, **_):
        layer._compiled_call_impl = lambda *args, **kwargs: 2 * layer._call_impl(*args, **kwargs)

    monkeypatch.setattr(torch.nn.Module, "compile", doubled)
    scorer = compiled_model("llama")
    assert "off the plain forward: falling back" in caplog.text
    naive.assert_slots_equal(scorer, network("llama"), PROBES)


@pytest.mark.parametrize(("name", "count"), [("bert", 2), ("albert", 1), ("distilbert", 2), ("opt", 2), ("gpt2", 2)])
def test_the_layers_of_a_network(name, count):
    assert len(list(layers_of(network(name)))) == count
