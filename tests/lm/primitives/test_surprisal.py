"""The surprisal of words is that of `wordsprobability`, and that of the plain forward."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
import wordsprobability.main
from relprobe.core.errors import ProbeError
from relprobe.library.model import Model
from relprobe.lm.loading.example import bigram_model
from relprobe.lm.primitives.surprisal import _owners, surprisals
from relprobe.lm.requests import SpanText
from relprobe.lm.words.boundary import boundary_ids, space_ids

from tests.lm import naive
from tests.lm.architectures import model, network
from tests.lm.primitives.test_encoder_decoder import model as encoder_decoder
from tests.lm.primitives.test_wordsprobability import SmallGpt2

TEXTS = [
    "a robin is a kind of bird, isn't it?",
    "the word hippopotamus has a more specific meaning than the word (car).",
    "ice cream melts",
    "it is not likely",
]
CLOSE = {"rtol": 0, "atol": 1e-4}


def plain(name, ids, start, stop, ends, first):
    """Return the surprisal of the tokens from `start` to `stop` of an input, and its correction, from one forward."""
    table = naive.logprobs(network(name), ids)
    tokens = -sum(table[i - 1, ids[i]].item() for i in range(start, stop))
    boundary = [-table[i, list(ends)].logsumexp(0).item() for i in (start - 1, stop - 1)]
    return tokens, boundary[1] - (0 if first or ids[start] not in ends else boundary[0])


@pytest.mark.parametrize("name", ["llama", "smollm2"])
def test_words_between_spaces(name):
    table = Model(model(name)).words(TEXTS)
    for i, text in enumerate(TEXTS):
        words = text.split()
        tokenizer = model(name).encoder.tokenizer
        ids, start = tokenizer(text).input_ids, len(tokenizer("").input_ids)
        rows = table.filter(id=i)
        assert rows["word"].to_list() == words
        assert (
            "".join("".join(tokens) for tokens in rows["tokens"]).replace("Ġ", "▁").strip("▁").replace("▁", " ") == text
        )
        for place, row in enumerate(rows.iter_rows(named=True)):
            stop = start + len(row["tokens"])
            if start:
                nats, correction = plain(name, ids, start, stop, space_ids(tokenizer), place == 0)
                assert row["correction"] == pytest.approx(correction, abs=1e-4)
                assert row["nats"] == pytest.approx(nats + correction, abs=1e-4)
                assert row["bits"] == pytest.approx((nats + correction) / np.log(2), abs=1e-4)
            else:
                assert row["nats"] is None
            start = stop
        assert start == len(ids)


def test_the_words_of_wordsprobability(monkeypatch):
    """With its boundaries, a space and the end of a text, which have neither tabs and new lines nor other special tokens.

    The first word of a text differs: there they also count that it begins without a space (`bos_fix`).
    """
    gpt2 = model("gpt2")
    scorer = replace(gpt2, encoder=replace(gpt2.encoder, before=(gpt2.encoder.tokenizer.bos_token_id,)))
    reference = SmallGpt2()
    boundary = (reference.vocab_masks["bow"] + reference.vocab_masks["eos"]).nonzero()[:, 0]
    assert set(boundary.tolist()) < set(space_ids(gpt2.encoder.tokenizer))
    monkeypatch.setattr("relprobe.lm.primitives.surprisal.space_ids", lambda _: boundary.tolist())
    monkeypatch.setattr(wordsprobability.main, "get_bow_symbol", lambda _: "Ġ")
    for text in TEXTS:
        results, _ = reference.get_predictions(text)
        theirs = wordsprobability.main.agg_surprisal_per_word(pd.DataFrame(results).assign(text_id=0), "gpt2")
        ours = Model(scorer).words(text)
        assert ours["word"].to_list() == theirs["word"].to_list()
        np.testing.assert_allclose(ours["nats"][1:], theirs["surprisal"][1:].astype(float), **CLOSE)
        first = float(theirs["surprisal"].iloc[0]) + float(results["bos_fix"][0])
        assert ours["nats"][0] == pytest.approx(first, abs=1e-4)


def test_spans_leave_punctuation_out_and_end_there():
    scorer = model("smollm2")
    text = "the car, a bicycle"
    ids = scorer.encoder.tokenizer(text).input_ids
    response = next(surprisals(scorer, [SpanText("x", text, ((4, 7), (7, 8)))], by_spaces=False))
    stop = len(scorer.encoder.tokenizer("the car").input_ids)
    start = len(scorer.encoder.tokenizer("the").input_ids)
    nats, correction = plain("smollm2", ids, start, stop, boundary_ids(scorer.encoder.tokenizer), first=False)
    np.testing.assert_allclose((response.nats[0], response.correction[0]), (nats + correction, correction), **CLOSE)
    assert [len(one) for one in response.token_ids] == [stop - start, 1]
    without, spaces = (
        next(surprisals(scorer, [SpanText("x", text, ((4, 7),))], **by)) for by in ({}, {"by_spaces": True})
    )
    assert without.nats == spaces.nats != response.nats[:1]


@pytest.mark.parametrize(("make", "name"), [(model, "bert"), (encoder_decoder, "t5")], ids=["bert", "t5"])
def test_models_that_read_on_both_sides_have_no_correction(make, name):
    one = Model(make(name))
    words, sentence = one.words(TEXTS[1]), one.sentences(TEXTS[1], masking="within_word_l2r")
    assert words["correction"].to_list() == [0] * len(words)
    assert words["nats"].sum() == pytest.approx(-sentence["logprob"][0], abs=1e-3)
    assert sum(map(len, words["tokens"])) == len(sentence["tokens"][0])


def test_a_span_that_divides_a_token_is_named():
    text = "a robin"
    with pytest.raises(ProbeError, match="stands across the edge of a word"):
        next(surprisals(model("gpt2"), [SpanText("x", text, ((2, 4),))]))
    with pytest.raises(ProbeError, match="covers no token"):
        next(surprisals(model("gpt2"), [SpanText("x", text, ((1, 2),))]))
    with pytest.raises(ProbeError, match="1 lists of spans for 2 texts"):
        Model(model("gpt2")).words(["a", "b"], [[(0, 1)]])


def test_white_space_belongs_to_the_word_after_it():
    """The blanks are tokens of their own. After the last word, there is none."""
    text = SpanText("x", "a  robin  sings ", ((0, 1), (3, 8), (10, 15)))
    spans = np.array([(0, 1), (1, 3), (3, 8), (8, 10), (10, 15), (15, 16)])
    assert _owners(text, SimpleNamespace(spans=spans), slice(None)) == [0, 1, 1, 2, 2, -1]
    assert _owners(text, SimpleNamespace(spans=spans), slice(0, 5)) == [0, 1, 1, 2, 2]


ROBIN = {"a": {"robin": 0.25, "bird": 0.75}, "robin": {"sings": 0.5, "a": 0.5}}


def test_tokens_outside_the_spans_count_for_no_word():
    """The tokens before, between and after the spans: "a", the second "a" and "bird"."""
    text = "a robin a robin sings bird"
    response = next(surprisals(bigram_model(ROBIN), [SpanText("x", text, ((2, 7), (16, 21)))]))
    assert response.nats == pytest.approx([-np.log(0.25), -np.log(0.5)])
    assert [ids.tolist() for ids in response.token_ids] == [[1], [3]]


def test_boundaries_that_the_network_has_no_row_for_are_left_out(monkeypatch):
    """A tokenizer may have more tokens than the network, as those that were added to it."""
    model, text = bigram_model(ROBIN), SpanText("x", "a robin sings", ((2, 7),))
    for boundary in ([0, 3], [0, 3, 4, 5]):
        monkeypatch.setattr("relprobe.lm.primitives.surprisal.boundary_ids", lambda _, ids=boundary: ids)
        response = next(surprisals(model, [text], by_spaces=False))
        assert response.correction == pytest.approx([-np.log(0.5 + 0.5)], abs=1e-5)
