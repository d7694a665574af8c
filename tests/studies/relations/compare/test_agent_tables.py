"""What the kind of an agent, which its responses name, decides about its values."""

import re
from types import SimpleNamespace
from typing import get_args

import polars as pl
import pytest
from relprobe.studies.relations import agents
from relprobe.studies.relations.agents import agent_of, agent_tables
from relprobe.studies.relations.answer_spaces import LEFT_OUT, Ranking
from relprobe.studies.relations.lists import each_annotators_responses
from relprobe.studies.relations.method import Choices
from relprobe.studies.relations.responses import by_choice, kind_of, plain_answers, table
from relprobe.studies.relations.schemas import (
    ALTERNATIVES,
    ANSWERS,
    CONFIGURED,
    PAIRS,
    TOP_WORDS,
    UNDIVIDED,
    AnswerKind,
)

from tests.paths import ROOT
from tests.studies.relations.measure.test_metrics import GOLD, responses
from tests.studies.relations.measure.test_people import lists

TIED = responses(hol1_wall="x=building")
WRITTEN = lists(hol1_wall="building|x building")


def tables_of(kind, own):
    """The tables of an agent if ties count in its favour, beside the lists of two annotators."""
    agent = agent_of(plain_answers(kind, own), WRITTEN)
    none = pl.DataFrame(schema=ALTERNATIVES), pl.DataFrame(schema=PAIRS)
    return agent_tables(agent, GOLD, *none, Choices(ties="favourable", symmetry_k=(1,)))


@pytest.mark.parametrize(
    ("kind", "soundness", "compared"), [("ranking", 0.5, True), ("lists", 1.0, True), ("people", 1.0, False)]
)
def test_the_kind_says_whether_words_tie_and_who_is_compared_with_people(kind, soundness, compared):
    tables = tables_of(kind, TIED)
    assert tables.metrics.filter(metric="soundness")["value"].to_list() == [soundness]
    assert bool(tables.metrics.filter(metric="prototypicality").height) == compared
    assert tables.top_words.height == 2


def test_the_lists_of_each_annotator_are_measured_one_by_one():
    tables = tables_of("annotator", each_annotators_responses(WRITTEN))
    assert tables.metrics.filter(metric="soundness")["value"].to_list() == [0.5]
    assert tables.metrics.filter(metric="prototypicality").height == 1
    assert tables.top_words.height == 0


def test_the_kind_and_the_choices_are_read_as_they_were_written():
    left_out = pl.DataFrame([("hol1:wall", 1.0, 0.25)], schema=LEFT_OUT, orient="row")
    rankings = {CONFIGURED: Ranking(TIED, left_out), "answers: lexicon": Ranking(TIED, left_out)}
    answers = table(rankings)
    assert (answers.schema, kind_of(answers)) == (ANSWERS, "ranking")
    read = by_choice(answers)
    assert list(read) == list(rankings)
    assert read[CONFIGURED].responses.rows() == TIED.rows()
    assert read[CONFIGURED].left_out.rows() == left_out.rows()


def test_what_the_answers_of_a_model_leave_out_is_among_its_values_whatever_ranks_them():
    left_out = pl.DataFrame([("hol1:wall", 1.0, 0.25)], schema=LEFT_OUT, orient="row")
    other = left_out.with_columns(outside=pl.lit(0.5))
    agent = agent_of(table({CONFIGURED: Ranking(TIED, left_out), "answers: lexicon": Ranking(TIED, other)}), None)
    values = agent.measure(GOLD).metrics(Choices())
    assert values.filter(pl.col("metric").is_in(["no_word", "outside"])).select("metric", "value").rows() == [
        ("no_word", 1.0),
        ("outside", 0.25),
    ]
    ((name, reranked),) = agent.reranked()
    assert name == "answers: lexicon"
    assert reranked.measure(GOLD).metrics(Choices()).filter(metric="outside")["value"].to_list() == [0.5]


def test_the_best_words_of_a_model_have_their_probabilities_whatever_number_ranks_them():
    left_out = pl.DataFrame([("hol1:wall", 1.0, 0.25)], schema=LEFT_OUT, orient="row")
    by_ratio, likely = responses(hol1_wall="building x"), responses(hol1_wall="x building")
    none = pl.DataFrame(schema=ALTERNATIVES), pl.DataFrame(schema=PAIRS)
    for other, weights in ((UNDIVIDED, [0.5, 1.0]), ("answers: lexicon", [1.0, 0.5])):
        rankings = {CONFIGURED: Ranking(by_ratio, left_out), other: Ranking(likely, left_out)}
        words = agent_tables(agent_of(table(rankings), None), GOLD, *none, Choices()).top_words
        assert words.schema == TOP_WORDS
        assert words["word"].to_list() == ["building", "x"]
        assert words["weight"].to_list() == weights


def test_words_tie_where_they_are_as_many_peoples_at_the_top():
    """The choice of ties then changes the values; ties below the first word change them as little as those of models."""
    tied = {
        text: agent_of(plain_answers("people", responses(hol1_wall=text)), None)
        for text in ("x=building", "x building=y", "x")
    }
    assert {text: agent.measure(GOLD).tied for text, agent in tied.items()} == {
        "x=building": True,
        "x building=y": False,
        "x": False,
    }
    assert not agent_of(plain_answers("ranking", TIED), None).measure(GOLD).tied


def test_answers_of_a_choice_that_stand_apart_are_read_together():
    parts = [plain_answers("ranking", TIED).with_columns(choice=pl.lit(choice)) for choice in ("a", "b", "a")]
    read = by_choice(pl.concat(parts))
    assert {name: ranking.responses.height for name, ranking in read.items()} == {
        "a": 2 * TIED.height,
        "b": TIED.height,
    }


def test_an_agent_without_any_answer_has_an_empty_ranking_as_it_is_configured():
    read = by_choice(plain_answers("ranking", TIED).clear())
    assert {name: (ranking.responses.height, ranking.left_out.height) for name, ranking in read.items()} == {
        CONFIGURED: (0, 0)
    }


def test_the_page_of_the_study_lists_every_kind():
    page = (ROOT / "docs/studies/relations.md").read_text("utf-8").partition("| `kind` |")[2].partition("\n\n")[0]
    assert re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE) == list(get_args(AnswerKind))


def test_an_agent_whose_lists_are_unreadable_has_the_tables_of_others_without_rows(monkeypatch):
    rows = pl.DataFrame({"x": [1]})
    made = agents.AgentTables(rows, rows, {"a": rows, "b": rows})
    monkeypatch.setattr(agents, "agent_of", lambda responses, lists: responses)
    monkeypatch.setattr(agents, "agent_tables", lambda *given: made)
    reference = SimpleNamespace(lists=None, alternatives=None, pairs=None)
    for kind, rows_left in (("model", 1), ("unreadable", 0)):
        found = agents.agent_metrics(SimpleNamespace(kind=kind), None, reference, None)
        assert (found.metrics.height, found.top_words.height) == (rows_left, 1)
        assert {name: table.height for name, table in found.by_agent.items()} == {"a": rows_left, "b": rows_left}
