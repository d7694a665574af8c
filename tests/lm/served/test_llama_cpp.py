"""A real server: llama-cpp-python's, with the GGUF file of SmolLM2, beside the local engine on the same weights.

It needs two environment variables: RELPROBE_LLAMA_PYTHON, an interpreter that has `llama-cpp-python[server]`, and
RELPROBE_GGUF, the GGUF file. docs/cluster.md shows what it measured.
"""

import os

import pytest
from relprobe.core.errors import ModelError
from relprobe.lm.network.load import load
from relprobe.lm.network.snapshot import snapshot
from relprobe.lm.primitives.continuation import continuation_logprob
from relprobe.lm.primitives.slots import slot_top_k
from relprobe.lm.requests import Continuation
from relprobe.lm.served.connect import connect

from tests.lm.served.servers import GGUF, NAME, PROBES, common, gaps, same_first, started

PYTHON = os.environ.get("RELPROBE_LLAMA_PYTHON")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not (PYTHON and GGUF),
        reason="no llama.cpp: RELPROBE_LLAMA_PYTHON names no Python with llama-cpp-python[server], or RELPROBE_GGUF no file",
    ),
]
LARGEST = 0.25
"""The mean difference of the best six that the kernels of a quantised network make. Measured: 0.10."""


@pytest.fixture(scope="module")
def endpoint():
    words = ["--model", GGUF, "--model_alias", NAME, "--logits_all", "true", "--n_threads", "2"]
    with started(PYTHON, "-m", "llama_cpp.server", *words) as address:
        yield address


@pytest.fixture(scope="module")
def manifest(tmp_path_factory):
    return snapshot("models.smollm2", {"path": GGUF}, tmp_path_factory.mktemp("models") / "smollm2")


@pytest.fixture(scope="module")
def served(endpoint, manifest):
    return connect(manifest, NAME, {"endpoint": endpoint, "concurrency": 2})


def test_its_first_answers_are_those_of_the_local_engine(served, manifest):
    theirs, ours = (list(slot_top_k(model, PROBES, 1000)) for model in (served, load(manifest, masked=False)))
    best = gaps(theirs, ours, 6)
    print(
        f"difference of the best six: mean {best.mean():.3f}, largest {best.max():.3f}; first tokens the same "
        f"{same_first(theirs, ours):.0%}; of the best ten {common(theirs, ours, 10):.1f} are common"
    )
    assert best.mean() <= LARGEST
    assert same_first(theirs, ours) >= 0.8
    assert common(theirs, ours, 10) >= 8


def test_its_echoed_log_probabilities_are_refused(served):
    """They are one token off, without a word."""
    request = Continuation("c", "a robin is a kind of a [V]", ("bird", "thing"))
    with pytest.raises(ModelError, match="as if they were those of another position"):
        list(continuation_logprob(served, [request]))
