"""Choices of a category by a model that only chats: what is shown, what is read, and the foils."""

from types import SimpleNamespace

import polars as pl
import pytest
from relprobe.lm.chat_models.replies import REPLIES
from relprobe.sources.systematicity import ITEMS
from relprobe.studies.conversations import read as read_lines
from relprobe.studies.systematicity import scoring
from relprobe.studies.systematicity.chat import foil_of, questions, replies, reply_choices, sheets
from relprobe.studies.systematicity.method import Asking, probes
from relprobe.studies.systematicity.prompts import Prompt
from relprobe.studies.systematicity.schemas import REPLY_CHOICES

from tests.paths import ROOT

LINES = read_lines(ROOT / "resources/prompts/chat.yaml", "systematicity")
CATEGORIES = {"animals": ["bird", "insect"], "objects": ["tool", "building"]}
PROMPTS = {
    "singular": [Prompt("paper", "[DET] [W] is [DET] [V].", capital=True), Prompt("the", "The [W] is [DET] [V].")],
    "plural": [Prompt("paper", "[W] are [V].")],
}
ROWS = [
    ("own", "ant", "insect", "ants", "insects", None, None, "An ant met other ants ."),
    ("own", "saw", "tool", "saws", "tools", None, None, None),
]
ITEM_TABLE = pl.DataFrame(ROWS, schema=ITEMS, orient="row")
PROBE_TABLE = probes(ITEM_TABLE, CATEGORIES, Asking(PROMPTS))


def asked(orders=1, seed=1):
    return list(sheets(ITEM_TABLE, PROBE_TABLE, CATEGORIES, seed, orders))


def texts(orders=1):
    return {one.id: one.text for one in questions(LINES, asked(orders))}


def test_the_main_sentences_are_completed_and_both_categories_verified_in_both_numbers():
    assert [one.question for one in asked()] == [
        "complete own:singular:ant:insect",
        "complete own:plural:ant:insect",
        "complete own:contextual:ant:insect",
        "verify own:singular:ant:insect",
        "verify own:plural:ant:insect",
        "verify own:singular:ant:bird",
        "verify own:plural:ant:bird",
        "complete own:singular:saw:tool",
        "complete own:plural:saw:tool",
        "verify own:singular:saw:tool",
        "verify own:plural:saw:tool",
        "verify own:singular:saw:building",
        "verify own:plural:saw:building",
    ]
    assert len(texts()) == len(asked())


def test_the_words_of_the_questions():
    said = texts(2)
    only = "Answer with one of these words and nothing else:"
    assert said["verify own:singular:ant:bird 1"] == f"Is an ant a bird? {only} yes, no."
    assert said["verify own:plural:ant:insect 2"] == f"Are ants insects? {only} no, yes."
    one = next(one for one in asked() if one.question == "complete own:plural:ant:insect")
    lines = said["complete own:plural:ant:insect 1"].splitlines()
    assert lines[2] == "ants are ___."
    assert lines[4:8] == [f"{letter}. {word}" for letter, word in zip("ABCD", one.options, strict=True)]
    assert set(one.options) == {"birds", "insects", "tools", "buildings"}
    # Both places of the hyponym are blank, as the category stands in both where models score it.
    assert "\nAn ___ met other ___ .\n" in said["complete own:contextual:ant:insect 1"]
    assert not any("[" in text for text in said.values())


def test_a_hyponym_has_the_same_orders_in_both_numbers_and_no_category_a_place_of_its_own():
    shown = {one.id: one.options for one in asked(24)}
    ant_orders = [shown[f"complete own:singular:ant:insect {order}"] for order in range(1, 25)]
    assert len(set(ant_orders)) == 24
    several = dict(zip(["bird", "insect", "tool", "building"], ["birds", "insects", "tools", "buildings"], strict=True))
    in_plural = [shown[f"complete own:plural:ant:insect {order}"] for order in range(1, 25)]
    assert in_plural == [tuple(several[word] for word in order) for order in ant_orders]
    assert ant_orders[0] not in (("bird", "insect", "tool", "building"), shown["complete own:singular:saw:tool 1"])
    assert len([one for one in shown if one.startswith("verify own:singular:ant:bird")]) == 2
    assert [one.options for one in asked(1)] == [one.options for one in asked(24) if one.order == 1]


def test_a_foil_is_another_category_below_the_same_superordinate_one_and_drawn_evenly():
    categories = {"animals": ["bird", "insect", "fish"], "objects": ["tool", "building"]}
    items = [{"set": "own", "hyponym": f"bird{number}", "category": "bird"} for number in range(400)]
    foils = [foil_of(item, categories, 1) for item in items]
    assert foils == [foil_of(item, categories, 1) for item in items]
    assert foils != [foil_of(item, categories, 2) for item in items]
    # Of 400 fair draws, 200 ± 50 (five standard deviations) are insects, and the others fish.
    assert 150 <= foils.count("insect") <= 250
    assert foils.count("insect") + foils.count("fish") == 400


def read(answer, orders=1, outcome="answer"):
    """The choices in replies to all questions. `answer`: of a sheet, the text of the reply."""
    rows = [{"question_id": one.id, "sample": 1, "outcome": outcome, "text": answer(one)} for one in asked(orders)]
    replies = pl.DataFrame(rows, schema=REPLIES)
    return reply_choices(replies, ITEM_TABLE, PROBE_TABLE, categories=CATEGORIES, seed=1, orders=orders)


def test_right_answers_are_read_as_right_and_their_opposites_as_wrong():
    right = read(lambda one: one.right)
    assert right.schema == REPLY_CHOICES
    assert right["right"].to_list() == [True] * 13
    assert right.filter(task="verify")["choice"].to_list() == ["yes", "yes", "no", "no"] * 2
    wrong = read(lambda one: next(option for option in one.options if option != one.right))
    assert not wrong["right"].any()
    assert "" not in wrong["choice"]


@pytest.mark.parametrize(
    ("text", "completed", "verified"),
    [
        ("A", "first", ""),
        ("Yes.", "", "yes"),
        ("**no**", "", "no"),
        ("Yes, an ant is an insect.", "", ""),
        ("yes or no", "", ""),
        ("insects", "insects", ""),
        ("", "", ""),
    ],
)
def test_letters_name_categories_and_words_say_yes_or_no(text, completed, verified):
    rows = read(lambda _: text)
    row = rows.row(by_predicate=pl.col("question") == "complete own:plural:ant:insect", named=True)
    assert row["choice"] == (row["shown"][0] if completed == "first" else completed)
    (said,) = set(rows.filter(task="verify")["choice"])
    assert said == verified


def test_a_refusal_names_no_option():
    assert set(read(lambda one: one.right, outcome="refusal")["choice"]) == {""}


def test_a_foil_is_drawn_for_each_set_and_an_order_for_each_set_and_hyponym():
    """Nothing else decides them: neither the category nor the number."""
    many = {"animals": [f"c{number}" for number in range(1000)]}
    item = {"set": "own", "hyponym": "ant", "category": "c0"}
    foils = {(set_name, word, seed): foil_of({**item, "set": set_name, "hyponym": word}, many, seed)
             for set_name in ("own", "new") for word in ("ant", "saw") for seed in (1, 2)}  # fmt: skip
    assert len(set(foils.values())) == len(foils) == 8
    renamed = ITEM_TABLE.with_columns(set=pl.lit("new"))
    other = sheets(renamed, PROBE_TABLE.with_columns(set=pl.lit("new")), CATEGORIES, 1, 1)
    shown = {(sheet.hyponym, sheet.kind): sheet.options for sheet in asked() if sheet.task == "complete"}
    again = {(sheet.hyponym, sheet.kind): sheet.options for sheet in other if sheet.task == "complete"}
    assert shown.keys() == again.keys()
    assert any(shown[key] != again[key] for key in shown)
    assert [sheet.options for sheet in asked(2) if sheet.task == "verify"][:2] == [("yes", "no"), ("no", "yes")]


def test_without_items_nothing_is_asked():
    assert list(sheets(ITEM_TABLE.clear(), PROBE_TABLE.clear(), CATEGORIES, 1, 2)) == []


def test_every_sheet_names_its_question_and_its_right_answer():
    found = [(sheet.id, sheet.category, sheet.foil, sheet.right) for sheet in asked() if sheet.hyponym == "ant"]
    assert found == [
        ("complete own:singular:ant:insect 1", "insect", False, "insect"),
        ("complete own:plural:ant:insect 1", "insect", False, "insects"),
        ("complete own:contextual:ant:insect 1", "insect", False, "insect"),
        ("verify own:singular:ant:insect 1", "insect", False, "yes"),
        ("verify own:plural:ant:insect 1", "insect", False, "yes"),
        ("verify own:singular:ant:bird 1", "bird", True, "no"),
        ("verify own:plural:ant:bird 1", "bird", True, "no"),
    ]


def test_a_model_that_only_chats_is_asked_the_sheets():
    made = replies(
        SimpleNamespace(conversation=LINES), ITEM_TABLE, PROBE_TABLE, categories=CATEGORIES, seed=1, orders=2
    )
    assert made.out.questions == questions(LINES, asked(2))
    assert (made.out.study, made.ledger.study) == ("systematicity", "systematicity")


def test_a_model_on_this_machine_writes_the_same_choices(monkeypatch):
    monkeypatch.setattr(scoring, "write_replies", lambda *given: given)
    model = SimpleNamespace(conversation=LINES)
    kind, asked_model, sent, tokens, samples = scoring.writing(
        model, ITEM_TABLE, PROBE_TABLE, categories=CATEGORIES, seed=1, orders=2, samples=3
    )
    assert (kind, asked_model, samples) == ("systematicity writing", model, 3)
    assert sent == questions(LINES, asked(2))
    assert tokens == scoring.TOKENS
