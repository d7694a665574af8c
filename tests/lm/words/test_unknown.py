"""Words that a tokenizer cannot write: no primitive answers a text with one, and a warning names it."""

import logging
import re
import unicodedata
from functools import cache

import numpy as np
import polars as pl
import pytest
import torch
import transformers as hf
from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st
from relprobe.core.errors import ModelError, ProbeError
from relprobe.library.model import Model
from relprobe.lm.loading.load import fastest_model
from relprobe.lm.primitives.closed_lists import slot_candidates
from relprobe.lm.primitives.continuation import continuation_logprob
from relprobe.lm.primitives.embeddings import embeddings
from relprobe.lm.primitives.layers import View, slot_top_k_of_layers
from relprobe.lm.primitives.sentences import pseudo_logprob
from relprobe.lm.primitives.slots import slot_top_k
from relprobe.lm.primitives.surprisal import surprisals
from relprobe.lm.primitives.top_words import slot_top_words
from relprobe.lm.requests import (
    ClosedProbe,
    Continuation,
    ContinuationResponse,
    LayersResponse,
    Sentence,
    SentenceResponse,
    SlotProbe,
    SlotResponse,
    SpanResponse,
    SpanText,
    Surprisal,
    Variant,
    WordResponse,
)
from relprobe.lm.words.encode import Encoder
from relprobe.lm.words.unknown import (
    _listed,
    keep_known,
    missing,
    null_unknown,
    require_known,
    unknown_words,
    writes_everything,
)
from relprobe.lm.words.word_list import WordList
from tokenizers import Tokenizer, models, pre_tokenizers, trainers
from transformers import PreTrainedTokenizerFast

from tests.lm.tokenizers_for_tests import CORPUS, byte_level, published, sentence_piece, sentinels, unigram, word_piece
from tests.patched import made_once


@cache
def characters(unknown):
    """Return a BPE tokenizer of the characters of the corpus: of others it makes a token `unknown`, or nothing at all."""
    tokenizer = Tokenizer(models.BPE(unk_token=unknown))
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace("▁", "always")
    tokenizer.train_from_iterator(
        CORPUS, trainers.BpeTrainer(vocab_size=120, special_tokens=[one for one in (unknown, "[MASK]") if one])
    )
    return PreTrainedTokenizerFast(tokenizer_object=tokenizer, mask_token="[MASK]")  # it does not say `unk_token`


LIMITED = {
    "WordPiece": word_piece,
    "Unigram": unigram,
    "T5": sentinels,
    "BPE": lambda: characters("<unk>"),
    "BPE without an unknown token": lambda: characters(None),
}
STRANGE = st.sampled_from(["☃", "鳥", "🐦", "ж", "𓀀", "ﷺ", "♞♞"])
KNOWN = ["a robin is a kind of bird", "a word is not hot", "a favorite car"]


@made_once
def scorer(family, masked):
    tokenizer = LIMITED[family]()
    torch.manual_seed(0)
    size = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 64}
    size |= {"vocab_size": len(tokenizer), "max_position_embeddings": 64}
    net = hf.BertForMaskedLM(hf.BertConfig(**size)) if masked else hf.LlamaForCausalLM(hf.LlamaConfig(**size))
    return fastest_model(net.eval(), Encoder.of(tokenizer, masked=masked, max_length=64), 256)


MODELS = [
    ("WordPiece", True),
    ("Unigram", True),
    ("BPE without an unknown token", True),
    ("Unigram", False),
    ("BPE", False),
]
models_of = pytest.mark.parametrize(("family", "masked"), MODELS)


def ends_with_slot(text):
    return SlotProbe(text, (Variant(f"{text} is a [V]"),))


WORDS = WordList(("bird", "car", "engine"))
ASK = {
    "slot_top_k": lambda model, texts: slot_top_k(model, map(ends_with_slot, texts), 5),
    "slot_top_k_of_layers": lambda model, texts: slot_top_k_of_layers(model, map(ends_with_slot, texts), 5, [View(1)]),
    "slot_top_words": lambda model, texts: slot_top_words(model, map(ends_with_slot, texts), WORDS, 3),
    "slot_candidates": lambda model, texts: slot_candidates(
        model, [ClosedProbe(ends_with_slot(text), ends_with_slot("it"), 0) for text in texts], [WORDS]
    ),
    "continuation_logprob": lambda model, texts: continuation_logprob(
        model, [Continuation(text, f"{text} is a [V]", ("bird", "engine")) for text in texts]
    ),
    "pseudo_logprob": lambda model, texts: pseudo_logprob(model, [Sentence(text, text) for text in texts]),
    "surprisals": lambda model, texts: surprisals(model, [SpanText(text, text, ((0, 1),)) for text in texts]),
    "embeddings": lambda model, texts: embeddings(
        model, [SpanText(text, text, ((0, len(text)),)) for text in texts], -1
    ),
}


def values(response):
    """Return all numbers of a response."""
    if hasattr(response, "words"):
        return values(response.words)
    found = next(getattr(response, name) for name in ("logprobs", "nats", "vectors") if hasattr(response, name))
    return np.concatenate([np.ravel(part) for part in found]) if len(found) else np.empty(0)


@pytest.mark.parametrize("primitive", ASK)
@models_of
@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(strange=STRANGE, place=st.integers(2, 13), inside=st.booleans())
def test_no_primitive_answers_a_text_with_an_unknown_word(family, masked, primitive, strange, place, inside, caplog):
    model = scorer(family, masked)
    text = f"a {KNOWN[0][2:place]}{strange if inside else f' {strange} '}{KNOWN[0][place:]}"
    caplog.clear()
    with caplog.at_level(logging.WARNING):
        known, unknown, *others = list(ASK[primitive](model, [KNOWN[0], text, *KNOWN[1:]]))
    assert np.isnan(values(unknown)).all()  # there may be none
    for response in (known, *others):
        assert len(values(response))
        assert np.isfinite(values(response)[1:]).all()  # nothing precedes the first token of a causal model
    assert "has no tokens for" in caplog.text
    assert strange in caplog.text


@pytest.mark.parametrize("primitive", ASK)
@models_of
def test_a_text_without_unknown_words_has_the_answers_that_it_has_alone(family, masked, primitive, monkeypatch):
    model = scorer(family, masked)
    beside = list(ASK[primitive](model, [KNOWN[0], *KNOWN[1:]]))
    monkeypatch.setattr("relprobe.lm.words.unknown.writes_everything", lambda _: True)
    for one, other in zip(beside, ASK[primitive](model, KNOWN), strict=True):
        np.testing.assert_array_equal(values(one), values(other))


@models_of
def test_a_candidate_that_cannot_be_written_is_missing_alone(family, masked, caplog):
    if "without" in family:
        pytest.skip("a candidate of no token is refused")
    request = Continuation("x", "a robin is a [V]", ("bird", "☃", "engine"))
    response = next(continuation_logprob(scorer(family, masked), [request]))
    assert [bool(np.isnan(one).all()) for one in response.logprobs] == [False, True, False]
    assert np.isnan(response.sums()[1])
    assert "'☃'" in caplog.text


@models_of
def test_the_library_has_nulls_and_a_warning(family, masked, caplog):
    model = Model(scorer(family, masked))
    texts = ["a robin is a bird", "a ☃ is a bird"]
    assert model.sentences(texts)["logprob"].is_null().to_list() == [False, True]
    assert model.score(texts, ["car"])["logprob"].is_null().to_list() == [False, True]
    assert model.embed(texts)["vector"].is_null().to_list() == [False, True]
    for asked in (None, ["bird", "car"]):
        answers = model.top_words([f"{text} [SLOT]" for text in texts], 2, asked)
        assert answers.filter(id=1).select("word", "logprob").rows() == [(None, None)]
        assert asked is None or answers.filter(id=0)["word"].null_count() == 0  # few tokens are words
    assert "'☃'" in caplog.text
    if "without" in family:
        with pytest.raises(ProbeError, match="covers no token"):
            model.words(texts)
        return
    nats = model.words(texts).group_by("id", maintain_order=True).agg(pl.col("nats").drop_nulls().len())
    assert nats["nats"].to_list() == [5 if masked else 4, 0]


@pytest.mark.parametrize("family", [*LIMITED, "bytes", "SentencePiece"])
@settings(max_examples=60, deadline=None)
@given(
    text=st.sampled_from(KNOWN),
    word=st.text(st.characters(categories=["Mn", "Me", "Cf", "Co", "Cn", "So", "Sk", "Cc"]), min_size=1, max_size=3),
    place=st.integers(1, 2),
)
@example(text="a robin", word="\u0301", place=1)
@example(text="a robin", word="\ue000", place=1)
@example(text="a robin", word="\x07", place=1)
def test_a_word_of_which_nothing_is_left_is_unknown(family, text, word, place):
    """Normalizers leave out marks, controls and private characters: the text would be scored as one without the word."""
    assume(len(word.split()) == 1 and word.strip() == word and unicodedata.is_normalized("NFC", word))
    tokenizer = {"bytes": byte_level, "SentencePiece": sentence_piece, **LIMITED}[family]()
    parts = text.split()
    whole = " ".join([*parts[:place], word, *parts[place:]])
    with_word, without = (
        tokenizer.backend_tokenizer.encode(one, add_special_tokens=False).ids for one in (whole, text)
    )
    assert with_word != without or unknown_words(tokenizer, [whole]) == [(word,)]


def test_tokenizers_that_write_every_byte_know_every_word():
    for tokenizer in (byte_level(), byte_level(masked=True), sentence_piece()):
        assert writes_everything(tokenizer)
        assert unknown_words(tokenizer, ["a ☃ <|endoftext|> <unk>"]) == [()]
    for make in LIMITED.values():
        assert not writes_everything(make())


@pytest.mark.parametrize("name", ["albert-base-v2", "bert-base-cased", "roberta-base", "opt"])
def test_published_tokenizers(name):
    if published(name) is None:
        pytest.skip(f"the tokenizer of {name} is not here")
    (words,) = unknown_words(published(name), ["a robin, a ☃☃, an [UNK] and a 𓀀."])
    assert words == (("☃☃,", "𓀀.") if name in ("albert-base-v2", "bert-base-cased") else ())


def test_a_text_that_names_the_unknown_token_means_it():
    assert unknown_words(word_piece(), ["a [UNK] is a bird", "a ☃ is [UNK]"]) == [(), ("☃",)]


def test_requests_with_unknown_words_can_be_left_out_or_refused(caplog):
    requests = [Sentence("1", "a robin"), Sentence("2", "a ☃"), Sentence("3", "it is", before="☃ 鳥\n")]
    assert [request.id for request in keep_known(word_piece(), requests)] == ["1"]
    assert "'☃', '鳥'" in caplog.text
    assert "2 of them" in caplog.text


def test_each_unknown_word_is_named_once_whichever_of_many_texts_it_stands_in(monkeypatch, caplog):
    """The words of a text and of its candidates, sorted; requests are looked at one by one here, and 64 together else."""
    monkeypatch.setattr("relprobe.lm.words.unknown.AT_ONCE", 1)
    candidates = [("鳥", "bird"), ("bird", "𓀀"), ("bird", "car")]
    asked = [Continuation(str(number), "a ☃ is a [V]", words) for number, words in enumerate(candidates)]
    ids, nats = np.array([7], np.int32), np.array([-1], np.float32)
    answers = null_unknown(
        word_piece(),
        asked,
        lambda known: (ContinuationResponse(request.id, (ids, ids), (nats, nats)) for request in known),
    )
    assert [answer.id for answer in answers] == ["0", "1", "2"]
    known = [Sentence(str(number), text) for number, text in enumerate(("a 鳥 and a ☃", "a robin", "the ☃"))]
    assert [request.id for request in keep_known(word_piece(), known)] == ["1"]
    assert list(keep_known(word_piece(), [Continuation("x", "a [V]", ("☃",))]))  # candidates are not looked at
    spans = [SpanText(text, text, ((0, 1),)) for text in ("a 鳥 and a ☃", "a robin", "a ☃")]
    assert list(require_known(word_piece(), spans, "the tests")) == spans
    found = [re.search(r"no tokens for (.*?)[:,] (?:texts|which)", message)[1] for message in caplog.messages]
    assert found == ["'☃', '鳥'", "'𓀀'", "'☃', '鳥'", "'☃', '鳥'"]
    assert "with such a word (2 of them) have no answer" in caplog.messages[2]


def test_what_has_a_vector_must_be_known_and_what_stands_beside_it_is_named(caplog):
    beside = SpanText("1", "a robin and a ☃", ((2, 7),))
    assert list(require_known(word_piece(), [beside], "the analogies")) == [beside]
    assert "has no tokens for '☃', which stand in the analogies: the words beside them have vectors" in caplog.text
    asked = SpanText("2", "a robin and a ☃", ((2, 7), (14, 15)))
    with pytest.raises(ModelError, match="has no tokens for '☃', asked about in the analogies"):
        list(require_known(word_piece(), [beside, asked], "the analogies"))


def test_the_vector_of_a_known_word_beside_an_unknown_one_is_there():
    texts = [SpanText("1", "a robin and a ☃", ((2, 7),)), SpanText("2", "a robin and a ☃", ((2, 7), (14, 15)))]
    beside, asked = embeddings(scorer("WordPiece", True), texts, -1)
    assert np.isfinite(beside.vectors).all()
    assert np.isnan(asked.vectors).all()


def test_a_response_without_its_values_has_nan_in_their_place_or_no_candidate():
    """Of several candidates those alone that were lost."""
    ids, nats, nan = np.array([7, 8], np.int32), np.array([-1, -2], np.float32), [np.nan, np.nan]
    lost = missing(ContinuationResponse("x", (ids, ids, ids), (nats, nats, nats)), [True, False, True])
    np.testing.assert_array_equal(lost.logprobs, [nan, nats, nan])
    np.testing.assert_array_equal(missing(SentenceResponse("x", ids, nats), [True]).logprobs, nan)
    np.testing.assert_array_equal(missing(SpanResponse("x", np.ones((1, 2), np.float32)), [True]).vectors, [nan])
    surprisal = missing(Surprisal("x", (ids, ids), nats, nats), [True])
    np.testing.assert_array_equal([surprisal.nats, surprisal.correction], [nan, nan])
    two_views = np.array([[1, 2], [3, 4]], np.int32)
    layers = missing(LayersResponse("x", two_views, two_views.astype(np.float32)), [True])
    assert layers.token_ids.shape == layers.logprobs.shape == (2, 0)
    slot = missing(SlotResponse("x", ids, nats), [True])
    words = missing(WordResponse("x", ids, nats, 0.5), [True])
    assert [len(part) for part in (slot.token_ids, slot.logprobs, words.word_ids, words.logprobs)] == [0] * 4
    assert words.outside is None
    assert {one.id for one in (lost, surprisal, layers, slot, words)} == {"x"}


def test_a_warning_names_twenty_words_and_counts_the_others():
    words = [f"w{number}" for number in range(22)]
    named = ", ".join(f"'w{number}'" for number in range(20))
    assert [_listed(words[:count]) for count in (1, 20, 22)] == ["'w0'", named, f"{named} and 2 more"]


def test_what_is_no_response_has_no_missing_values():
    with pytest.raises(TypeError, match="str is no response"):
        missing("x", [True])
