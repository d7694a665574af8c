"""The mask and the blank before it: whatever the flags of the token, the model reads the text as it is beside a word."""

from functools import cache

import numpy as np
import pytest
import torch
import transformers as hf
from hypothesis import given, settings
from hypothesis import strategies as st
from relprobe.core.errors import ModelError, ProbeError
from relprobe.lm.loading.load import fastest_model
from relprobe.lm.primitives.continuation import continuation_logprob
from relprobe.lm.primitives.slots import slot_top_k
from relprobe.lm.primitives.top_words import slot_top_words
from relprobe.lm.requests import Continuation, SlotProbe, Variant
from relprobe.lm.words.blank import Blank
from relprobe.lm.words.encode import Encoder
from relprobe.lm.words.tokens import special_tokens
from relprobe.lm.words.word_list import WordList
from tokenizers import Tokenizer, models
from transformers import PreTrainedTokenizerFast

from tests.lm.tokenizers_for_tests import byte_level, published, sentinels, unigram, with_flags, word_piece
from tests.patched import made_once

FAMILIES = {
    "WordPiece": word_piece,
    "BPE": lambda: byte_level(masked=True),
    "Unigram": unigram,
    "albert": lambda: published("albert-base-v2"),
    "bert-cased": lambda: published("bert-base-cased"),
    "roberta": lambda: published("roberta-base"),
}
BEFORE = st.sampled_from(["", "a robin is a", "it is not", 'the word "', "a robin,", "(so"])
AFTER = st.sampled_from(["", ".", " and a bird.", '" is hot', " too", ", they say"])


@cache
def family(name, **flags):
    """Return a tokenizer of a family whose mask has other flags. Skips where its files are not beside the repository."""
    tokenizer = FAMILIES[name]()
    if tokenizer is None:
        pytest.skip(f"the tokenizer of {name} is not here")
    return with_flags(tokenizer, tokenizer.mask_token, **flags) if flags else tokenizer


@made_once
def encoder_of(tokenizer):
    return Encoder.of(tokenizer, masked=True, max_length=64)


@pytest.mark.parametrize("name", FAMILIES)
@settings(max_examples=30, deadline=None)  # the first call reads a tokenizer
@given(before=BEFORE, blanks=st.integers(0, 2), after=AFTER)
def test_a_mask_stands_for_a_word_with_the_blank_before_it(name, before, blanks, after):
    """With or without `lstrip`, the ids before the mask are those of the text alone, and no blank is a token of its own."""
    for lstrip in (False, True):
        encoder = encoder_of(family(name, lstrip=lstrip))
        query = encoder.slot("p", f"{before}{' ' * blanks}[V]{after}")
        place = query.positions[0]
        assert query.ids[place] == encoder.tokenizer.mask_token_id
        alone = encoder.tokenizer(before, add_special_tokens=False).input_ids
        assert list(query.ids[len(encoder.before) : place]) == alone


@pytest.mark.parametrize("name", FAMILIES)
def test_a_mask_that_takes_the_blank_itself_gives_the_ids_of_its_tokenizer(name):
    tokenizer = family(name, lstrip=True)
    for text in ("a robin is a kind of [V].", "the [V] is hot", '"[V]" is a word', "[V] is a word"):
        query = encoder_of(tokenizer).slot("p", text)
        assert list(query.ids) == tokenizer(text.replace("[V]", tokenizer.mask_token)).input_ids


@pytest.mark.parametrize("name", FAMILIES)
def test_masked_models_answer_alike_whether_or_not_the_mask_takes_the_blank(name):
    torch.manual_seed(0)
    size = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 64}
    config = hf.BertConfig(vocab_size=len(family(name)), max_position_embeddings=64, **size)
    net = hf.BertForMaskedLM(config).eval()
    probes = [SlotProbe(text, (Variant(text),)) for text in ("a robin is a [V].", "it is a [V] too", "my [V]")]
    words = WordList(("bird", "car", "ice cream", "hippopotamus", "engine"))
    one, other = (fastest_model(net, encoder_of(family(name, lstrip=lstrip)), 256) for lstrip in (True, False))
    for ask in (
        lambda model: [answer.logprobs for answer in slot_top_k(model, probes, 9)],
        *(
            lambda model, method=method: [answer.logprobs for answer in slot_top_words(model, probes, words, 3, method)]
            for method in ("all_masks", "left_to_right")
        ),
        *(
            lambda model, method=method: [
                np.concatenate(answer.logprobs)
                for answer in continuation_logprob(
                    model, [Continuation(probe.id, probe.id, words.words[:3]) for probe in probes], method
                )
            ]
            for method in ("all_masks", "within_word_l2r")
        ),
    ):
        for left, right in zip(ask(one), ask(other), strict=True):
            np.testing.assert_array_equal(left, right)


@pytest.mark.parametrize("token", ["<extra_id_0>", "[MASK]"])
def test_the_blank_of_an_encoder_decoder_network_takes_the_blank_before_it(token):
    tokenizer = unigram()
    blank = Blank(token, tokenizer.convert_tokens_to_ids(token), 1, again=token == "[MASK]")
    encoder = Encoder.of(tokenizer, masked=False, max_length=64, blank=blank)
    query = encoder.slot("p", "a robin is a [V].")
    before = tokenizer("a robin is a", add_special_tokens=False).input_ids
    assert list(query.source[: len(before) + 1]) == [*before, blank.token_id]
    assert list(query.ids) == ([1, *before] if blank.again else [1, blank.token_id])


@pytest.mark.parametrize("name", ["BPE", "roberta"])
def test_a_mask_that_takes_the_blank_after_it_is_refused(name):
    with pytest.raises(ModelError, match="would be another than that beside a word: set `rstrip`"):
        encoder_of(family(name, rstrip=True))


@pytest.mark.parametrize("name", ["WordPiece", "Unigram", "albert", "bert-cased"])
def test_a_tokenizer_that_writes_its_blanks_again_may_take_the_one_after_the_mask(name):
    text = "it is [V] and it is"
    assert encoder_of(family(name, rstrip=True)).slot("p", text) == encoder_of(family(name)).slot("p", text)


@pytest.mark.parametrize("flags", [{"single_word": True}])
def test_a_mask_that_the_tokenizer_does_not_find_is_refused(flags):
    with pytest.raises(ModelError, match="would be another than that beside a word"):
        encoder_of(family("BPE", **flags))


def test_a_sentinel_stands_in_the_slot_before_a_mask_and_one_of_them_must_be_there():
    five = sentinels()
    assert Blank.of(five, 0) == Blank("<extra_id_0>", five.convert_tokens_to_ids("<extra_id_0>"), 0, again=False)
    bert = word_piece()  # which makes several tokens of the sentinel
    assert Blank.of(bert, 2) == Blank("[MASK]", bert.mask_token_id, 2, again=True)
    for start, tokenizer, why in (
        (0, byte_level(), "neither <extra_id_0> nor a mask"),
        (None, five, "no `decoder_start_"),
    ):
        with pytest.raises(ModelError, match=why):
            Blank.of(tokenizer, start)


def test_an_unknown_token_is_no_sentinel():
    """A vocabulary of words has one token for a text that it does not know."""
    backend = Tokenizer(models.WordLevel({"<unk>": 0, "a": 1, "<mask>": 2}, unk_token="<unk>"))
    names = {"unk_token": "<unk>", "mask_token": "<mask>"}
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=backend, **names)
    assert tokenizer("<extra_id_0>").input_ids == [0]
    assert Blank.of(tokenizer, 0) == Blank("<mask>", 2, 0, again=True)


def test_what_is_read_is_shown_with_its_special_tokens():
    five = sentinels()
    pair = Encoder.of(five, masked=False, max_length=64, blank=Blank.of(five, 0))
    assert pair.whole_text("a robin is a [V] too") == "a robin is a<extra_id_0> too</s>"
    assert encoder_of(word_piece()).whole_text("a robin is a [V] too") == "[CLS] a robin is a [MASK] too [SEP]"
    assert pair.whole_text("a robin is a [V] .") == "a robin is a<extra_id_0> .</s>"
    assert special_tokens(five) == ((), (five.eos_token_id,))
    assert special_tokens(word_piece()) == ((2,), (3,))


def test_a_text_that_holds_the_sentinel_twice_is_refused():
    five = sentinels()
    pair = Encoder.of(five, masked=False, max_length=64, blank=Blank.of(five, 0))
    with pytest.raises(
        ProbeError, match=r"^probe 'p' holds <extra_id_0> beside its slot \[V\]: 'a <extra_id_0> is a \[V\]'\.$"
    ):
        pair.slot("p", "a <extra_id_0> is a [V]")
