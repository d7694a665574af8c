"""Questions in words: what is asked, what is read, and what becomes of it."""

import polars as pl
import pytest
from relprobe.lm.chat_models.replies import REPLIES
from relprobe.studies.conversations import read as read_lines
from relprobe.studies.pairs.chat import (
    MOST_UNREADABLE,
    TASKS,
    asked_in_words,
    choice_values,
    read_number,
    reply_choices,
    reply_judgments,
    sheets,
)

from tests.paths import ROOT
from tests.studies.pairs.made import PROMPTS, article, items

LINES = read_lines(ROOT / "resources/prompts/chat.yaml", "pairs")
ITEMS = items(
    ("robin", "robin", "bird", "right", 5.5),
    ("robin", "bird", "robin", "reversed", 1.0),
    ("robin", "robin", "fish", "other target"),
    ("robin", "robin", "wug", "random"),
)


def asked(tasks=TASKS, orders=1):
    return sheets(ITEMS, PROMPTS, article, tasks, [0, 6], orders)


def texts(tasks=TASKS, orders=1):
    return {one.id: one.text for one in asked_in_words(LINES, asked(tasks, orders))}


def replied(answers, tasks=TASKS, orders=1):
    """The choices of an agent. `answers`: id of a question -> its reply; "Well." to the others."""
    rows = [
        {"question_id": one.id, "sample": 1, "outcome": "answer", "text": answers.get(one.id, "Well.")}
        for one in asked(tasks, orders)
    ]
    table = pl.DataFrame(rows, schema_overrides={name: REPLIES[name] for name in rows[0]})
    return reply_choices(table, asked(tasks, orders))


def test_each_task_asks_about_what_it_can():
    found = texts()
    assert found["judge HYP robin:bird 1"].startswith("Is a robin a kind of bird? Answer with one of these words")
    assert found["judge HYP robin:bird 1"].endswith("yes, no.")
    assert "a robin is a kind of ___" in found["pick HYP robin 1"]
    assert sorted(found["pick HYP robin 1"].splitlines()[4:7])[0].startswith("A. ")
    assert {"bird", "fish", "wug"} == {line[3:] for line in found["pick HYP robin 1"].splitlines()[4:7]}
    assert "a robin is a kind of bird" in found["rate HYP robin:bird 1"]
    assert "from 0 to 6" in found["rate HYP robin:bird 1"]
    assert [name.split()[0] for name in found] == ["judge"] * 4 + ["pick"] + ["rate"] * 2
    assert not any("[" in text for text in found.values())


def test_orders_turn_the_options_round():
    found = texts(["judge", "pick"], orders=2)
    assert found["judge HYP robin:bird 2"].endswith("no, yes.")
    assert len(found) == 2 * (4 + 1)


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("4", "4"),
        (" 06. ", "6"),
        ("**0**", "0"),
        ("6/6", ""),
        ("4.5", ""),
        ("four", ""),
        ("7", ""),
        ("-2", ""),
        ("−2", ""),
        ("4 because it is", ""),
        ("", ""),
    ],
)
def test_a_number_of_the_scale_is_read_strictly(text, number):
    assert read_number(text, 0, 6) == number


def test_yes_is_a_share_and_a_rating_a_mean():
    answers = {f"judge HYP robin:bird {order}": word for order, word in ((1, "Yes."), (2, "yes"))}
    answers |= {"judge HYP robin:fish 1": "no", "judge HYP robin:fish 2": "yes"}
    answers |= {f"judge HYP {pair} {order}": "no" for pair in ("bird:robin", "robin:wug") for order in (1, 2)}
    answers |= {"rate HYP robin:bird 1": "6", "rate HYP bird:robin 1": "1"}
    found = reply_judgments(replied(answers, ["judge", "rate"], 2), PROMPTS, model="m")
    judge_rows = found.filter(agent="m judge")
    assert dict(judge_rows.select("second", "score").iter_rows()) == {
        "bird": 1.0,
        "robin": 0.0,
        "fish": 0.5,
        "wug": 0.0,
    }
    assert judge_rows["probability"].to_list() == judge_rows["score"].to_list()
    assert set(found["prompt"]) == {"kind"}
    rate_rows = found.filter(agent="m rate")
    assert dict(rate_rows.select("second", "score").iter_rows()) == {"bird": 6.0, "robin": 1.0}
    assert rate_rows["probability"].null_count() == 2


def test_a_pick_is_right_or_wrong_in_each_order():
    shown = {one.id: one.options for one in asked(["pick"], 2)}
    letters = {name: "ABC"[options.index("bird")] for name, options in shown.items()}
    letters["pick HYP robin 2"] = "ABC"[shown["pick HYP robin 2"].index("wug")]
    values = choice_values(replied(letters, ["pick"], 2), {"HYP": ["kind"]}, agent="m pick")
    assert values.select("agent", "metric", "condition", "unit", "prompt", "value").rows() == [
        ("m pick", "choice", "HYP", "robin", "kind", 0.5)
    ]


def test_an_agent_whose_answers_cannot_be_read_has_no_value():
    mumbled = replied({})
    assert set(mumbled["choice"]) == {""}
    assert reply_judgments(mumbled, PROMPTS, model="m").is_empty()
    assert choice_values(mumbled, {"HYP": ["kind"]}, agent="m pick").is_empty()


def replies_to_tasks(**choices):
    """The choices of an agent, task -> one for each answer, about pairs of their own in one order."""
    rows = [
        {"task": task, "condition": "HYP", "relation": "HYP", "first": f"w{place}", "second": "bird", "choice": choice}
        for task, given in choices.items()
        for place, choice in enumerate(given)
    ]
    return pl.DataFrame(rows).with_columns(order=1, sample=1)


def test_a_fifth_of_the_answers_may_be_unreadable_and_no_more():
    """A task of which more are so has no value, and the other tasks have theirs."""
    assert MOST_UNREADABLE == 0.2
    some, more = ["yes"] * 4 + [""], ["yes"] * 3 + [""]
    found = reply_judgments(replies_to_tasks(judge=some, rate=["5"]), PROMPTS, model="m")
    assert found.group_by("agent", maintain_order=True).len().rows() == [("m judge", 5), ("m rate", 1)]
    assert found.filter(first="w4")["score"].to_list() == [None]
    found = reply_judgments(replies_to_tasks(judge=more, rate=["5"]), PROMPTS, model="m")
    assert found.select("agent", "score").rows() == [("m rate", 5.0)]
    prompts = {"HYP": ["kind", "is"]}
    values = choice_values(replies_to_tasks(pick=["bird"] * 3 + ["fish", ""], judge=more), prompts, agent="m pick")
    assert values.filter(prompt="is").select("unit", "value").rows() == [
        *[("w0", 1.0), ("w1", 1.0), ("w2", 1.0), ("w3", 0.0), ("w4", 0.0)],
    ]
    assert choice_values(replies_to_tasks(pick=["bird"] * 3 + [""]), prompts, agent="m pick").is_empty()
    assert choice_values(replies_to_tasks(judge=more), prompts, agent="m pick").is_empty()


def test_a_pair_of_two_conditions_is_judged_once_and_picked_under_each():
    twice = pl.concat([ITEMS, ITEMS.with_columns(condition=pl.lit("own HYP"))])
    found = [one.id for one in sheets(twice, PROMPTS, article, TASKS, [0, 6], 1)]
    assert len(found) == len(set(found))
    assert sorted({*found} - {one.id for one in asked()}) == ["pick own HYP robin 1"]
