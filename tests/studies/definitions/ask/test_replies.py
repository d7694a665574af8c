"""Choices of a definition or a word by a model that only chats: what is shown, and what is read."""

from types import SimpleNamespace

import polars as pl
import pytest
from relprobe.lm.chat_models.replies import REPLIES
from relprobe.studies.conversations import read as read_lines
from relprobe.studies.definitions import chat, scoring
from relprobe.studies.definitions.chat import _text, questions, reply_choices, sheets
from relprobe.studies.definitions.schemas import GROUPS
from relprobe.studies.letters import option_positions

from tests.paths import ROOT

LINES = read_lines(ROOT / "resources/prompts/chat.yaml", "definitions")
WORDS = ["nod", "bow", "wink", "shrug"]
DEFINITIONS = ["lower the head", "bend the body", "close one eye", "raise the shoulders"]
PROBES = pl.DataFrame({"definition": DEFINITIONS, "words": [[word] for word in WORDS]})
ROW = {"pos": "verb", "family": "gesture.v.01", "depth": 2}


def group(name, *pairs):
    """A group of these pairs of word and definition, the first of which is right."""
    about = {"group": name, "word": WORDS[pairs[0]], "definition": DEFINITIONS[pairs[0]]}
    return {**ROW, **about, "w2d": list(pairs), "d2w": list(pairs)}


GROUP = pl.DataFrame([group("nod.v.01", 0, 1, 2, 3), group("bow.v.01", 1, 0)], schema=GROUPS)


def test_people_and_models_get_the_groups_of_up_to_ten_candidates():
    many = pl.DataFrame({"definition": [f"d{n}" for n in range(11)], "words": [[f"w{n}"] for n in range(11)]})
    large = {**ROW, "group": "big", "word": "w0", "definition": "d0", "w2d": list(range(11)), "d2w": list(range(11))}
    small = {**large, "group": "small", "w2d": list(range(10)), "d2w": list(range(10))}
    assert {one.group for one in sheets(pl.DataFrame([large, small], schema=GROUPS), many, 1)} == {"small"}


def test_the_right_option_stands_anywhere_and_the_orders_are_permutations():
    shown = list(sheets(GROUP, PROBES, 24))
    questions_of_four = [one for one in shown if one.group == "nod.v.01" and one.task == "d2w"]
    assert len({one.options for one in questions_of_four}) == 24
    assert [sum(one.options[place] == "nod" for one in questions_of_four) for place in range(4)] == [6] * 4
    assert len([one for one in shown if one.group == "bow.v.01"]) == 2 * 2
    few = [one.options for one in sheets(GROUP, PROBES, 2)]
    assert set(few) < {one.options for one in shown}


def test_the_words_of_the_questions():
    w2d, d2w = (next(one for one in sheets(GROUP, PROBES, 1) if one.task == task) for task in ("w2d", "d2w"))
    text = _text(LINES["w2d"], w2d)
    assert "“nod”" in text
    assert "\n".join(f"{letter}. {one}" for letter, one in zip("ABCD", w2d.options, strict=True)) in text
    assert "“lower the head”" in _text(LINES["d2w"], d2w)
    assert "[" not in text


def replied(orders, choose):
    """Replies to all questions. `choose`: of a sheet, the text of the answer."""
    rows = [
        {"question_id": f"{one.task} {one.order} {one.group}", "sample": 1, "outcome": "answer", "text": choose(one)}
        for one in sheets(GROUP, PROBES, orders)
    ]
    return reply_choices(pl.DataFrame(rows, schema=REPLIES), GROUP, PROBES, orders=orders)


def test_what_the_place_of_an_option_earns():
    table = option_positions({"chatty": replied(24, lambda _: "A")}).filter(task="d2w")
    assert table["chosen"].to_list() == [1, 0, 0, 0]
    assert table["expected"].to_list() == pytest.approx([(24 / 4 + 2 / 2) / 26] * 2 + [1 / 4] * 2)
    assert table["answers"].to_list() == [26, 26, 24, 24]


SHORT_LINES = {"w2d": "[PROBE] [OPTIONS]", "d2w": "[PROBE] [OPTIONS]"}


def large_group():
    """A group of eleven candidates, and one of ten, and their probes."""
    many = pl.DataFrame({"definition": [f"d{n}" for n in range(11)], "words": [[f"w{n}"] for n in range(11)]})
    large = {**ROW, "group": "big", "word": "w0", "definition": "d0", "w2d": list(range(11)), "d2w": list(range(11))}
    small = {**large, "group": "small", "w2d": list(range(10)), "d2w": list(range(10))}
    return pl.DataFrame([large, small], schema=GROUPS), many


def test_without_further_words_small_groups_alone_are_asked_in_one_order(monkeypatch):
    monkeypatch.setattr(
        chat, "interview", lambda model, study, asked, tokens: (study, [one.id for one in asked], tokens)
    )
    monkeypatch.setattr(scoring, "write_replies", lambda kind, model, asked, tokens, samples: [one.id for one in asked])
    model, given = SimpleNamespace(conversation=SHORT_LINES), large_group()
    ids = {
        (orders, large): [one.id for one in questions(SHORT_LINES, *given, orders, large=large)]
        for orders in (1, 2)
        for large in (False, True)
    }
    assert ids[1, False] == ["w2d 1 small", "d2w 1 small"]
    assert [one.id for one in questions(SHORT_LINES, *given, 1)] == ids[1, False]
    assert chat.replies(model, *given) == ("definitions", ids[1, False], 16)
    assert chat.replies(model, *given, orders=2, large=True)[1] == ids[2, True]
    assert scoring.writing(model, *given) == ids[1, False]
    assert scoring.writing(model, *given, orders=2, large=True) == ids[2, True]


def test_a_group_with_one_candidate_in_a_task_is_asked_in_none():
    groups, probes = large_group()
    lone = groups.with_columns(d2w=pl.col("d2w").list.head(1))
    assert not [*sheets(lone, probes, 1)]
    assert not [*sheets(lone, probes, 1, large=True)]
