"""Scores of words by a model of bigrams, what an earlier run has stored of them, and the effects of choices."""

import math
from dataclasses import replace

import polars as pl
import pytest
from relprobe.lm.loading.example import bigram_model
from relprobe.lm.requests import Continuation
from relprobe.lm.score_files.parts import write_in_parts
from relprobe.stats import sensitivity as settings
from relprobe.studies.definitions.ask.requests import PROBES, SCORES
from relprobe.studies.definitions.ask.scores import answer, question, single_words, table, word_table
from relprobe.studies.definitions.compare import sensitivity
from relprobe.studies.definitions.measure.responses import Choices, of_pairs, ranked
from relprobe.studies.definitions.schemas import GROUPS, SENSITIVITY

from tests.studies.definitions.about import properties

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


# Sensitivity. One group of two words: the right one ("a") has the better first token, and the worse product.


def effects(**options):
    probes = pl.DataFrame(
        [("noun:0", "noun", "A", ["a", "b"], 4), ("noun:1", "noun", "B", ["a"], 1)], schema=PROBES, orient="row"
    )
    groups = pl.DataFrame([("goose.n.01", "noun", "a", "A", 4, "f", [0, 2], [0, 1])], schema=GROUPS, orient="row")
    scores = pl.DataFrame(
        [
            ("noun:0", "is", [-4.0, -3.0], [-1.0, -3.0], [4, 1], [-5.0, -6.0], 2),
            ("noun:1", "is", [-4.0], [-1.0], [4], [-4.5], 1),
        ],
        schema=SCORES,
        orient="row",
    )
    choices = Choices(**options)
    responses = ranked(of_pairs(scores, masked=False, choices=choices), groups, probes)
    known = properties({"uses": None, "joined": 500.0, "leak": "names"})
    rows = [
        *sensitivity.of_agent(responses, known, choices),
        *sensitivity.of_model(scores, groups, probes, known, choices, masked=False),
    ]
    result = settings.table([row | {"agent": "gpt2"} for row in rows], SENSITIVITY)
    return {
        (row["choice"], row["other"], row["metric"], row["condition"]): (
            row["value"],
            row["other_value"],
            row["groups"],
        )
        for row in result.iter_rows(named=True)
    }


def test_other_readings_of_stored_scores_have_their_effect():
    found = effects()
    read = {key[1]: values[:2] for key, values in found.items() if key[0] == sensitivity.READ and key[2] == "D2W P@1"}
    assert read == {
        "all tokens": (1, 0),  # -4 is below -3
        "the mean token": (1, 1),  # -1 is above -3
        "all tokens and the word's end": (1, 1),  # -5 is above -6
    }
    assert not any(key[0] == sensitivity.PATTERNS[0] for key in found)  # there is one pattern


def test_ties_leaks_and_phrases_have_theirs():
    found = effects()
    # W2D: both definitions have -4, so that the right one is first in one of two orders.
    assert found["equal scores", "mean over all orders", "W2D P@1", "noun"][1] == 1 / 2
    assert found["definitions that tell their word", "are left out", "D2W P@1", "noun"] == (1, None, 1)
    phrases = {
        key[3]: values for key, values in found.items() if key[0] == "frequency of a phrase" and key[2] == "D2W P@1"
    }
    assert phrases == {"noun, unknown": (1, None, 1), "noun, frequent": (None, 1, 0)}


def test_tables_of_agents_are_put_together_by_choice():
    one, two = (settings.table([], SENSITIVITY) for _ in "ab")
    assert sensitivity.united([one, two]).is_empty()
