"""Scores of words by a model of bigrams, and what an earlier run has stored of them."""

import math
from dataclasses import replace

import polars as pl
import pytest
from relprobe.lm.loading.example import bigram_model
from relprobe.lm.requests import Continuation
from relprobe.lm.score_files.parts import write_in_parts
from relprobe.studies.definitions.schemas import SCORES
from relprobe.studies.definitions.scoring import answer, question, single_words, table, word_table

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
