"""Layers compiled by torch: the same answers, or the layers as they were."""

import copy
import shutil

import numpy as np
import pytest
import torch
from relprobe.lm.network.layers import layers_of
from relprobe.lm.network.load import checked
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
    """Nothing compiled so far, in this process or on disk: torch compiles a layer's code for a few networks only."""
    monkeypatch.setenv("TORCHINDUCTOR_CACHE_DIR", str(tmp_path / "compiled"))
    torch.compiler.reset()
    counters.clear()


def compiled(name):
    """Return a model that nobody else holds, its layers compiled."""
    return checked(copy.deepcopy(network(name)), model(name).encoder, 1024, compiled=True)


@needs_compiler
@pytest.mark.parametrize("name", ["bert", "llama", "gemma3"])
def test_compiled_layers_answer_like_the_plain_forward(name):
    scorer = compiled(name)
    made = counters["stats"]["unique_graphs"]
    assert made > 0
    for budget in (1024, 16):
        scorer.budget = budget
        naive.assert_answers(scorer, network(name), PROBES)
    text = [SpanText("x", "a robin is a kind of bird", ((0, 1),))]
    found, expected = (next(embeddings(each, text, 1)) for each in (scorer, model(name)))
    np.testing.assert_allclose(found.vectors, expected.vectors, rtol=0, atol=1e-4)
    assert counters["stats"]["unique_graphs"] <= made + 3  # not one per size of batch


@needs_compiler
@pytest.mark.parametrize("name", ["llama", "gemma3"])
def test_the_layers_of_a_causal_model_are_compiled_once_for_batches_of_all_sizes(name):
    scorer = compiled(name)
    for lengths in [(2,), (32,), (40, 24), (64, 64), (60, 50, 40)]:
        queries = [Query((first, *range(10, 9 + length)), (length - 1,)) for first, length in enumerate(lengths, 3)]
        with torch.compiler.set_stance("fail_on_recompile"):
            found = scorer.states(queries)
        np.testing.assert_allclose(found, model(name).states(queries), rtol=0, atol=1e-4)


def test_layers_that_cannot_be_compiled_stay_as_they_are(caplog):
    with inductor.patch({"cpp.cxx": (None, "no-such-compiler"), "force_disable_caches": True}):
        scorer = compiled("llama")
    assert "LlamaForCausalLM: the compiled network fails (" in caplog.text
    assert scorer.path == "blocks"
    naive.assert_answers(scorer, network("llama"), PROBES)


def test_layers_that_compute_something_else_when_compiled_stay_as_they_are(monkeypatch, caplog):
    def doubled(layer, **_):
        layer._compiled_call_impl = lambda *args, **kwargs: 2 * layer._call_impl(*args, **kwargs)

    monkeypatch.setattr(torch.nn.Module, "compile", doubled)
    scorer = compiled("llama")
    assert "off the plain forward: falling back" in caplog.text
    naive.assert_answers(scorer, network("llama"), PROBES)


@pytest.mark.parametrize(("name", "count"), [("bert", 2), ("albert", 1), ("distilbert", 2), ("opt", 2), ("gpt2", 2)])
def test_the_layers_of_a_network(name, count):
    assert len(list(layers_of(network(name)))) == count
