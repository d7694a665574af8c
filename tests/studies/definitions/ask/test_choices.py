"""The ranks that the choices of a model that only chats give."""

from relprobe.studies.definitions.chat import reply_responses
from relprobe.studies.definitions.schemas import RESPONSES
from relprobe.studies.letters import absence, readings

from tests.studies.definitions.ask.test_replies import replied


def test_a_right_choice_has_rank_1_and_a_wrong_one_leaves_the_right_candidate_among_the_others():
    right = reply_responses(replied(1, lambda one: one.right))
    assert right.schema == RESPONSES
    assert set(right.select("better", "tied", "rank").rows()) == {(0, 0, 1)}
    wrong = reply_responses(replied(1, lambda one: next(text for text in one.options if text != one.right)))
    rows = wrong.filter(task="d2w").select("group", "candidates", "better", "tied", "rank").rows()
    assert rows == [("nod.v.01", 4, 1, 2, None), ("bow.v.01", 2, 1, 0, None)]


REMEDY = "let it think (thoughts), or ask another model"


def test_a_task_that_cannot_be_read_leaves_the_other_task_its_values():
    choices = replied(1, lambda one: "I do not know." if one.task == "d2w" else "A")
    assert set(reply_responses(choices)["task"]) == {"w2d"}
    notes = readings({"chatty": choices}, "group").sort("task")
    assert notes["note"].to_list() == [
        "no value, as 100 % of its answers name no option (more than 20 %): " + REMEDY,
        None,
    ]


def test_an_agent_that_names_no_options_has_no_value_but_a_reason():
    choices = replied(1, lambda one: "I do not know." if one.group == "nod.v.01" else "A")
    assert reply_responses(choices).is_empty()
    notes = readings({"chatty": choices}, "group")
    assert notes["unreadable"].to_list() == [0.5, 0.5]
    assert notes["note"].to_list() == [absence(choices.filter(task=task)) for task in notes["task"]]
