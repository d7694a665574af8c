"""The probabilities of words are those of `wordsprobability`, the authors' own library (Pimentel and Meister 2024).

The library knows GPT-2 and Pythia by the names of their checkpoints, which it downloads. Here it gets a small random GPT-2.
Its boundaries are the tokens that begin with a space, and the end of a text; punctuation belongs to the word before it.
"""

from dataclasses import replace

import numpy as np
from relprobe.lm.primitives import continuation, top_words
from relprobe.lm.primitives.continuation import continuation_logprob
from relprobe.lm.primitives.top_words import slot_top_words
from relprobe.lm.requests import Continuation, SlotProbe, Variant
from relprobe.lm.words.word_list import WordList
from wordsprobability.models import bow_lm

from tests.lm.architectures import model

TEXT = "a robin is a kind of [V]"
WORDS = WordList(("bird", "birds", "hippopotamus", "car", "ice-cream", "steering wheel"))


class SmallGpt2(bow_lm.GPT2BaseModel):
    def _initialise_model(self):
        return model("gpt2").net, model("gpt2").encoder.tokenizer


def theirs(word):
    """Return log P(word | TEXT): the tokens, without the probability that the word begins, and with the one that it ends."""
    values, spans = SmallGpt2().get_models_output(TEXT.replace("[V]", word))
    tokens = [i for i, (_, stop) in enumerate(spans) if stop > TEXT.index("[V]")]
    end = values["eow_fix"][tokens[-1]]
    return -(sum(values["surprisal"][i] for i in tokens) - values["bow_fix"][tokens[0]] + end)


def test_words(monkeypatch):
    reference, plain = SmallGpt2(), model("gpt2")
    expected = [theirs(word) for word in WORDS.words]
    boundary = (reference.vocab_masks["bow"] + reference.vocab_masks["eos"]).nonzero()[:, 0]
    for module in (top_words, continuation):
        monkeypatch.setattr(module, "boundary_tokens", lambda _: boundary)
    scorer = replace(plain, encoder=replace(plain.encoder, before=(plain.encoder.tokenizer.bos_token_id,)))
    (answer,) = slot_top_words(scorer, [SlotProbe("x", (Variant(TEXT),))], WORDS, 6)
    np.testing.assert_allclose(answer.logprobs, np.array(expected)[answer.word_ids], rtol=0, atol=1e-4)
    (scored,) = continuation_logprob(scorer, [Continuation("x", TEXT, WORDS.words)], word_boundary=True)
    np.testing.assert_allclose(scored.sums(), expected, rtol=0, atol=1e-4)
