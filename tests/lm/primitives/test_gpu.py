"""On a GPU the engine gives the scores of the CPU, on every path; `benchmarks/gpu.py` runs these tests first.

Without a GPU a pretended one shows that nothing is made on the wrong device (tests/lm/pretended_gpu.py).
RELPROBE_TEST_DEVICE=cpu runs the tests on the CPU.
"""

import copy
import os
from contextlib import nullcontext
from dataclasses import replace

import numpy as np
import pytest
import torch
from relprobe.core.errors import ModelError
from relprobe.lm.loading.cached_check import CachedCheck
from relprobe.lm.loading.load import fastest_model
from relprobe.lm.maps.fit import fit_maps
from relprobe.lm.maps.untrained import untrained_model
from relprobe.lm.network.self_check import SelfCheck
from relprobe.lm.primitives.continuation import continuation_logprob
from relprobe.lm.primitives.embeddings import embeddings
from relprobe.lm.primitives.layers import View, slot_top_k_of_layers
from relprobe.lm.primitives.ranking import best_of_rows
from relprobe.lm.primitives.sentences import pseudo_logprob
from relprobe.lm.primitives.slots import slot_top_k
from relprobe.lm.primitives.top_words import slot_top_words
from relprobe.lm.primitives.writing import Task, write
from relprobe.lm.requests import Continuation, Sentence, SlotProbe, SpanText, Variant
from relprobe.lm.words.word_list import WordList

from tests.lm import naive
from tests.lm.architectures import model, network
from tests.lm.network.test_architectures import queries
from tests.lm.pretended_gpu import pretended_gpu
from tests.lm.primitives import test_encoder_decoder as encoder_decoder
from tests.logs import warnings_of_relprobe
from tests.patched import made_once

DEVICE = torch.device(os.environ.get("RELPROBE_TEST_DEVICE", "cuda"))
PRETENDED = DEVICE.type == "cuda" and not torch.cuda.is_available()
NAMES = ["llama", "gemma2", "gpt_oss", "gpt2", "bert", "mamba"]
"""Packed with fewer keys than queries, with a window and a cap, with sinks, with learned positions; grouped; masked."""
PAIRED = ["t5", "bart"]
"""Encoder-decoders: the mask stands for any number of tokens, or is one of the text."""
BOUND = 2e-4
"""The largest difference of a natural-log probability: other kernels add in another order."""
WORDS = WordList(("robin", "bird", "animal", "kind", "sings"))


@pytest.fixture(autouse=True)
def gpu():
    with pretended_gpu() if PRETENDED else nullcontext(DEVICE) as device:
        yield device


@made_once
def on_both(name):
    on_cpu = encoder_decoder.model(name) if name in PAIRED else model(name)
    net = copy.deepcopy(on_cpu.net).to(DEVICE)
    with warnings_of_relprobe() as warnings:
        on_device = fastest_model(net, on_cpu.encoder, budget=1024)
    assert not warnings  # no way failed there
    assert (on_device.path, on_device.last_layer is None) == (on_cpu.path, on_cpu.last_layer is None)
    return on_device, on_cpu, name


@pytest.fixture(params=NAMES)
def both(request, gpu):
    """The same network on the device and on the CPU."""
    return on_both(request.param)


@pytest.fixture(params=[*NAMES, *PAIRED])
def all_both(request, gpu):
    """The same network on the device and on the CPU, which may be an encoder-decoder."""
    return on_both(request.param)


def slot_probes():
    variants = (Variant("a robin is a [V]", 0.75), Variant("a robin is an [V]", 0.25))
    return [SlotProbe("mixed", variants), SlotProbe("one", (Variant("a bird is a kind of [V]", 1.0),))]


def test_values_that_are_no_numbers_show_at_once_in_a_call_of_its_own(gpu):
    """Between other results they show after the last one (`in_blocks`); nothing comes after a single call."""
    new = replace(on_both("llama")[0], last_layer=None)
    logits = torch.full((1, new.net.config.vocab_size), torch.nan, device=gpu)
    with pytest.raises(ModelError, match="computes NaN or infinite values, in its head"):
        new.log_softmax(logits)


def test_states_and_log_probabilities(both):
    on_device, _, name = both
    inputs = queries(name)
    logprobs = on_device.log_probs(on_device.states(inputs)).cpu()
    expected = torch.cat([naive.logprobs(network(name), query.ids)[list(query.positions)] for query in inputs])
    assert (logprobs - expected).nan_to_num(0).abs().max() < BOUND


def test_likeliest_tokens(all_both):
    on_device, on_cpu, _ = all_both
    likeliest = next(slot_top_k(on_cpu, slot_probes(), 1)).token_ids[0]
    pairs = zip(
        *(slot_top_k(one, slot_probes(), 5, excluded=[likeliest]) for one in (on_device, on_cpu)),
        strict=True,
    )
    for ours, theirs in pairs:
        np.testing.assert_allclose(ours.logprobs, theirs.logprobs, atol=BOUND)
        assert ours.token_ids.tolist() == theirs.token_ids.tolist()


def test_continuations_and_sentences(all_both):
    on_device, on_cpu, _ = all_both
    request = [Continuation("c", "a robin is a [V]", ("bird", "kind of bird"))]
    ours, theirs = (next(iter(continuation_logprob(one, request))) for one in (on_device, on_cpu))
    for one, other in zip(ours.logprobs, theirs.logprobs, strict=True):
        np.testing.assert_allclose(one, other, atol=BOUND)
    sentence = [Sentence("s", "a robin sings")]
    ours, theirs = (next(iter(pseudo_logprob(one, sentence))) for one in (on_device, on_cpu))
    np.testing.assert_allclose(ours.logprobs, theirs.logprobs, atol=BOUND)


def test_likeliest_words_of_any_length(all_both):
    on_device, on_cpu, _ = all_both
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
    (on_device, on_cpu, name), large = both, []
    on_device = replace(on_device)  # its budget is its own
    body = on_device._body

    def forward(**inputs):
        if inputs["input_ids"].numel() > 64 and not large:
            large.append(inputs)
            raise torch.OutOfMemoryError("CUDA out of memory")
        return body(**inputs)

    on_device._body = forward
    logprobs = on_device.log_probs(on_device.states(queries(name))).cpu()
    expected = on_cpu.log_probs(on_cpu.states(queries(name)))
    assert (logprobs - expected).nan_to_num(0).abs().max() < BOUND
    assert large
    assert on_device.budget < 1024


def test_embeddings(all_both):
    on_device, on_cpu, _ = all_both
    text = SpanText("t", "a robin sings", ((2, 7), (0, 7)))
    ours, theirs = (next(embeddings(one, [text], -1)) for one in (on_device, on_cpu))
    np.testing.assert_allclose(ours.vectors, theirs.vectors, atol=1e-3)


def test_answers_of_layers_and_their_maps(both):
    on_device, on_cpu, _ = both
    sentences = [f"a {noun} {verb}" for noun in ("robin", "bird", "car", "animal") for verb in ("sings", "is a bird")]
    fits = [fit_maps(one, sentences * 12, [0, 1], untrained_model(one)) for one in (on_device, on_cpu)]
    for layer in (0, 1):
        for ours, theirs in zip(fits[0][layer], fits[1][layer], strict=True):
            assert ours.penalty == theirs.penalty
            np.testing.assert_allclose(ours.weights.cpu(), theirs.weights, atol=1e-3)
    first = fits[1][0][0]
    views = [View(0, first.weights, first.offset), View(1), View(0, untrained=True)]
    ours, theirs = (
        next(slot_top_k_of_layers(one, slot_probes(), 5, views, untrained=untrained_model(one)))
        for one in (on_device, on_cpu)
    )
    np.testing.assert_allclose(ours.logprobs, theirs.logprobs, atol=BOUND)


def test_a_check_is_cached_for_the_device(both):
    on_device, _, _ = both
    check = SelfCheck.of(on_device)
    again = CachedCheck.of(on_device, check).check(on_device.net, on_device.encoder)
    assert again.likely.device == again.expected.device == on_device.net.device
    assert again.passes(on_device)


@pytest.mark.parametrize("both", [name for name in NAMES if name != "bert"], indirect=True)
def test_what_a_model_writes(both):
    on_device, on_cpu, _ = both
    tasks = [Task("a", "a robin is"), Task("b", "a bird is a kind of")]
    ours, theirs = (list(write(one, one.encoder, tasks, tokens=4)) for one in (on_device, on_cpu))
    assert ours == theirs
