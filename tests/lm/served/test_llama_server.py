"""A real server: llama.cpp's own, with the GGUF file of SmolLM2, beside the local engine on the same weights.

It needs two environment variables: RELPROBE_LLAMA_SERVER, the command `llama-server`, and RELPROBE_GGUF, the GGUF file.
docs/cluster.md shows what it measured.
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

SERVER = os.environ.get("RELPROBE_LLAMA_SERVER")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not (SERVER and GGUF),
        reason="no llama.cpp: RELPROBE_LLAMA_SERVER names no command `llama-server`, or RELPROBE_GGUF no file",
    ),
]
LARGEST = 0.25
"""The mean difference of the best six that the kernels of a quantised network make. Measured: 0.09."""


@pytest.fixture(scope="module")
def manifest(tmp_path_factory):
    return snapshot("models.smollm2", {"path": GGUF}, tmp_path_factory.mktemp("models") / "smollm2")


@pytest.fixture(scope="module")
def served(manifest):
    words = ["--model", GGUF, "--alias", NAME, "--ctx-size", "4096", "--parallel", "2", "--threads", "2"]
    with started(SERVER, *words) as address:
        yield connect(manifest, NAME, {"endpoint": address, "concurrency": 2})


def test_its_lists_are_those_of_the_local_engine(served, manifest):
    theirs, ours = (list(slot_top_k(model, PROBES, 1000)) for model in (served, load(manifest, masked=False)))
    best = gaps(theirs, ours, 6)
    print(
        f"difference of the best six: mean {best.mean():.3f}, largest {best.max():.3f}; first tokens the same "
        f"{same_first(theirs, ours):.0%}; of the best ten {common(theirs, ours, 10):.1f} are common"
    )
    assert served.takes_ids
    assert best.mean() <= LARGEST
    assert same_first(theirs, ours) >= 0.8
    assert common(theirs, ours, 10) >= 8


def test_it_has_no_log_probabilities_of_prompts(served):
    request = Continuation("c", "a robin is a kind of a [V]", ("bird", "thing"))
    with pytest.raises(ModelError, match="gives no log-probabilities of a prompt, which this study needs"):
        list(continuation_logprob(served, [request]))
