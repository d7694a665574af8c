"""The words that agents answered to probes that are shown."""

import polars as pl
import pytest
from relprobe.core.errors import ConfigError
from relprobe.studies.relations.analyses.top_words import TABLES, best_words_table, default_probes
from relprobe.studies.relations.results import Settings

from tests.studies.relations.about import results
from tests.studies.relations.measure.test_metrics import GOLD, PROBES
from tests.studies.relations.measure.test_top_words import WORDS
from tests.studies.relations.six import ENGLISH, SIX


def test_a_row_per_agent_with_the_relation_behind_the_word():
    table = best_words_table(WORDS, PROBES, ["hyp1:robin"])
    assert table.rows() == [
        ("robin [V]", "HYP", "m", "bird (HYP)", "wing (MER)", "x"),
        ("robin [V]", "HYP", "n", "x", None, None),
    ]


def test_an_agent_that_did_not_answer_has_no_words():
    assert best_words_table(WORDS, PROBES, ["ant1:night"]).rows() == [
        ("night [V]", "ANT", "m", "day (ANT)", None, None),
        ("night [V]", "ANT", "n", None, None, None),
    ]


def test_unless_said_otherwise_a_probe_of_each_relation_is_shown():
    assert default_probes(WORDS, PROBES, relations=SIX, language="en") == ["hyp1:robin", "ant1:night"]


def test_the_columns_are_the_ranks_and_the_probes_in_the_order_of_the_relations():
    assert best_words_table(WORDS, PROBES, ["hyp1:robin"]).columns == [
        "probe",
        "prompted",
        "agent",
        "top_1",
        "top_2",
        "top_3",
    ]
    reverse = PROBES.reverse()
    words = {name: table.reverse() for name, table in WORDS.items()}
    assert default_probes(words, reverse, relations=SIX, language="en") == ["hyp1:robin", "ant1:night"]


def test_a_probe_that_is_not_asked_is_named():
    with pytest.raises(ConfigError, match=r"shown_probes names 'hyp1:bird', but the study asks no such probe"):
        best_words_table(WORDS, PROBES, ["hyp1:robin", "hyp1:bird"])


def test_probes_are_shown_in_the_order_given():
    table = best_words_table(WORDS, PROBES, ["ant1:night", "hyp1:robin"])
    assert table["probe"].to_list() == ["night [V]", "night [V]", "robin [V]", "robin [V]"]


def test_the_shown_probe_is_one_that_most_have_answered_of_the_most_frequent_target_and_the_first_by_name():
    """All have answered b, c and d; d is about a rare word, and b and c are about the same one."""
    targets = {"e": "time", "c": "time", "b": "time", "d": "hippogriff", "a": "time"}
    rows = [(probe, "HYP", target, "main") for probe, target in targets.items()] + [("trick", "HYP", "time", "trick")]
    asked = pl.DataFrame(rows, schema=["probe_id", "relation", "target", "kind"], orient="row")
    words = {name: pl.DataFrame({"probe_id": [*ids]}) for name, ids in {"m": "ddcb", "n": "bcde"}.items()}
    words["m"] = pl.concat([words["m"], pl.DataFrame({"probe_id": ["trick"] * 2})])
    words["n"] = pl.concat([words["n"], pl.DataFrame({"probe_id": ["trick"]})])
    assert default_probes(words, asked, relations=SIX, language="en") == ["b"]


def test_a_run_shows_the_probes_that_it_names_or_one_of_each_relation():
    def shown(**settings):
        run = results(gold=GOLD, top_words=WORDS, language=ENGLISH, settings=Settings(**settings))
        return TABLES["top_words"](run)["probe"].unique(maintain_order=True).to_list()

    assert shown(shown=["ant1:night"]) == ["night [V]"]
    assert shown() == shown(shown=[]) == ["robin [V]", "night [V]"]
