"""Scores of words by a model of bigrams, and what an earlier run has stored of them."""

import math
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import polars as pl
import pytest
from relprobe.core.files import write_table
from relprobe.lm.loading.example import bigram_model
from relprobe.lm.primitives.continuation import ContinuationResponse, continuation_logprob
from relprobe.lm.requests import Continuation
from relprobe.lm.score_files.parts import write_in_parts
from relprobe.studies.definitions import scoring
from relprobe.studies.definitions.schemas import PROBES, SCORES
from relprobe.studies.definitions.scoring import (
    answer,
    inputs,
    log_inputs,
    question,
    scores,
    single_words,
    table,
    word_table,
)

REQUEST = Continuation("noun:0 is", "a [V]", ("wheel", "steering wheel"))
BIGRAMS = {"a": {"steering": 0.5, "wheel": 0.5}, "steering": {"wheel": 1}}


def rows_of(request, **options):
    values = list(answer(bigram_model(BIGRAMS), single_words(request), **options))
    return pl.from_arrow(table(word_table(values), [request]))


def test_a_row_has_the_values_of_every_word():
    rows = rows_of(REQUEST)
    assert dict(rows.schema) == dict(SCORES)
    row = rows.row(0, named=True)
    assert row["logprobs"] == pytest.approx([math.log(0.5), math.log(0.5)])
    assert (row["tokens"], row["whole"], row["inputs"]) == ([1, 2], None, 2)


def test_a_word_that_the_model_cannot_write_has_no_value():
    row = rows_of(replace(REQUEST, candidates=("wheel", "", "steering wheel"))).row(0, named=True)
    assert (row["tokens"], row["logprobs"][1], row["inputs"]) == ([1, None, 2], None, 2)
    assert rows_of(replace(REQUEST, candidates=("",))).row(0, named=True)["inputs"] == 0


def scored(path, rows, asked):
    """Write the scores of (number, definition, words) as the step does; the words that were asked go into `asked`."""
    model = bigram_model(BIGRAMS)

    def remembered(words):
        words = list(words)
        asked.extend((one.text, one.candidates[0]) for one in words)
        return answer(model, words)

    requests = [Continuation(f"noun:{number} is", f"{text} [V]", words) for number, text, words in rows]
    write_in_parts(
        requests, remembered, word_table, {}, path, 2, key=question, split=single_words, join=table, reuse=True
    )
    return pl.read_parquet(path)


def test_a_larger_sample_asks_only_the_words_that_are_new(tmp_path):
    """The definition has another number, and new words stand before and after the old ones."""
    path, first, second = tmp_path / "s.parquet", [], []
    few = scored(path, [(0, "a", ("wheel", "steering"))], first)
    rows = [(0, "steering", ("wheel",)), (1, "a", ("steering wheel", "steering", "wheel", "zebra"))]
    more = scored(path, rows, second)
    assert first == [("a [V]", "wheel"), ("a [V]", "steering")]
    assert second == [("steering [V]", "wheel"), ("a [V]", "steering wheel"), ("a [V]", "zebra")]
    assert more["logprobs"][1].to_list()[1:3] == few["logprobs"][0].to_list()[::-1]
    fresh = scored(tmp_path / "fresh.parquet", rows, [])
    assert more.drop("inputs").equals(fresh.drop("inputs"))


def test_no_probes_make_an_empty_file(tmp_path):
    assert dict(scored(tmp_path / "s.parquet", [], []).schema) == dict(SCORES)


def test_how_likely_words_end_is_asked_of_a_causal_model_alone():
    """After "a" stands "wheel" half the time; what follows "steering" is always "wheel", so that it never ends there."""
    (row,) = rows_of(replace(REQUEST, candidates=("wheel", "", "steering wheel")), ends=True).rows(named=True)
    (whole,) = [
        one.sums().tolist() for one in continuation_logprob(bigram_model(BIGRAMS), [REQUEST], word_boundary=True)
    ]
    assert row["whole"] == [pytest.approx(whole[0]), None, pytest.approx(whole[1])]
    assert rows_of(replace(REQUEST, candidates=("",)), ends=True).row(0, named=True)["whole"] == [None]
    assert rows_of(replace(REQUEST, candidates=("",))).row(0, named=True)["whole"] == [None]


def test_the_end_of_a_word_is_asked_with_its_boundary_and_only_if_it_is_asked(monkeypatch):
    asked = []

    def spy(model, requests, **options):
        asked.append(options)
        return continuation_logprob(model, requests, **options)

    monkeypatch.setattr(scoring, "continuation_logprob", spy)
    rows_of(REQUEST)
    assert asked == [{}]
    rows_of(REQUEST, ends=True)
    assert asked == [{}, {}, {"word_boundary": True}]


def test_words_that_share_an_input_are_counted_once():
    """A causal model reads all tokens but the last; a masked one reads masks, of which there are two lengths here."""
    ids = tuple(np.array(word, np.int32) for word in ([7], [8], [5, 7], [5, 8], [6, 8]))
    response = ContinuationResponse("x", ids, ids)
    assert (inputs(response, masked=False), inputs(response, masked=True)) == (3, 2)


def test_words_that_cannot_be_written_are_named_once(caplog):
    rows_of(replace(REQUEST, candidates=("wheel", "")))
    assert "cannot write, and that therefore come last: ''" in caplog.text
    caplog.clear()
    rows_of(REQUEST)
    assert not caplog.text
    letters = "hgfedcba"
    scoring._warn([(replace(REQUEST, candidates=tuple(letters)), [False] * len(letters))])
    assert f"come last: {', '.join(map(repr, sorted(letters)))}" in caplog.text


def test_the_log_says_how_many_inputs_answer_the_questions(tmp_path, caplog):
    caplog.set_level("INFO", logger="relprobe")
    for counted in ([1000, 250], []):
        pl.DataFrame({"inputs": counted}, schema={"inputs": pl.Int64}).write_parquet(tmp_path / "s.parquet")
        log_inputs(tmp_path / "s.parquet", 2500)
    assert [record.getMessage() for record in caplog.records] == [
        "1,250 model inputs answered 2,500 questions, 2.0 times fewer",
        "0 model inputs answered 2,500 questions",
    ]


@pytest.mark.parametrize(
    ("kind", "word_boundary", "texts", "depends_on"),
    [
        ("causal", False, ["[V] is a bird"], None),
        ("causal", True, ["[V] is a bird"], {"ends": True}),
        ("masked", True, ["[V] means a bird"], None),
        ("encoder-decoder", True, ["[V] means a bird"], {"ends": True}),
    ],
)
def test_each_type_of_model_has_its_patterns_and_only_some_say_where_words_end(
    tmp_path, kind, word_boundary, texts, depends_on
):
    probes = pl.DataFrame([("noun:0", "noun", "a bird", ["owl"], 3)], schema=PROBES, orient="row")
    write_table(probes, PROBES, tmp_path / "probes.parquet")
    patterns = {"causal": {"noun": {"is": "[V] is [DEF]"}}, "masked": {"noun": {"means": "[V] means [DEF]"}}}
    asked = scores(
        SimpleNamespace(type=kind), tmp_path / "probes.parquet", patterns, capitals=True, word_boundary=word_boundary
    )
    assert [request.text for request in asked.scoring.requests()] == texts
    assert [request.candidates for request in asked.scoring.requests()] == [("Owl",)]
    assert (asked.questions, asked.scoring.count, asked.scoring.depends_on) == (3, 1, depends_on)
    assert (asked.scoring.kind, asked.scoring.unread) == ("definitions words", ["inputs"])
    assert asked.scoring.answer.keywords == {"ends": depends_on is not None}


def test_each_definition_has_the_words_that_were_asked_with_it():
    """Of three requests, the second asks a word that cannot be written alone; all that follow keep their own values."""
    asked = [
        replace(REQUEST, candidates=("wheel", "steering wheel")),
        replace(REQUEST, id="noun:1 is", text="steering [V]", candidates=("",)),
        replace(REQUEST, id="noun:2 is", text="steering [V]", candidates=("", "wheel")),
    ]
    values = list(answer(bigram_model(BIGRAMS), [one for request in asked for one in single_words(request)]))
    rows = (
        pl.from_arrow(table(word_table(values), asked))
        .select("probe_id", "pattern", "logprobs", "first", "tokens", "inputs")
        .rows()
    )
    half = pytest.approx(math.log(0.5))
    assert rows[0] == ("noun:0", "is", [half, half], [half, half], [1, 2], 2)
    assert rows[1] == ("noun:1", "is", [None], [None], [None], 0)
    assert rows[2][:2] == ("noun:2", "is")
    assert rows[2][2] == rows[2][3] == [None, pytest.approx(0.0, abs=1e-6)]
    assert rows[2][4:] == ([None, 1], 1)


def test_the_first_token_of_a_word_is_its_own():
    """After "a" stands "steering" half the time, and after that "wheel" one time in four."""
    bigrams = {"a": {"steering": 0.5, "wheel": 0.5}, "steering": {"wheel": 0.25, "a": 0.75}}
    (value,) = answer(bigram_model(bigrams), single_words(replace(REQUEST, candidates=("steering wheel",))))
    assert (value.first, value.logprob) == (pytest.approx(math.log(0.5)), pytest.approx(math.log(0.125)))
    assert (value.tokens, value.whole, value.inputs) == (2, None, 1)
