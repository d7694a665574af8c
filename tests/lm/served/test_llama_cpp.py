"""A real server: llama-cpp-python's, with the GGUF file of SmolLM2, beside the local engine on the same weights.

It needs two environment variables: RELPROBE_LLAMA_PYTHON, an interpreter that has `llama-cpp-python[server]`, and
RELPROBE_GGUF, the GGUF file. docs/cluster.md shows what it measured.
"""

import os
import socket
import subprocess
import time

import numpy as np
import pytest
import requests
from relprobe.core.errors import ModelError
from relprobe.lm.network.load import load
from relprobe.lm.network.snapshot import snapshot
from relprobe.lm.primitives.continuation import continuation_logprob
from relprobe.lm.primitives.slots import slot_top_k
from relprobe.lm.requests import Continuation, SlotProbe, Variant
from relprobe.lm.served.connect import connect

PYTHON, GGUF = os.environ.get("RELPROBE_LLAMA_PYTHON"), os.environ.get("RELPROBE_GGUF")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not (PYTHON and GGUF),
        reason="no llama.cpp: RELPROBE_LLAMA_PYTHON names no Python with llama-cpp-python[server], or RELPROBE_GGUF no file",
    ),
]
NAME = "smollm2"
START_S = 60
NOUNS = ["robin", "car", "dog", "house", "tree", "hammer", "piano", "apple", "river", "doctor"]
PROBES = [
    SlotProbe(f"{noun} {i}", (Variant(f"{text.format(noun)} [V]"),))
    for noun in NOUNS
    for i, text in enumerate(["a {} is a kind of a", "the word {} has a more specific meaning than the word"])
]
LARGEST = 0.25
"""The mean difference of the best six that the kernels of a quantised network make. Measured: 0.10."""


@pytest.fixture(scope="module")
def endpoint():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    words = ["--model", GGUF, "--model_alias", NAME, "--host", "127.0.0.1", "--port", str(port), "--logits_all", "true"]
    server = subprocess.Popen(
        [PYTHON, "-m", "llama_cpp.server", *words, "--n_threads", "2"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        wait_for(f"http://127.0.0.1:{port}/v1/models", server)
        yield f"http://127.0.0.1:{port}/v1"
    finally:
        server.terminate()
        server.wait(timeout=30)


def wait_for(url, server):
    end = time.monotonic() + START_S
    while time.monotonic() < end:
        assert server.poll() is None, "the server has ended"
        try:
            if requests.get(url, timeout=5).ok:
                return
        except requests.ConnectionError:
            time.sleep(0.5)
    raise TimeoutError(url)


@pytest.fixture(scope="module")
def manifest(tmp_path_factory):
    return snapshot("models.smollm2", {"path": GGUF}, tmp_path_factory.mktemp("models") / "smollm2")


@pytest.fixture(scope="module")
def served(endpoint, manifest):
    return connect(manifest, NAME, {"endpoint": endpoint, "concurrency": 2})


def test_its_first_answers_are_those_of_the_local_engine(served, manifest, record_property):
    local = load(manifest, masked=False)
    gaps, same, common = [], [], []
    for one, other in zip(slot_top_k(served, PROBES, 1000), slot_top_k(local, PROBES, 1000), strict=True):
        ours = dict(zip(other.token_ids.tolist(), other.logprobs.tolist(), strict=True))
        best = list(zip(one.token_ids.tolist(), one.logprobs.tolist(), strict=True))[:6]
        gaps += [abs(value - ours[token]) for token, value in best]
        same.append(one.token_ids[0] == other.token_ids[0])
        common.append(len(set(one.token_ids[:10].tolist()) & set(other.token_ids[:10].tolist())))
    print(
        f"difference of the best six: mean {np.mean(gaps):.3f}, largest {np.max(gaps):.3f}; first tokens the same "
        f"{sum(same)} of {len(same)}; of the best ten {np.mean(common):.1f} are common"
    )
    assert np.mean(gaps) <= LARGEST
    assert np.mean(same) >= 0.8
    assert np.mean(common) >= 8


def test_its_echoed_log_probabilities_are_refused(served):
    """They are one token off, without a word."""
    request = Continuation("c", "a robin is a kind of a [V]", ("bird", "thing"))
    with pytest.raises(ModelError, match="as if they were those of another position"):
        list(continuation_logprob(served, [request]))
