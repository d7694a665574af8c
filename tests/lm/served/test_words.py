"""Words that a server's lists rank: the engine's own numbers lie within their bounds, or the server is refused."""

import math
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from relprobe.core.errors import ModelError, ProbeError
from relprobe.lm.connect import connect
from relprobe.lm.loading.load import fastest_model
from relprobe.lm.primitives.top_words import slot_top_words
from relprobe.lm.requests import SlotProbe, Variant
from relprobe.lm.served.dialect import TopList
from relprobe.lm.served.words import _Search, likeliest_words
from relprobe.lm.words.encode import Encoder
from relprobe.lm.words.lexicon import lexicon
from relprobe.lm.words.word_list import WordList

from tests.lm.architectures import build
from tests.lm.served.stub import Stub
from tests.lm.tokenizers_for_tests import sentence_piece

WORDS = WordList(
    ("bird", "birds", "hippopotamus", "car", "ice cream", "steering wheel", "a", "kind", "robin", "animal")
)
TEXTS = ("a robin is a kind of [V]", "the word car has a more specific meaning than the word [V]", 'the word "[V]')
PROBES = [SlotProbe(text, (Variant(text),)) for text in TEXTS]


def engine_of(net, tokenizer):
    return fastest_model(net, Encoder.of(tokenizer, masked=False, max_length=512), 1024)


@pytest.fixture(scope="module")
def local(small):
    return engine_of(*small)


@pytest.fixture(scope="module")
def sharp():
    """A network whose likely tokens have most of the probability, as those of trained networks do."""
    net = build("llama", max_position_embeddings=512)
    with torch.no_grad():
        net.lm_head.weight.mul_(6)
    return net, sentence_piece()


def within(here, there):
    """Assert that the engine's log-probability of each word lies within its bound."""
    all_words = dict(zip(here.word_ids.tolist(), here.logprobs.tolist(), strict=True))
    for word, logprob, error in zip(
        there.word_ids.tolist(), there.logprobs.tolist(), there.errors.tolist(), strict=True
    ):
        assert abs(all_words[word] - logprob) <= error + 1e-3


def test_lists_of_the_whole_vocabulary_are_exact(connected, stub, local):
    stub.max_logprobs = 10_000
    model = connected()
    for here, there in zip(
        slot_top_words(local, PROBES, WORDS, 5), likeliest_words(model, PROBES, WORDS, 5), strict=True
    ):
        assert there.word_ids.tolist() == here.word_ids.tolist()
        assert there.errors.max() < 1e-3
        np.testing.assert_allclose(there.logprobs, here.logprobs, rtol=0, atol=1e-3)


@pytest.mark.parametrize("length", [200, 100])
def test_shorter_lists_give_bounds_that_hold(length, sharp, manifest):
    tokens = lexicon(sharp[1], 0)["word"].drop_nulls().unique(maintain_order=True)
    words = WordList((*tokens, "bird robin", "aeroplane car"))
    with Stub(*sharp, max_logprobs=length) as server:
        model = connect(manifest, "toy", {"endpoint": server.endpoint, "concurrency": 4})
        answers = list(likeliest_words(model, PROBES[:2], words, 2))
    for here, there in zip(slot_top_words(engine_of(*sharp), PROBES[:2], words, 50), answers, strict=True):
        assert len(there.word_ids) == 2
        assert there.errors[0] > 1e-4
        within(here, there)


def test_lists_that_are_too_short_are_refused_with_the_length_that_is_enough(connected, stub, small):
    stub.max_logprobs = 20
    model = connected()
    enough = len(small[1])
    message = (
        rf"only \d of 5 words of .* are certain, as its lists end after 20 tokens: lists of {enough} tokens are long"
    )
    with pytest.raises(ModelError, match=message):
        list(likeliest_words(model, PROBES, WORDS, 5))


def test_several_wordings_are_refused(connected):
    probe = SlotProbe("x", (Variant("a [V]", 0.5), Variant("an [V]", 0.5)))
    with pytest.raises(ProbeError, match="has several wordings, which a server ranks no words for"):
        next(likeliest_words(connected(), [probe], WORDS, 1))


@pytest.mark.parametrize(("complete", "most"), [(True, 0.2), (False, 0.4)])
def test_what_a_list_leaves_out_may_all_be_the_end_of_a_word(complete, most):
    """Of the probability, 0.5, 0.2 and 0.1 are listed, and 0.2 are not; the second token ends words."""
    answer = TopList(np.array([5, 7, 9], np.int32), np.log(np.array([0.5, 0.2, 0.1], np.float32)), 3, None)
    low, high = _Search._ends(SimpleNamespace(boundary=np.array([7])), answer, complete=complete)
    assert (low, high) == (pytest.approx(math.log(0.2), abs=1e-6), pytest.approx(math.log(most), abs=1e-6))
