"""The encoder: which input a text becomes, and which texts it refuses."""

import json
from dataclasses import replace
from types import SimpleNamespace

import polars as pl
import pytest
from relprobe.core.errors import ModelError, ProbeError
from relprobe.lm.primitives.continuation import continuation_logprob
from relprobe.lm.primitives.embeddings import embeddings
from relprobe.lm.primitives.sentences import pseudo_logprob
from relprobe.lm.primitives.slots import slot_top_k
from relprobe.lm.requests import Continuation, Sentence, SlotProbe, SpanText, Variant
from relprobe.lm.words.encode import Encoder
from relprobe.lm.words.lexicon import lexicon
from tokenizers import AddedToken, Tokenizer
from tokenizers.models import WordPiece
from tokenizers.pre_tokenizers import BertPreTokenizer
from transformers import PreTrainedTokenizerFast, T5Tokenizer

from tests.lm.architectures import LENGTH, model
from tests.lm.tokenizers_for_tests import byte_level, sentence_piece

LONG = "bird " * 200


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("bert", "a bird", r"probe 'p' has 0 slots \[V\]"),
        ("gpt2", "a bird", r"probe 'p' has 0 slots \[V\]"),
        ("gpt2", "", r"probe 'p' has 0 slots \[V\]"),
        ("bert", "a [V] is a [V]", r"probe 'p' has 2 slots \[V\]"),
        ("gpt2", "a [V] is a [V]", r"probe 'p' has 2 slots \[V\]"),
        ("bert", "a [V] is a [MASK]", "probe 'p' holds the mask token beside its slot"),
        ("gpt2", "a [V] is a bird", "probe 'p' has text after its slot"),
        ("gpt2", "[V]", "probe 'p' has nothing before its slot.*set `bos: true`"),
        ("bert", LONG + "[V]", f"probe 'p' is .* tokens long, but the model takes {LENGTH}"),
        ("gpt2", LONG + "[V]", f"probe 'p' is .* tokens long, but the model takes {LENGTH}"),
    ],
)
def test_the_encoder_refuses_probes_without_a_proper_slot(name, text, message):
    with pytest.raises(ProbeError, match=message):
        list(slot_top_k(model(name), [SlotProbe("p", (Variant(text),))], 5))
    with pytest.raises(ProbeError, match=message):
        list(continuation_logprob(model(name), [Continuation("p", text, ("bird",))]))


@pytest.mark.parametrize(
    ("name", "text", "candidates", "message"),
    [
        ("bert", "a [V]", (), "probe 'p' has no candidates"),
        ("bert", "a [V]", ("",), "candidate of probe 'p' is empty"),
        ("llama", "a [V]", (" ",), "candidate of probe 'p' is empty"),
        ("opt", "a bi[V]", ("rd",), "'rd' of probe 'p' shares a token with the text before it, 'bi'"),
        ("bert", "a [V]", (LONG,), "probe 'p' is .* tokens long"),
        ("gpt2", "a [V]", (LONG,), "probe 'p' is .* tokens long"),
    ],
)
def test_the_encoder_refuses_candidates_without_tokens_of_their_own(name, text, candidates, message):
    with pytest.raises(ProbeError, match=message):
        list(continuation_logprob(model(name), [Continuation("p", text, candidates)]))


@pytest.mark.parametrize("name", ["bert", "gpt2", "llama"])
@pytest.mark.parametrize(("text", "message"), [("", "is empty"), (" ", "is empty"), (LONG, "tokens long")])
def test_the_encoder_refuses_empty_and_long_sentences(name, text, message):
    with pytest.raises(ProbeError, match=f"'p' .*{message}"):
        list(pseudo_logprob(model(name), [Sentence("p", text)]))
    with pytest.raises(ProbeError, match=f"'p' .*{message}"):
        list(embeddings(model(name), [SpanText("p", text, ((0, 1),))], 0))


@pytest.mark.parametrize("span", [(1, 2), (0, 99), (5, 5), (4, 3)])
def test_a_span_without_tokens_is_an_error(span):
    with pytest.raises(ProbeError, match=r"the span .* of 'p' covers no token"):
        list(embeddings(model("bert"), [SpanText("p", "a bird", (span,))], 0))


def test_the_last_word_before_a_slot_decides_the_form_of_a_word_in_it():
    coder = model("gpt2").encoder
    texts = ("a robin is a [V] too", "a robin is a  [V]", 'it is "[V]', "[V] sings")
    assert [coder.piece("x", text) for text in texts] == [" a ", " a  ", ' "', ""]


def test_the_longest_input_fits_without_truncation():
    for name in ("bert", "gpt2", "roberta", "opt"):
        encoder = model(name).encoder
        assert encoder.max_length == LENGTH
        room = LENGTH - len(encoder.before) - len(encoder.after)
        answer = next(pseudo_logprob(model(name), [Sentence("x", " ".join(["a"] * room))]))
        assert len(answer.logprobs) == room
        with pytest.raises(ProbeError, match="tokens long"):
            next(pseudo_logprob(model(name), [Sentence("x", " ".join(["a"] * (room + 2)))]))


def test_an_input_begins_with_bos_as_the_tokenizer_or_the_config_says():
    begins = {
        bos: Encoder.of(sentence_piece(), masked=False, max_length=9, bos=bos).before for bos in (None, True, False)
    }
    assert begins == {None: (2,), True: (2,), False: ()}
    assert Encoder.of(byte_level(), masked=False, max_length=9).before == ()
    assert Encoder.of(byte_level(), masked=False, max_length=9, bos=True).before == (0,)


def test_a_context_with_a_slot_is_an_error():
    with pytest.raises(ModelError, match="holds a slot"):
        Encoder.of(byte_level(), masked=False, max_length=9, context="a [V]")


def test_a_space_separates_a_context_from_the_text_unless_it_ends_in_white_space():
    for context, separated in {"": "", "a.": "a. ", "a.\n": "a.\n"}.items():
        assert Encoder.of(byte_level(), masked=False, max_length=9, context=context).context == separated


@pytest.mark.parametrize("name", ["bert", "roberta", "gpt2", "opt", "llama"])
def test_a_candidate_has_the_form_it_has_in_the_text(name):
    encoder = model(name).encoder
    for text in ("a kind of [V]", 'the word "[V]'):
        left = text.replace("[V]", "")
        whole = encoder.tokenizer(left + "steering wheel", add_special_tokens=False).input_ids
        candidate = encoder.candidate("p", text, "steering wheel").ids
        assert tuple(whole[-len(candidate) :]) == candidate
        assert encoder.tokenizer.decode(candidate).strip() == "steering wheel"


def test_the_first_token_is_nan_without_bos():
    with_bos = replace(model("gpt2").encoder, before=(0,))
    answer = next(pseudo_logprob(replace(model("gpt2"), encoder=with_bos), [Sentence("x", "a")]))
    assert answer.logprobs[0] < 0
    assert str(next(pseudo_logprob(model("gpt2"), [Sentence("x", "a")])).logprobs[0]) == "nan"


@pytest.mark.parametrize("name", ["bert", "gpt2", "llama"])
def test_many_texts_are_encoded_as_each_alone(name):
    encoder = model(name).encoder
    texts = ["a robin is a [V]", "it is [V]", "my favorite vehicle, they say, is an [V]", "bird [V]"]
    assert encoder.slots([(text, text) for text in texts]) == [encoder.slot(text, text) for text in texts]
    assert encoder.sentences([(text, text) for text in texts]) == [encoder.sentence(text, text) for text in texts]
    for query, text in zip(encoder.slots([("x", text) for text in texts]), texts, strict=True):
        left = text.replace("[V]", encoder.tokenizer.mask_token or "").rstrip()
        ids = encoder.tokenizer(left).input_ids
        assert list(query.ids) == ids
        assert query.positions == ((ids.index(encoder.tokenizer.mask_token_id) if encoder.masked else len(ids) - 1),)


def test_a_token_that_no_text_has_is_no_word():
    """BERT's vocabulary keeps room for new tokens: [unused1] is none of its special tokens, but no word either."""
    names = ["[PAD]", "[UNK]", "x", "a", "[", "]", "unused", "##1", "[unused1]", "bird", "##s", "...", "."]
    backend = Tokenizer(WordPiece({name: i for i, name in enumerate(names)}, unk_token="[UNK]"))
    backend.pre_tokenizer = BertPreTokenizer()
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=backend, pad_token="[PAD]", unk_token="[UNK]")
    tokenizer.add_tokens([AddedToken("[new]", special=True)])
    table = lexicon(tokenizer, 16)
    assert table["token"].to_list() == [*names, "[new]", "<unused14>", "<unused15>"]
    assert table.filter(pl.col("word").is_not_null())["word"].to_list() == ["x", "a", "[", "]", "unused", "bird", "."]


def test_the_words_of_a_vocabulary_without_the_article_have_their_mark():
    """T5's vocabulary has no "▁a": the article is two tokens, "▁" and "a", and the last one shows no mark."""
    pieces = ["▁", "a", "s", "x", "▁bird", "▁is"]
    vocabulary = [*((token, 0.0) for token in ("<pad>", "</s>", "<unk>")), *((piece, -2.0) for piece in pieces)]
    tokenizer = T5Tokenizer(vocab=vocabulary, extra_ids=2)
    assert tokenizer.tokenize("x a") == ["▁", "x", "▁", "a"]
    words = dict(lexicon(tokenizer, 0).drop_nulls("word").select("token", "word").rows())
    assert words == {"▁bird": "bird", "▁is": "is"}


def test_bytes_that_are_no_whole_character_are_no_word():
    """ "Ġé" is a space and the first byte of a character, which is shown as U+FFFD."""
    state = json.loads(byte_level().backend_tokenizer.to_str())
    state["model"]["vocab"] |= {"Ġé": len(byte_level()), "Ġbirds": len(byte_level()) + 1}
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=Tokenizer.from_str(json.dumps(state)))
    assert tokenizer.convert_tokens_to_string(["Ġé"]) == " \ufffd"
    words = dict(lexicon(tokenizer, 0).select("token", "word").rows())
    assert (words["Ġé"], words["Ġbirds"]) == (None, "birds")
    assert not any("\ufffd" in word for word in words.values() if word)


def test_a_tokenizer_that_cuts_and_pads_texts_is_made_to_leave_them_whole():
    backend = Tokenizer.from_str(byte_level().backend_tokenizer.to_str())
    backend.enable_truncation(2)
    backend.enable_padding(length=64)
    names = {"eos_token": "<|endoftext|>", "bos_token": "<|endoftext|>"}
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=backend, **names)
    text = "a robin is a kind of bird"
    encoder = Encoder.of(tokenizer, masked=False, max_length=99)
    assert list(encoder.slot("p", f"{text} [V]").ids) == byte_level()(text).input_ids


def test_a_tokenizer_written_in_python_is_refused():
    slow = SimpleNamespace(is_fast=False, mask_token_id=None, name_or_path="m")
    with pytest.raises(ModelError, match=r"^the tokenizer of m is a SimpleNamespace, which is written in Python"):
        Encoder.of(slow, masked=False, max_length=99)


def test_a_candidate_that_a_vocabulary_lacks_and_a_text_without_tokens_are_named():
    encoder = model("bert").encoder
    with pytest.raises(
        ProbeError, match=r"the candidate '☃' of probe 'p' has no token of its own in the vocabulary of"
    ):
        encoder.candidate("p", "a [V]", "☃")
    assert encoder.candidates("p", "a [V]", ["☃"], unknown=True)[0].ids == (encoder.tokenizer.unk_token_id,)
    with pytest.raises(ProbeError, match=r"the text of 'p' has no tokens: '\\u200d'"):
        encoder.sentence("p", "\u200d")
    with pytest.raises(ProbeError, match=r"the text of 'p' is empty"):
        encoder.sentence("p", " ")
