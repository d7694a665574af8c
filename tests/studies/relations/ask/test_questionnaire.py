from collections import Counter

import polars as pl
from relprobe.sources.human_responses import read
from relprobe.studies.relations.ask.probes import probes
from relprobe.studies.relations.ask.prompts import Prompt
from relprobe.studies.relations.ask.questionnaire import form

from tests.studies.relations.data.test_build import gold
from tests.studies.relations.six import ONE, SIX

ASKED = [Prompt("kind", "HYP", "[DET] [W] is a kind of [DET] [V]", ""), Prompt("not", "ANT", "[W], not [V]", "")]
MAIN = probes(gold("owl HYP bird", "robin HYP bird", "night ANT day", "day ANT night"), ASKED, ONE, SIX)


def test_everybody_is_asked_each_main_probe_once_in_an_order_of_their_own():
    table = form(MAIN, ASKED, participants=3, words=2)
    orders = [tuple(table.filter(participant=name, rank=1)["question"]) for name in "123"]
    assert {frozenset(order) for order in orders} == {
        frozenset({"an owl is a kind of ___", "a robin is a kind of ___", "night, not ___", "day, not ___"})
    }
    assert len(set(orders)) > 1
    assert table.height == 3 * 4 * 2
    assert set(table["answer"]) == {""}


def test_the_same_seed_gives_the_same_form():
    assert form(MAIN, ASKED, participants=2, words=2, seed=5).equals(form(MAIN, ASKED, participants=2, words=2, seed=5))
    assert not form(MAIN, ASKED, participants=2, words=2, seed=5).equals(
        form(MAIN, ASKED, participants=2, words=2, seed=6)
    )


def test_probes_are_dealt_out_evenly():
    table = form(MAIN, ASKED, participants=6, words=1, each=2)
    assert set(Counter(table["participant"]).values()) == {2}
    assert set(Counter(table.select("target", "prompt").rows()).values()) == {3}
    assert table.select("participant", "target", "prompt").n_unique() == table.height


def test_a_filled_form_is_a_file_of_answers(tmp_path):
    table = form(MAIN, ASKED, participants=1, words=1).with_columns(answer=pl.lit("x"))
    table.write_csv(tmp_path / "form.csv")
    answers = read(tmp_path / "form.csv", SIX.answer_keys)
    assert set(answers["target"]) == {"owl", "robin", "night", "day"}
    assert set(answers["prompt"]) == {"kind", "not"}


def test_a_study_without_main_probes_has_an_empty_form():
    assert form(MAIN.clear(), ASKED, participants=2, words=2).is_empty()
