"""The choice in words: what is shown, and what is read."""

from types import SimpleNamespace

import polars as pl
from relprobe.lm.chat_models.replies import ANSWER, REFUSAL, REPLIES
from relprobe.studies.analogies import scoring
from relprobe.studies.analogies.chat import LINE, questions, replies, reply_choices, sheets
from relprobe.studies.analogies.schemas import INSTANCES, TUPLES
from relprobe.studies.analogies.study import STUDY
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
TUPLE_ROWS = pl.DataFrame(
    [("E01", "capitals", "ES", 1, "test", *pair, [pair[1]], " : ".join(pair), "") for pair in (ITALY, NORWAY)],
    schema=TUPLES,
    orient="row",
)
CHOICES = pl.DataFrame(ROWS, schema=INSTANCES, orient="row")
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
    return "AB"[one.options.index(pair)]


def test_the_words_of_a_question():
    first = questions(LINES, CHOICES, TEST, 2)[0]
    head = "paris is to france as:\n\n"
    foot = "\n\nAnswer with the letter of one pair and nothing else."
    either = ["A. rome is to italy\nB. norway is to oslo", "A. norway is to oslo\nB. rome is to italy"]
    assert first.text in [f"{head}{options}{foot}" for options in either]
    assert STUDY.task is not None
    assert STUDY.task.lines == (LINE,)


def test_a_choice_of_two_draws_is_asked_once_and_both_orders_are_all():
    shown = list(sheets(CHOICES, TEST, 4))
    assert len(shown) == 4 * 2  # four different choices of the test partition, in two orders
    assert len({one.id for one in shown}) == len(shown)
    assert {tuple(sorted(one.options)) for one in shown if one.probe == "type"} == {(NORWAY, ("oslo", "rome"))}
    assert all(one.options == other.options[::-1] for one, other in zip(shown[::2], shown[1::2], strict=True))
    assert [one.options for one in sheets(CHOICES, TEST, 1)] == [one.options for one in shown[::2]]


def test_the_right_pair_stands_first_in_about_half_of_the_choices_that_are_shown_once():
    many = [instance("reverse", (f"q{n}", "x"), ITALY, ("norway", "oslo")) for n in range(400)]
    shown = list(sheets(pl.DataFrame(many, schema=INSTANCES, orient="row"), TEST, 1))
    first = sum(one.options[0] == ITALY for one in shown)
    assert 160 < first < 240  # four standard deviations of 400 throws of a coin


def test_a_pair_may_be_named_by_its_words_and_not_by_those_of_another():
    assert replied(lambda one: words(one.right))["right"].all()
    assert replied(lambda one: f"{letter(one, one.wrong)}. {words(one.wrong)}")["choice"].to_list() == [
        f"{one.wrong[0]} : {one.wrong[1]}" for one in sheets(CHOICES, TEST, 2)
    ]
    assert set(replied(lambda one: f"{letter(one, one.right)}. {words(one.wrong)}")["choice"]) == {""}
    assert set(replied(lambda one: letter(one, one.right), outcome=REFUSAL)["choice"]) == {""}


def test_a_model_that_only_chats_is_asked_the_choices_of_its_partitions():
    made = replies(SimpleNamespace(conversation=LINES), CHOICES, partitions=TEST, orders=2)
    assert made.out.questions == questions(LINES, CHOICES, TEST, 2)
    assert (made.out.study, made.ledger.study) == ("analogies", "analogies")


def test_a_model_on_this_machine_writes_the_same_choices(monkeypatch):
    monkeypatch.setattr(scoring, "write_replies", lambda *given: given)
    model = SimpleNamespace(conversation=LINES)
    kind, asked_model, sent, tokens, samples = scoring.writing(model, CHOICES, partitions=TEST, orders=2, samples=3)
    assert (kind, asked_model, samples, tokens) == ("analogies writing", model, 3, scoring.TOKENS)
    assert sent == questions(LINES, CHOICES, TEST, 2)
