"""The likeliest words of a list are those that the plain way finds by scoring every word, on every architecture."""

import math
import random
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from relprobe.core.errors import DataError, ModelError, ProbeError
from relprobe.lm.loading.example import bigram_model
from relprobe.lm.primitives import causal_words, word_search
from relprobe.lm.primitives.masked_words import _lengths
from relprobe.lm.primitives.top_words import slot_top_words
from relprobe.lm.requests import SlotProbe, Variant
from relprobe.lm.words.boundary import boundary_ids
from relprobe.lm.words.word_list import WordList, length_prior, spellings

from tests.lm import naive
from tests.lm.architectures import CAUSAL, MASKED, model
from tests.lm.tokenizers_for_tests import byte_level, sentence_piece, word_piece
from tests.patched import Patch

BUDGETS = [37, 8192]
CLOSE = {"rtol": 0, "atol": 1e-4}
WORDS = WordList(
    # beginnings of one another, several words, hyphens, apostrophes, capitals, and other scripts
    (
        *("a", "an", "animal", "bird", "birds", "bi", "car", "cars", "carpet", "ice", "hippopotamus", "42", "e", "ing"),
        *("ice-cream", "steering wheel", "don't", "Bird", "the", "über", "птица", "小鳥", "पक्षी"),
    ),
    tuple(float(1 + number % 5) for number in range(23)),
)
CAUSAL_TEXTS = [
    "a robin is a kind of [V]",
    "a robin is a kind of an [V]",
    "car [V]",
]
QUOTED = 'it is "[V]'
MASKED_TEXTS = ["a [V] is a kind of bird.", "it is both [V] and cold", 'the word "[V]" is not likely to be hot.']


def probes_of(texts):
    """Return a probe of each text, and one of the first two texts together."""
    probes = [SlotProbe(text, (Variant(text),)) for text in texts]
    return [*probes, SlotProbe("mixed", (Variant(texts[0], 0.7), Variant(texts[1], 0.3)))]


def with_mixture(values, texts):
    """Return the expected values of each probe, word by word; those of the probe "mixed" are mixed as probabilities."""
    first, second = (np.array(values[text]) for text in texts[:2])
    return {**values, "mixed": np.logaddexp(np.log(0.7) + first, np.log(0.3) + second)}


def assert_best(answers, expected, k):
    """Assert that each answer has the k best words by the expected values, and these values."""
    for answer in answers:
        values = np.array(expected[answer.id])
        best = np.sort(values[np.isfinite(values)])[::-1][:k]
        np.testing.assert_allclose(answer.logprobs, best, **CLOSE)
        np.testing.assert_allclose(answer.logprobs, values[answer.word_ids], **CLOSE)
        assert len(set(answer.word_ids.tolist())) == len(best)


def variants_of(name):
    scorer = model(name)
    return [replace(scorer, budget=budget, head_rows=max(10, budget // 20)) for budget in BUDGETS]


@pytest.mark.parametrize("name", CAUSAL)
def test_causal_models(name):
    net, tokenizer = model(name).net, model(name).encoder.tokenizer
    texts = [*CAUSAL_TEXTS, QUOTED]
    expected = {text: [naive.word(net, tokenizer, text, word) for word in WORDS.words] for text in texts}
    expected = with_mixture(expected, texts)
    for scorer in variants_of(name):
        probes = random.Random(scorer.budget).sample(probes_of(texts), len(texts) + 1)
        for k in (5, 100):
            answers = list(slot_top_words(scorer, probes, WORDS, k))
            assert [answer.id for answer in answers] == [probe.id for probe in probes]
            assert_best(answers, expected, k)


def masked_values(net, tokenizer, method, text, masks):
    """Return log P of each word: the logarithms of its tokens, and of the frequency of words with so many tokens."""
    reference = naive.all_masks if method == "all_masks" else naive.left_to_right
    tokens = [naive.parts(tokenizer, text, word)[1] for word in WORDS.words]
    shares = dict.fromkeys(range(1, masks + 1), 0.0)
    for ids, frequency in zip(tokens, WORDS.frequencies, strict=True):
        if len(ids) in shares and tokenizer.unk_token_id not in ids:
            shares[len(ids)] += frequency
    return [
        sum(reference(net, tokenizer, text, word)) + math.log(shares[len(ids)] / sum(shares.values()))
        if len(ids) in shares and tokenizer.unk_token_id not in ids
        else -math.inf
        for word, ids in zip(WORDS.words, tokens, strict=True)
    ]


@pytest.mark.parametrize("method", ["all_masks", "left_to_right"])
@pytest.mark.parametrize("name", MASKED)
def test_masked_models(name, method):
    net, encoder = model(name).net, model(name).encoder
    texts, masks = MASKED_TEXTS, 3
    expected = {text: masked_values(net, encoder.tokenizer, method, text, masks) for text in texts}
    expected = with_mixture(expected, texts)
    for scorer in variants_of(name):
        probes = random.Random(scorer.budget).sample(probes_of(texts), len(texts) + 1)
        for k in (5, 100):
            found = list(slot_top_words(scorer, probes, WORDS, k, method, masks))
            assert_best(found, expected, k)
            if method == "all_masks":
                outside = [1 - np.exp(np.array(expected[answer.id])).sum() for answer in found]
                np.testing.assert_allclose([answer.outside for answer in found], outside, **CLOSE)
            else:
                assert {answer.outside for answer in found} == {None}


LETTERS = st.text("abrd-'Kéя鳥", min_size=1, max_size=6)
LISTS = st.lists(LETTERS, min_size=1, max_size=12, unique=True)


@settings(max_examples=15, deadline=None)
@given(LISTS, st.integers(1, 5), st.sampled_from(["gpt2", "llama"]))
def test_any_list(words, k, name):
    """Whatever the words are, a search gives what the plain way gives; here it keeps and opens few nodes at once."""
    scorer, text = model(name), CAUSAL_TEXTS[0]
    net, tokenizer = scorer.net, scorer.encoder.tokenizer
    expected = {text: [naive.word(net, tokenizer, text, word) for word in words]}
    with Patch.context() as patch:
        patch.setattr(causal_words, "FIRST_TOKENS", 1)
        patch.setattr(word_search, "LEAST_AT_ONCE", 2)
        patch.setattr(word_search, "VALUES_AT_ONCE", 20)
        answers = list(slot_top_words(scorer, [SlotProbe(text, (Variant(text),))], WordList(tuple(words)), k))
    assert_best(answers, expected, k)


def test_a_probe_whose_best_words_lie_beyond_the_first_tokens_that_are_kept_is_asked_again():
    """The likeliest first token may begin no likely word: "steering" is likely, but never ends a word of the list."""
    followers = {"steering": 0.9, "bird": 0.06, "wheel": 0.04}
    scorer = bigram_model({"a": followers, "steering": {"bird": 0.999, "wheel": 0.001}})
    words = WordList(("steering wheel", "wheel", "bird"))
    with Patch.context() as patch:
        patch.setattr(causal_words, "FIRST_TOKENS", 1)
        (answer,) = slot_top_words(scorer, [SlotProbe("x", (Variant("a [V]"),))], words, 1)
    assert answer.word_ids.tolist() == [2]
    np.testing.assert_allclose(np.exp(answer.logprobs), [0.06], rtol=1e-5)


def test_a_search_reads_fewer_tokens_than_scoring_every_word():
    """The best word of "a [V]" is there after the first round, and no beginning of "w0 x" to "w99 x" is opened."""
    rare = {f"w{number}": 0.001 for number in range(100)}
    scorer = bigram_model({"a": {"bird": 0.9, **rare}, "bird": {"a": 1.0}, **{name: {"a": 1.0} for name in rare}})
    words = WordList(("bird", *(f"{name} a" for name in rare)))
    (answer,) = slot_top_words(scorer, [SlotProbe("x", (Variant("a [V]"),))], words, 1)
    assert answer.word_ids.tolist() == [0]
    assert scorer.tokens <= 1 + 1 + word_search.LEAST_AT_ONCE


def test_the_probability_outside_the_list():
    scorer = bigram_model({"a": {"bird": 0.5, "wheel": 0.3, "(": 0.2}})
    words = WordList(("bird", "wheel"))
    (answer,) = slot_top_words(scorer, [SlotProbe("x", (Variant("a [V]"),))], words, 2)
    assert answer.outside == pytest.approx(0.2, abs=1e-5)


def test_equally_likely_words_come_in_the_order_of_the_list():
    scorer = bigram_model({"a": {"bird": 0.25, "wheel": 0.25, "car": 0.25, "robin": 0.25}})
    words = WordList(("wheel", "robin", "car", "bird"))
    for k in range(1, 5):
        (answer,) = slot_top_words(scorer, [SlotProbe("x", (Variant("a [V]"),))], words, k)
        assert answer.word_ids.tolist() == [*range(k)]


def test_words_with_one_spelling_are_equally_likely():
    """A model without capitals cannot tell "Bird" from "bird"; both stand in the response."""
    encoder = model("distilbert").encoder
    assert len(set(spellings(encoder, "x ", ("bird", "Bird")))) == 1
    probe = SlotProbe("x", (Variant(MASKED_TEXTS[0]),))
    (answer,) = slot_top_words(model("distilbert"), [probe], WordList(("car", "Bird", "bird")), 3)
    ids = answer.word_ids.tolist()
    assert ids.index(2) == ids.index(1) + 1
    assert answer.logprobs[ids.index(1)] == answer.logprobs[ids.index(2)]


@pytest.mark.parametrize(
    ("tokenizer", "ends", "goes_on"),
    [
        (byte_level, ["Ġbird", "Ġ", "Ċ", ",", ".", "(", '"', "<|endoftext|>", "[SEP]"], ["s", "'", "-", "A", "7", "Ð"]),
        (sentence_piece, ["▁bird", "▁", "<eos>", "<bos>"], ["s", "'", "'t", "s,"]),
        (word_piece, ["bird", ",", "[SEP]", "a"], ["##s", "##h"]),
    ],
)
def test_boundaries(tokenizer, ends, goes_on):
    tokenizer = tokenizer()
    vocabulary, boundaries = tokenizer.get_vocab(), boundary_ids(tokenizer)
    assert {*ends, *goes_on} <= set(vocabulary)
    assert {token for token in ends if vocabulary[token] not in boundaries} == set()
    assert {token for token in goes_on if vocabulary[token] in boundaries} == set()


def test_where_the_space_ends_a_token_every_next_token_is_a_boundary():
    """The first GPT writes "bird</w>": a token of the next word, even "bi", follows a space."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    vocabulary = {"x</w>": 0, "bi": 1, "rd</w>": 2, "x": 3}
    backend = Tokenizer(models.BPE(vocabulary, [], end_of_word_suffix="</w>"))
    backend.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    backend.decoder = decoders.BPEDecoder(suffix="</w>")
    assert boundary_ids(PreTrainedTokenizerFast(tokenizer_object=backend)) == (0, 1, 2, 3)


@pytest.mark.parametrize(
    ("words", "frequencies", "message"),
    [
        ((), (), "0 words"),
        (("car", "bird", "a", "bird"), (), "'bird' twice"),
        (("bird", " car"), (), "begins or ends with a space"),
        (("bird",), (1.0, 2.0), "1 words and 2 frequencies"),
        (("bird", ""), (), "is empty, or begins"),
        (("bird", "car"), (1.0, 0.0), "'car' with the frequency 0.0, which is not above 0"),
        (("bird", "car"), (1.0, math.nan), "'car' with the frequency nan"),
        (("bird", "car"), (math.inf, 1.0), "'bird' with the frequency inf"),
        (("bird", "car"), (1e308, 1e308), "too large for a sum: divide them by the largest one"),
    ],
)
def test_a_list_that_is_none(words, frequencies, message):
    with pytest.raises(DataError, match=message):
        WordList(words, frequencies)


def test_a_method_of_the_other_kind_of_model_is_an_error():
    with pytest.raises(ModelError, match="'all_masks' is no method for a causal model"):
        slot_top_words(model("gpt2"), [], WORDS, 3, "all_masks")
    with pytest.raises(ModelError, match="'chain' is no method for a masked model"):
        slot_top_words(model("bert"), [], WORDS, 3, "chain")


def test_wordings_in_which_words_are_spelled_differently_are_an_error():
    probe = SlotProbe("robin", (Variant(CAUSAL_TEXTS[0], 0.5), Variant(QUOTED, 0.5)))
    with pytest.raises(ProbeError, match="'robin' are spelled differently"):
        list(slot_top_words(model("gpt2"), [probe], WORDS, 3))


def test_a_text_that_leaves_no_room_for_the_longest_word_is_an_error():
    probe = SlotProbe("long", (Variant(f"{'a robin ' * 30}[V]"),))
    assert len(list(slot_top_words(model("gpt2"), [probe], WordList(("bird", "car")), 1))) == 1
    with pytest.raises(ProbeError, match="'long' is 70 tokens long, but the model takes 64"):
        list(slot_top_words(model("gpt2"), [probe], WordList(("bird", "mother-in-law")), 1))


def test_the_log_counts_the_words_that_a_model_cannot_spell(caplog):
    encoder = bigram_model({"a": {"bird": 0.5, "car": 0.5}}).encoder
    assert spellings(encoder, "a ", ("bird", "car")).count(None) == 0
    assert caplog.messages == []
    assert [word is None for word in spellings(encoder, "a ", ("zebra", "bird", "lynx"))] == [True, False, True]
    assert caplog.messages == ["2 of 3 words cannot be spelled by the model's tokenizer"]


def test_a_list_that_no_model_can_spell_is_an_error():
    with pytest.raises(ModelError, match="can spell no word"):
        list(slot_top_words(model("distilbert"), probes_of(MASKED_TEXTS), WordList(("鳥",)), 3))


def test_a_masked_model_is_asked_for_words_of_four_tokens_or_fewer(caplog):
    """Unless another number of masks is said. What is logged of a list of words is logged once for a tokenizer."""
    caplog.set_level("INFO")
    _lengths.cache_clear()
    for masks, logged in (({}, "1: 1.0000, 2: 0.0000, 3: 0.0000, 4: 0.0000;"), ({"masks": 2}, "1: 1.0000, 2: 0.0000;")):
        words = WordList(("bird", "car", "engine"))
        list(slot_top_words(model("distilbert"), probes_of(MASKED_TEXTS[:1] * 2), words, 1, **masks))
        assert f"prior over the tokens of a word: {logged}" in caplog.text


def test_the_lengths_of_words_are_as_probable_as_their_frequencies_say():
    """Of two words that fit, one has three quarters of the frequency; one is longer, and one cannot be spelled."""
    spelled = [(1,), (2, 3), (4, 5, 6), None]
    assert length_prior(spelled, [3.0, 1.0, 8.0, 9.0], 2).tolist() == [0.75, 0.25]
    with pytest.raises(ModelError, match="no word of the word list has 1 tokens or fewer: raise the number of masks"):
        length_prior(spelled[1:], [1.0, 8.0, 9.0], 1)
