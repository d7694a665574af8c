"""Every word of a probe's closed list, by the sums of `continuation_logprob`, after the probe and after its premise."""

import numpy as np
import pytest
from relprobe.lm.loading.example import bigram_model
from relprobe.lm.primitives.closed_lists import slot_candidates, unspellable
from relprobe.lm.primitives.continuation import continuation_logprob
from relprobe.lm.requests import ClosedProbe, Continuation, SlotProbe, Variant
from relprobe.lm.words.word_list import WordList, length_prior, spell

from tests.lm.architectures import model
from tests.logs import said

SHORT = WordList(("bird", "hippopotamus", "cars", "steering wheel", "don't"), (5.0, 2.0, 1.0, 1.0, 1.0))
LONG = WordList(("a steering wheel of a hippopotamus", "car", "bird"))


def mixed(*texts):
    """Return a probe of two wordings, of three quarters and a quarter."""
    return SlotProbe(texts[0], (Variant(texts[0], 0.75), Variant(texts[1], 0.25)))


CAUSAL = mixed("a robin is a kind of a [V]", "a robin is a kind of an [V]")
CAUSAL_PREMISE = mixed("is a kind of a [V]", "is a kind of an [V]")
MASKED = mixed("a [V] is a kind of bird.", "an [V] is a kind of bird.")
MASKED_PREMISE = mixed("a [V] is a kind.", "an [V] is a kind.")


def sums(scorer, probe, words):
    """Return log P of each word, one by one: the variants' mixture of the sums over its tokens, and of its length."""
    texts = [Continuation(str(i), one.text, words.words) for i, one in enumerate(probe.variants)]
    values = [answer.sums() for answer in continuation_logprob(scorer, texts, word_boundary=True)]
    total = np.logaddexp(np.log(0.75) + values[0], np.log(0.25) + values[1])
    if not scorer.encoder.masked:
        return total
    spelled = spell(scorer.encoder, "x ", words.words)
    lengths = [len(spelling) for spelling in spelled]
    prior = length_prior(spelled, words.frequencies, max(lengths))
    return total + np.log([prior[length - 1] for length in lengths])


@pytest.mark.parametrize(
    ("name", "probe", "premise"),
    [("gpt2", CAUSAL, CAUSAL_PREMISE), ("llama", CAUSAL, CAUSAL_PREMISE), ("distilbert", MASKED, MASKED_PREMISE)],
)
def test_every_candidate_has_the_probability_of_its_tokens(name, probe, premise):
    """Also the long one, of more tokens than `slot_top_words` gives masks by default."""
    scorer = model(name)
    todo = [ClosedProbe(probe, premise, number) for number in (1, 0)]
    for answer, words in zip(slot_candidates(scorer, todo, [SHORT, LONG]), (LONG, SHORT), strict=True):
        assert sorted(answer.words.word_ids) == [*range(len(words.words))]
        assert answer.words.logprobs.tolist() == sorted(answer.words.logprobs, reverse=True)
        for values, asked in ((answer.words.logprobs, probe), (answer.premise, premise)):
            expected = sums(scorer, asked, words)[answer.words.word_ids]
            np.testing.assert_allclose(values, expected, rtol=0, atol=1e-4)


def test_a_premise_of_several_probes_is_read_once():
    scorer = bigram_model({"a": {"bird": 0.5, "robin": 0.5}, "is": {"bird": 0.25, "robin": 0.75}})
    premise, words = SlotProbe("p", (Variant("is [V]"),)), WordList(("bird", "robin"))
    probes = [SlotProbe(text, (Variant(f"{text} [V]"),)) for text in ("a", "a a")]
    first, second = slot_candidates(scorer, [ClosedProbe(probe, premise, 0) for probe in probes], [words])
    assert scorer.inputs == 3 * 3  # three texts, alone and with either word after them
    for answer in (first, second):
        np.testing.assert_allclose(np.exp(answer.premise[np.argsort(answer.words.word_ids)]), [0.25, 0.75], atol=1e-5)


def test_words_that_cannot_be_spelled_are_named_and_left_out(caplog):
    scorer = bigram_model({"[UNK]": {"a": 1.0}, "a": {"bird": 1.0}})
    scorer.encoder.tokenizer.unk_token = "[UNK]"
    assert unspellable(scorer.encoder, ["bird", "smörgåsbord"]) == ["smörgåsbord"]
    probe = SlotProbe("x", (Variant("a [V]"),))
    lists = [WordList(("smörgåsbord", "bird")), WordList(("smörgåsbord",))]
    some, none = slot_candidates(scorer, [ClosedProbe(probe, probe, 0), ClosedProbe(probe, None, 1)], lists)
    assert some.words.word_ids.tolist() == [1]
    assert none.words.word_ids.tolist() == []
    assert (none.words.outside, none.premise) == (1.0, None)
    assert not said(caplog)
