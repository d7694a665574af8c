"""The choices of a model that only chats beside those of people."""

from types import SimpleNamespace

import polars as pl
import pytest
from relprobe.studies.degrees import chat, scoring
from relprobe.studies.degrees.agents import task_metrics
from relprobe.studies.degrees.analyses.answers import option_positions, reply_counts
from relprobe.studies.degrees.chat import answer_values, choice_values, reply_choices, unreadable
from relprobe.studies.degrees.method import gold
from relprobe.studies.degrees.method import questions as peoples_questions
from relprobe.studies.degrees.schemas import MAXDIFF_ANSWERS, QUESTIONS
from relprobe.studies.unreadable import MOST_UNREADABLE

from tests.studies.degrees.ask.test_replies import by_name, replied


def test_several_orders_have_the_mean(relations):
    def first_place(_, shown):
        return f"most: {shown[0]}\nleast: {shown[1]}"

    choices = reply_choices(replied(relations, first_place, 24), relations, orders=24)
    rows = option_positions({"chatty": choices})
    assert rows["most"].to_list() == [1, 0, 0, 0]
    assert rows["least"].to_list() == [0, 1, 0, 0]
    assert set(rows["orders"]) == {24}
    values = choice_values(choices, gold(relations), peoples_questions(relations), agent="chatty maxdiff")
    people = peoples_questions(relations).group_by("subcategory", maintain_order=True)
    expected = {name: 100 * rows["most"].list.len().mean() / 4 for (name,), rows in people}
    most = dict(values.filter(metric="most").select("unit", "value").iter_rows())
    assert most == pytest.approx(expected)


def test_the_shares_of_a_place_are_those_of_all_answers():
    pairs, choices = ["a:b", "c:d", "e:f", "g:h"], ["a:b", "a:b", "a:b", "c:d"]
    table = pl.DataFrame({"shown": [pairs, pairs[::-1]] * 2, "order": [0, 1, 0, 1], "most": choices, "least": "g:h"})
    rows = option_positions({"chatty": table})
    # a:b stands first in the orders 0 and last in the others; of the four answers two, one and one name a pair so.
    assert rows["most"].to_list() == [2 / 4, 0, 1 / 4, 1 / 4]
    assert rows["least"].to_list() == [2 / 4, 0, 0, 2 / 4]
    assert rows.select("place", "orders", "answers").rows() == [(place, 2, 4) for place in (1, 2, 3, 4)]


def test_an_agent_whose_answers_cannot_be_read_has_no_value_but_a_reason(relations):
    texts = iter(["no idea", by_name("", ["a:b", "c:d"])] * 10**4)
    choices = reply_choices(replied(relations, lambda *_: next(texts)), relations)
    assert (choices["most"] == "").mean() > MOST_UNREADABLE
    measured = choice_values(choices, gold(relations), peoples_questions(relations), agent="chatty maxdiff")
    assert measured.is_empty()
    assert "of its answers do not name the two pairs (more than 20 %)" in reply_counts({"chatty": choices})["note"][0]


def test_the_counts_of_answers_in_full():
    """Two questions in two orders; one answer lacks its most illustrative pair, and one both."""
    rows = [
        ("1a", ["a:b"], "a:b", "c:d"),
        ("1a", ["a:b"], "a:b", ""),
        ("1b", ["a:b"], "a:b", "c:d"),
        ("1b", ["a:b"], "", ""),
    ]
    table = pl.DataFrame(rows, schema=["subcategory", "pairs", "least", "most"], orient="row")
    assert unreadable(table) == 0.5
    assert unreadable(table.clear()) == 0.0
    (row,) = reply_counts({"chatty": table}).to_dicts()
    assert {name: row[name] for name in ("agent", "questions", "answers", "unreadable")} == {
        **{"agent": "chatty maxdiff", "questions": 2, "answers": 4, "unreadable": 0.5}
    }
    assert row["note"].startswith("no value, as 50 %")
    assert reply_counts({"chatty": table.head(1)})["note"].to_list() == [None]


def test_answers_are_measured_in_percent_of_the_questions_that_people_answered():
    """Two of three least and one of three most are right; the third shows a reversed pair, and a fourth nobody answered."""
    shown = [["a:b", "c:d"], ["e:f", "g:h"], ["b:a", "c:d"], ["i:j", "k:l"]]
    given = [("1a", shown[0], "a:b", "c:d"), ("1a", shown[1], "e:f", "e:f"), ("1a", shown[2], "", "")]
    answers = pl.DataFrame([*given, ("1a", shown[3], "i:j", "k:l")], schema=MAXDIFF_ANSWERS, orient="row")
    people = pl.DataFrame(
        [("1a", pairs, [pairs[0]], [pairs[1]], 5) for pairs in shown[:3]], schema=QUESTIONS, orient="row"
    )
    found = answer_values(answers, people, {"1a": ["b:a"]})
    assert found.rows() == [
        ("least", "1a", "1a", pytest.approx(200 / 3)),
        ("most", "1a", "1a", pytest.approx(100 / 3)),
        ("maxdiff", "1a", "1a", pytest.approx(50)),
        ("maxdiff_without_reversals", "1a", "1a", pytest.approx(75)),
    ]
    turned = answer_values(answers[2:3], people, {"1a": ["b:a"]})
    assert turned["metric"].to_list() == ["least", "most", "maxdiff"]


def test_questions_are_asked_and_read_in_one_order_if_no_more_are_asked_for(relations, monkeypatch):
    monkeypatch.setattr(
        chat, "interview", lambda model, study, asked, tokens: (study, [one.id for one in asked], tokens)
    )
    monkeypatch.setattr(scoring, "write_replies", lambda kind, model, asked, tokens, samples: [one.id for one in asked])
    model = SimpleNamespace(conversation={"maxdiff": "[OPTIONS]"})
    asked = {orders: [one.id for one in chat.questions(relations, "[OPTIONS]", orders)] for orders in (1, 2)}
    assert chat.replies(model, relations) == ("degrees", asked[1], 48)
    assert chat.replies(model, relations, orders=2)[1] == asked[2]
    assert scoring.writing(model, relations) == asked[1]
    assert scoring.writing(model, relations, orders=2) == asked[2]
    once = replied(relations, by_name)
    assert reply_choices(once, relations).equals(reply_choices(once, relations, orders=1))
    with pytest.raises(KeyError):
        reply_choices(replied(relations, by_name, 2), relations)


def test_a_refusal_is_no_choice_and_the_step_measures_what_can_be_read(relations):
    """In the order of the questions; the training subcategories have their own condition."""
    people = gold(relations), peoples_questions(relations)
    replies = replied(relations, by_name)
    found = task_metrics(replies, relations, *people, model="chatty")
    assert found.reply_choices.equals(reply_choices(replies, relations))
    assert found.metrics.equals(choice_values(found.reply_choices, *people, agent="chatty maxdiff"))
    conditions = dict(found.metrics.select("unit", "condition").iter_rows())
    assert conditions == {one.id: "training" if one.training else one.relation_class for one in relations}
    assert set(found.by_agent) == {"sensitivity"}
    refused = reply_choices(replies.with_columns(outcome=pl.lit("refusal")), relations)
    assert set(refused["least"]) == set(refused["most"]) == {""}
