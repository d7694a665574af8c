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
from relprobe.lm.requests import Query, SlotProbe, Variant
from relprobe.lm.served.dialect import TopList
from relprobe.lm.served.words import BoundedWords, _response, _Search, likeliest_words
from relprobe.lm.words.encode import Encoder
from relprobe.lm.words.lexicon import lexicon
from relprobe.lm.words.unknown import missing
from relprobe.lm.words.word_list import WordList, WordTrie

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


def lists(**probabilities):
    """A list of tokens t1, t2, … with their probabilities, best first."""
    pairs = sorted(((int(name[1:]), value) for name, value in probabilities.items()), key=lambda pair: -pair[1])
    ids, values = zip(*pairs, strict=True)
    return TopList(np.array(ids, np.int32), np.log(values).astype(np.float32), len(ids), None)


def search_of(spellings, k=1, boundary=(1, 9)):
    return _Search(Query((5,), (0,)), WordTrie.of(spellings), k, np.array(boundary))


def rounded(entries):
    return [tuple(value if isinstance(value, int) else round(math.exp(value), 4) for value in row) for row in entries]


def test_the_bounds_of_words_by_hand():
    """The words are 1 2, 1, 3 and 4; a word that begins with the boundary 1 comes after the end of the word before."""
    search = search_of([(1, 2), (1,), (3,), (4,)])
    (root,) = search.best()
    assert root == (0, 0.0, 0.0)
    assert search.left == []
    search.read(*root, lists(t1=0.4, t3=0.3, t9=0.1), complete=False)  # 0.1 are not listed: a boundary has 0.5 to 0.7
    one, three = sorted(search.left)
    assert rounded([(*one[1:],), (*three[1:],)]) == [(round(0.4 / 0.7, 4), round(0.4 / 0.5, 4)), (0.3, 0.3)]
    assert math.exp(search.unlisted) == pytest.approx(
        0.1
    )  # 4 is no boundary: as likely as the last of the list at most
    search.read(*one, lists(t2=0.5, t9=0.25), complete=False)  # "1" ends with 0.25 to 0.5
    ((low, high, word),) = search.words
    assert (math.exp(low), math.exp(high), word) == (pytest.approx(0.25 * 4 / 7), pytest.approx(0.5 * 0.8), 1)
    assert math.exp(search.unlisted) == pytest.approx(0.1)
    two = search.left[-1]
    assert rounded([two[1:]]) == [(round(0.5 * 4 / 7, 4), 0.4)]
    search.read(*two, lists(t2=0.5, t7=0.25), complete=False)  # no boundary is listed: 1 2 ends with 0.25 at most
    assert search.words[-1][0] == -math.inf
    assert math.exp(search.words[-1][1]) == pytest.approx(0.4 * 0.25)
    assert math.exp(search.unlisted) == pytest.approx(0.1)
    search.read(*three, lists(t2=0.5, t7=0.25), complete=True)
    assert search.words[-1] == (-math.inf, -math.inf, 2)


def test_a_word_without_a_listed_end_and_a_token_without_a_place_bound_what_is_unlisted():
    search = search_of([(1,), (3,)])
    search.read(0, math.log(0.5), math.log(0.8), lists(t7=0.5, t9=0.2), complete=False)
    assert math.exp(search.unlisted) == pytest.approx(0.8)  # "1" as likely as the last, 0.2, of a boundary of 0.2
    search = search_of([(3,)])
    search.read(1, math.log(0.5), math.log(0.8), lists(t7=0.75, t8=0.125), complete=False)
    assert math.exp(search.unlisted) == pytest.approx(0.8 * 0.125)  # the end of the word may be all that is not listed
    complete = search_of([(3,)])
    complete.read(0, 0.0, 0.0, lists(t7=0.75, t9=0.25), complete=True)
    assert complete.unlisted == -math.inf


def test_the_likeliest_nodes_are_opened_first_and_none_that_cannot_be_among_the_best():
    search = search_of([(1,)], k=2)
    search.left = [(node, -9.0, -node / 10) for node in range(40)]
    assert [node for node, *_ in search.best()] == list(range(16))
    assert [node for node, *_ in search.left] == list(range(16, 40))
    search.words = [(-2.5, -2.0, 0)]
    assert len(search.best()) == 16  # of one word nobody knows how likely the second is
    search.left = [(node, -9.0, -node / 10) for node in range(40)]
    search.words = [(-2.5, -2.0, 0), (-0.5, -0.1, 1), (-3.5, -0.1, 2)]
    search.left = search.left[::-1]
    assert [node for node, *_ in search.best()] == list(range(16))
    assert [node for node, *_ in search.left] == list(range(16, 26))  # the second best has -2.5 at least


def test_the_response_has_the_means_of_the_bounds_and_no_doubtful_word():
    model = SimpleNamespace(encoder=SimpleNamespace(token_ids=range(7)), __str__=lambda: "toy")
    probe = SlotProbe("x", (Variant("a [V]"),))
    search = search_of([(1,)], k=3)
    search.words = [(-1.0, -0.5, 4), (-1.0, -0.5, 3), (-3.0, -2.0, 7), (-math.inf, -0.1, 8), (-0.25, -0.25, 5)]
    search.unlisted = -1.0
    found = _response(model, probe, search, 20)
    assert (found.word_ids.tolist(), found.logprobs.tolist()) == ([5, 3, 4], [-0.25, -0.75, -0.75])
    assert found.errors.tolist() == [0.0, 0.25, 0.25]
    search.unlisted = -0.99
    with pytest.raises(ModelError, match=r"only 1 of 3 words of probe 'x' are certain, .* after 20 tokens: lists of 7"):
        _response(model, probe, search, 20)
    search.words, search.unlisted = search.words[:1], -math.inf
    assert _response(model, probe, search, 20).word_ids.tolist() == [4]  # there are no others


def test_lists_are_as_long_as_the_vocabulary_or_the_longest_that_are_tried(connected, stub, monkeypatch):
    model, asked = connected(), []
    monkeypatch.setattr(model, "longest_lists", lambda size: asked.append(size) or 20)
    monkeypatch.setattr(model, "top_lists", lambda prompts, size: iter(()))
    monkeypatch.setattr("relprobe.lm.served.words._response", lambda model, probe, search, size: (probe.id, size))
    assert list(likeliest_words(model, [], WORDS, 5)) == []
    monkeypatch.setattr("relprobe.lm.served.words.LONGEST", 7)
    assert list(likeliest_words(model, [], WORDS, 5)) == []
    assert asked == [len(model.encoder.token_ids), 7]


def test_the_best_words_are_those_whose_bounds_have_the_highest_middle():
    """Word 7 lies between -2 and -1, word 3 between -1.8 and -1.5, and word 5 may have no probability."""
    search = search_of([(3,)])
    search.words = [(-1.8, -1.5, 3), (-2.0, -1.0, 7), (-math.inf, -0.5, 5)]
    for k, ids in ((1, [7]), (2, [7, 3]), (3, [7, 3])):
        search.k = k
        found = _response(SimpleNamespace(), PROBES[0], search, 10)
        assert found.word_ids.tolist() == ids
        assert (found.logprobs[0], found.errors[0]) == (-1.5, 0.5)


def test_only_beginnings_that_may_lead_to_one_of_the_best_words_are_asked():
    search = search_of([(3,)])
    search.words, search.left = [(-1.0, -1.0, 0)], [(1, -2.0, -1.5), (2, -2.0, -1.0), (3, -2.0, -0.5)]
    assert [node for node, _, _ in search.best()] == [3, 2]
    search.words, search.left = [(-1.0, -1.0, 0)], [(1, -2.0, -1.5), (2, -2.0, -0.5)]
    search.k = 2  # of two words one is known
    assert [node for node, _, _ in search.best()] == [2, 1]


def test_a_boundary_within_a_word_does_not_come_after_the_end_of_another_one():
    search = search_of([(3, 1)])
    search.read(1, -0.5, -0.25, lists(t1=0.4, t9=0.1), complete=False)
    ((_, low, high),) = search.left[1:]  # the first is the root, which was not taken
    assert (low, high) == pytest.approx((math.log(0.4) - 0.5, math.log(0.4) - 0.25))


def test_a_probe_with_an_unknown_word_has_no_words():
    numbers = np.array([-1.0, -2.0], np.float32)
    lost = missing(BoundedWords("p", np.array([7, 8], np.int32), numbers, numbers), [True])
    assert lost.id == "p"
    for column, kind in ((lost.word_ids, np.int32), (lost.logprobs, np.float32), (lost.errors, np.float32)):
        assert (column.tolist(), column.dtype) == ([], kind)
