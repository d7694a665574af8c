"""With `word_boundary` the ends of words count, in candidates and in sentences, on every causal architecture."""

import random

import numpy as np
import pytest
from relprobe.core.errors import ModelError
from relprobe.lm.primitives.continuation import continuation_logprob
from relprobe.lm.primitives.sentences import pseudo_logprob
from relprobe.lm.primitives.top_words import slot_top_words
from relprobe.lm.requests import Continuation, Sentence, SlotProbe, Variant
from relprobe.lm.words.word_list import WordList

from tests.lm import naive
from tests.lm.architectures import CAUSAL, MASKED, model
from tests.lm.primitives.test_primitives import CANDIDATES, CLOSE, ENDING, SENTENCES, shuffled, variants_of

TEXTS = [*ENDING[:3], 'it is "[V]']


@pytest.mark.parametrize("name", CAUSAL)
def test_candidates(name):
    net, tokenizer = model(name).net, model(name).encoder.tokenizer
    expected = {text: [naive.word(net, tokenizer, text, word) for word in CANDIDATES] for text in TEXTS}
    requests = [Continuation(text, text, CANDIDATES) for text in TEXTS]
    for scorer in variants_of(name, (37, 8192)):
        for answer in continuation_logprob(scorer, shuffled(requests, scorer.budget), word_boundary=True):
            np.testing.assert_allclose(answer.sums(), expected[answer.id], **CLOSE)


@pytest.mark.parametrize("name", CAUSAL)
def test_sentences(name):
    """A token that begins a word gives the end of the word before to the token before."""
    net, encoder = model(name).net, model(name).encoder
    ends = naive.boundaries(encoder.tokenizer)
    expected = {}
    for text in SENTENCES:
        ids = encoder.tokenizer(text).input_ids
        table = naive.logprobs(net, ids)
        values = [table[i - 1, ids[i]].item() for i in range(1, len(ids))]
        for i in range(1, len(ids)):
            if ids[i] in ends:
                end = table[i - 1, ends].logsumexp(0).item()
                values[i - 1] -= end
                if i > 1:
                    values[i - 2] += end
        if values:
            values[-1] += table[-1, ends].logsumexp(0).item()
        expected[text] = values if encoder.before else [np.nan, *values]
    for scorer in variants_of(name, (37, 8192)):
        sample = shuffled(SENTENCES, scorer.budget)
        for answer in pseudo_logprob(scorer, (Sentence(text, text) for text in sample), word_boundary=True):
            np.testing.assert_allclose(answer.logprobs, expected[answer.id], **CLOSE)


@pytest.mark.parametrize("name", ["gpt2", "llama"])
def test_words_have_the_probability_that_the_search_gives_them(name):
    words = WordList(("bird", "ice cream", "hippopotamus", "birds"))
    text = TEXTS[0]
    (answer,) = slot_top_words(model(name), [SlotProbe("x", (Variant(text),))], words, 4)
    (scored,) = continuation_logprob(model(name), [Continuation("x", text, words.words)], word_boundary=True)
    np.testing.assert_allclose(answer.logprobs, scored.sums()[answer.word_ids], **CLOSE)


@pytest.mark.parametrize("name", MASKED[:2])
def test_a_masked_model_sees_where_a_word_ends(name):
    requests = [Continuation(text, text, CANDIDATES) for text in ENDING]
    plain = list(continuation_logprob(model(name), requests))
    for one, other in zip(plain, continuation_logprob(model(name), requests, word_boundary=True), strict=True):
        np.testing.assert_array_equal(one.sums(), other.sums())
    sentences = [Sentence(text, text) for text in random.Random(1).sample(SENTENCES, 3)]
    pairs = zip(
        pseudo_logprob(model(name), sentences), pseudo_logprob(model(name), sentences, word_boundary=True), strict=True
    )
    for one, other in pairs:
        np.testing.assert_array_equal(one.logprobs, other.logprobs)


def test_the_end_of_a_word_needs_all_of_its_tokens():
    with pytest.raises(ModelError, match="use 'chain'"):
        continuation_logprob(model("gpt2"), [], "first_token", word_boundary=True)
