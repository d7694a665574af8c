"""On a GPU the engine gives the scores of the CPU, on every path; `benchmarks/gpu.py` runs these tests first.

RELPROBE_TEST_DEVICE=cpu runs them on the CPU, which shows that they run.
"""

import copy
import os

import numpy as np
import pytest
import torch
from relprobe.lm.loading.load import fastest_model
from relprobe.lm.primitives.continuation import continuation_logprob
from relprobe.lm.primitives.embeddings import embeddings
from relprobe.lm.primitives.ranking import best_of_rows
from relprobe.lm.primitives.sentences import pseudo_logprob
from relprobe.lm.primitives.slots import slot_top_k
from relprobe.lm.primitives.top_words import slot_top_words
from relprobe.lm.requests import Continuation, Sentence, SlotProbe, SpanText, Variant
from relprobe.lm.words.word_list import WordList

from tests.lm import naive
from tests.lm.architectures import model, network
from tests.lm.network.test_architectures import queries

DEVICE = torch.device(os.environ.get("RELPROBE_TEST_DEVICE", "cuda"))
pytestmark = pytest.mark.skipif(DEVICE.type == "cuda" and not torch.cuda.is_available(), reason="torch sees no GPU")
NAMES = ["llama", "gemma2", "gpt_oss", "gpt2", "mamba", "bert"]
"""Packed with fewer keys than queries, with a window and a cap, with sinks, with learned positions; grouped; masked."""
BOUND = 2e-4
"""The largest difference of a natural-log probability: other kernels add in another order."""
WORDS = WordList(("robin", "bird", "animal", "kind", "sings"))


@pytest.fixture(params=NAMES)
def both(request):
    """The same network on the device and on the CPU."""
    on_cpu = model(request.param)
    net = copy.deepcopy(network(request.param)).to(DEVICE)
    return fastest_model(net, on_cpu.encoder, budget=1024), on_cpu, request.param


def slot_probes():
    variants = (Variant("a robin is a [V]", 0.75), Variant("a robin is an [V]", 0.25))
    return [SlotProbe("mixed", variants), SlotProbe("one", (Variant("a bird is a kind of [V]", 1.0),))]


def test_states_and_log_probabilities(both):
    on_device, on_cpu, name = both
    assert on_device.path == on_cpu.path
    inputs = queries(name)
    logprobs = on_device.log_probs(on_device.states(inputs)).cpu()
    expected = torch.cat([naive.logprobs(network(name), query.ids)[list(query.positions)] for query in inputs])
    assert (logprobs - expected).nan_to_num(0).abs().max() < BOUND


def test_likeliest_tokens(both):
    on_device, on_cpu, _ = both
    pairs = zip(slot_top_k(on_device, slot_probes(), 5), slot_top_k(on_cpu, slot_probes(), 5), strict=True)
    for ours, theirs in pairs:
        np.testing.assert_allclose(ours.logprobs, theirs.logprobs, atol=BOUND)
        assert ours.token_ids.tolist() == theirs.token_ids.tolist()


def test_continuations_and_sentences(both):
    on_device, on_cpu, _ = both
    request = [Continuation("c", "a robin is a [V]", ("bird", "kind of bird"))]
    ours, theirs = (next(iter(continuation_logprob(one, request))) for one in (on_device, on_cpu))
    for one, other in zip(ours.logprobs, theirs.logprobs, strict=True):
        np.testing.assert_allclose(one, other, atol=BOUND)
    sentence = [Sentence("s", "a robin sings")]
    ours, theirs = (next(iter(pseudo_logprob(one, sentence))) for one in (on_device, on_cpu))
    np.testing.assert_allclose(ours.logprobs, theirs.logprobs, atol=BOUND)


def test_likeliest_words_of_any_length(both):
    on_device, on_cpu, _ = both
    pairs = zip(
        slot_top_words(on_device, slot_probes(), WORDS, 3), slot_top_words(on_cpu, slot_probes(), WORDS, 3), strict=True
    )
    for ours, theirs in pairs:
        assert ours.word_ids.tolist() == theirs.word_ids.tolist()
        np.testing.assert_allclose(ours.logprobs, theirs.logprobs, atol=BOUND)


def test_equal_values_have_a_fixed_order_on_the_device():
    scores = torch.tensor([[-1.0, -3.0, -1.0, -2.0, -1.0]], device=DEVICE)
    values, columns = best_of_rows([scores], 4)
    assert (values.tolist(), columns.tolist()) == ([[-1, -1, -1, -2]], [[0, 2, 4, 3]])


def test_out_of_memory_halves_the_batch(both):
    """Memory runs out once, in the first batch of several inputs: the results are those of the smaller batches."""
    on_device, on_cpu, name = both
    body, large = on_device._body.forward, []

    def forward(*args, **inputs):
        if inputs["input_ids"].numel() > 64 and not large:
            large.append(inputs)
            raise torch.OutOfMemoryError("CUDA out of memory")
        return body(*args, **inputs)

    on_device._body.forward = forward
    logprobs = on_device.log_probs(on_device.states(queries(name))).cpu()
    expected = on_cpu.log_probs(on_cpu.states(queries(name)))
    assert (logprobs - expected).nan_to_num(0).abs().max() < BOUND
    assert large
    assert on_device.budget < 1024


def test_embeddings(both):
    on_device, on_cpu, _ = both
    text = SpanText("t", "a robin sings", ((2, 7), (0, 7)))
    ours, theirs = (next(embeddings(one, [text], -1)) for one in (on_device, on_cpu))
    np.testing.assert_allclose(ours.vectors, theirs.vectors, atol=1e-3)
