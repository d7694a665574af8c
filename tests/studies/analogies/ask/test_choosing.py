"""The choice in words: what is shown, what is read, and what it makes of the unsupervised setting."""

import polars as pl
import pytest
from relprobe.core.errors import DataError
from relprobe.lm.participants.replies import ANSWER, REFUSAL, REPLIES
from relprobe.studies.analogies.ask.choosing import LINE, questions, reply_choices, sheets
from relprobe.studies.analogies.config import TASK
from relprobe.studies.analogies.measure.choices import places_of_agents, read_of_agents, reply_decisions
from relprobe.studies.analogies.measure.metrics import measured
from relprobe.studies.analogies.schemas import DECISIONS, INSTANCES, TUPLES
from relprobe.studies.conversations import read as read_lines

from tests.paths import ROOT

LINES = read_lines(ROOT / "resources/prompts/chat.yaml", "analogies")
ITALY, NORWAY, FRANCE = ("rome", "italy"), ("oslo", "norway"), ("paris", "france")


def instance(probe, query, right, wrong, draw=1, partition="test", instead_of=None):
    return ("E01", draw, partition, probe, *query, *right, *wrong, instead_of)


ROWS = [
    instance("reverse", FRANCE, ITALY, ("norway", "oslo")),
    instance("reverse", FRANCE, ITALY, ("norway", "oslo"), draw=2),  # the same choice in another draw
    instance("reverse", NORWAY, ITALY, ("france", "paris")),
    instance("type", FRANCE, NORWAY, ("oslo", "rome")),
    instance("type", ("hot", "cold"), NORWAY, ("oslo", "rome"), instead_of="paris : france"),
    instance("type", FRANCE, ITALY, ("rome", "oslo"), partition="train"),
]
CHOICES = pl.DataFrame(ROWS, schema=INSTANCES, orient="row")
ABOUT = ("E01", "capitals", "ES", 1, "test")
PAIRS = [(*ABOUT, *pair, [pair[1]], " : ".join(pair), "") for pair in (ITALY, NORWAY, FRANCE)]
TUPLES_OF_ROWS = pl.DataFrame(PAIRS, schema=TUPLES, orient="row")
TEST = ["test"]


def words(pair):
    return f"{pair[0]} is to {pair[1]}"


def replied(answer, orders=2, outcome=ANSWER):
    """The choices in replies to all questions. `answer`: of a sheet, the text."""
    rows = [
        {"question_id": one.id, "sample": 1, "outcome": outcome, "text": answer(one)}
        for one in sheets(CHOICES, TEST, orders)
    ]
    return reply_choices(pl.DataFrame(rows, schema=REPLIES), CHOICES, partitions=TEST, line=LINES[LINE], orders=orders)


def letter(one, pair):
    return "AB"[one.shown.index(pair)]


def decisions(choices):
    return reply_decisions(choices, CHOICES, partitions=TEST)


def test_the_words_of_a_question():
    first = questions(LINES, CHOICES, TEST, 2)[0]
    head = "paris is to france as:\n\n"
    foot = "\n\nAnswer with the letter of one pair and nothing else."
    either = ["A. rome is to italy\nB. norway is to oslo", "A. norway is to oslo\nB. rome is to italy"]
    assert first.text in [f"{head}{options}{foot}" for options in either]
    assert LINE == TASK


def test_a_choice_of_two_draws_is_asked_once_and_both_orders_are_all():
    shown = list(sheets(CHOICES, TEST, 4))
    assert len(shown) == 4 * 2  # four different choices of the test partition, in two orders
    assert len({one.id for one in shown}) == len(shown)
    assert {tuple(sorted(one.shown)) for one in shown if one.probe == "type"} == {(NORWAY, ("oslo", "rome"))}
    assert all(one.shown == other.shown[::-1] for one, other in zip(shown[::2], shown[1::2], strict=True))
    assert [one.shown for one in sheets(CHOICES, TEST, 1)] == [one.shown for one in shown[::2]]


def test_the_right_pair_stands_first_in_about_half_of_the_choices_that_are_shown_once():
    many = [instance("reverse", (f"q{n}", "x"), ITALY, ("norway", "oslo")) for n in range(400)]
    shown = list(sheets(pl.DataFrame(many, schema=INSTANCES, orient="row"), TEST, 1))
    first = sum(one.shown[0] == ITALY for one in shown)
    assert 160 < first < 240  # four standard deviations of 400 throws of a coin


def test_a_value_is_the_mean_over_the_orders_and_an_unreadable_answer_is_wrong():
    choices = replied(lambda one: letter(one, one.right))
    right = decisions(choices)
    assert right.schema == DECISIONS
    assert right["value"].to_list() == [1.0] * 5  # the instances of the test, with the choice of two draws twice
    assert right.filter(pl.col("instead_of").is_not_null())["query"].to_list() == ["hot : cold"]
    assert decisions(replied(lambda _: "A"))["value"].to_list() == [0.5] * 5
    lost = replied(lambda one: "?" if one.query == NORWAY and one.order == 2 else letter(one, one.right))
    assert decisions(pl.concat([lost, choices]))["value"].to_list() == [1.0, 1.0, 3 / 4, 1.0, 1.0]


def test_a_pair_may_be_named_by_its_words_and_not_by_those_of_another():
    assert replied(lambda one: words(one.right))["right"].all()
    assert replied(lambda one: f"{letter(one, one.wrong)}. {words(one.wrong)}")["choice"].to_list() == [
        f"{one.wrong[0]} : {one.wrong[1]}" for one in sheets(CHOICES, TEST, 2)
    ]
    assert set(replied(lambda one: f"{letter(one, one.right)}. {words(one.wrong)}")["choice"]) == {""}
    assert set(replied(lambda one: letter(one, one.right), outcome=REFUSAL)["choice"]) == {""}


def test_a_probe_that_cannot_be_read_has_no_value_but_a_reason():
    mute = replied(lambda _: "I do not know.")
    assert decisions(mute).is_empty()
    assert decisions(mute).schema == DECISIONS
    choices = replied(lambda one: "I do not know." if one.probe == "type" else "A")
    assert decisions(choices)["probe"].unique().to_list() == ["reverse"]
    table = read_of_agents({"chatty": choices})
    assert table.select("agent", "probe", "questions", "answers", "unreadable").rows() == [
        ("chatty", "reverse", 2, 4, 0.0),
        ("chatty", "type", 2, 4, 1.0),
    ]
    assert table["note"].to_list()[0] is None
    assert table["note"].to_list()[1].startswith("no value, as 100 % of its answers name no option")
    nothing = measured(decisions(mute), TUPLES_OF_ROWS)
    assert nothing.metrics.is_empty()
    assert nothing.unjudged.is_empty()


def test_what_the_place_of_a_pair_earns():
    assert places_of_agents({"chatty": replied(lambda _: "A")}).rows() == [
        ("chatty", "reverse", 1, 4, 1.0, 0.5),
        ("chatty", "reverse", 2, 4, 0.0, 0.5),
        ("chatty", "type", 1, 4, 1.0, 0.5),
        ("chatty", "type", 2, 4, 0.0, 0.5),
    ]


def test_the_agent_has_a_row_per_tuple_in_the_unsupervised_setting_alone():
    choices = replied(lambda one: "A" if one.query == NORWAY else letter(one, one.right))
    found = measured(decisions(choices), TUPLES_OF_ROWS)
    rows = found.metrics.filter(condition="E01").select("metric", "unit", "value").sort("metric").rows()
    assert rows == [
        ("unsupervised reverse", "E01 rome : italy", pytest.approx((1 + 1 + 0.5) / 3)),
        ("unsupervised type", "E01 oslo : norway", 1.0),
        ("unsupervised type, right query", "E01 oslo : norway", 1.0),
        ("unsupervised type, swapped query", "E01 oslo : norway", 1.0),
    ]
    assert found.unjudged.rows() == [("unsupervised", 4, 0)]


def test_choices_that_lack_an_instance_are_an_error():
    choices = replied(lambda _: "A").filter(pl.col("probe") != "type")
    with pytest.raises(DataError, match="the choices lack an instance: delete the replies and run again"):
        decisions(choices)
