"""What the choices of a model that only chats are worth: a value for each tuple, or a reason why there is none."""

from types import SimpleNamespace

import polars as pl
import pytest
from relprobe.core.errors import DataError
from relprobe.studies.analogies.agents import agent_metrics
from relprobe.studies.analogies.analyses.choices import TABLES, positions_of_agents, read_of_agents
from relprobe.studies.analogies.chat import reply_decisions
from relprobe.studies.analogies.schemas import DECISIONS, TUPLES

from tests.studies.analogies.ask.test_replies import CHOICES, FRANCE, ITALY, NORWAY, TEST, letter, replied

ABOUT = ("E01", "capitals", "ES", 1, "test")
PAIRS = [(*ABOUT, *pair, [pair[1]], " : ".join(pair), "") for pair in (ITALY, NORWAY, FRANCE)]
TUPLES_OF_ROWS = pl.DataFrame(PAIRS, schema=TUPLES, orient="row")


def decisions(choices):
    return reply_decisions(choices, CHOICES, partitions=TEST)


def test_a_value_is_the_mean_over_the_orders_and_an_unreadable_answer_is_wrong():
    choices = replied(lambda one: letter(one, one.right))
    right = decisions(choices)
    assert right.schema == DECISIONS
    assert right["value"].to_list() == [1.0] * 5  # the instances of the test, with the choice of two draws twice
    assert right.filter(pl.col("instead_of").is_not_null())["query"].to_list() == ["hot : cold"]
    assert decisions(replied(lambda _: "A"))["value"].to_list() == [0.5] * 5
    lost = replied(lambda one: "?" if one.query == NORWAY and one.order == 2 else letter(one, one.right))
    assert decisions(pl.concat([lost, choices]))["value"].to_list() == [1.0, 1.0, 3 / 4, 1.0, 1.0]


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
    nothing = agent_metrics(decisions(mute), TUPLES_OF_ROWS)
    assert nothing.metrics.is_empty()
    assert nothing.by_agent["unjudged"].is_empty()


def test_what_the_place_of_a_pair_earns():
    assert positions_of_agents({"chatty": replied(lambda _: "A")}).rows() == [
        ("chatty", "reverse", 1, 4, 1.0, 0.5),
        ("chatty", "reverse", 2, 4, 0.0, 0.5),
        ("chatty", "type", 1, 4, 1.0, 0.5),
        ("chatty", "type", 2, 4, 0.0, 0.5),
    ]


def test_the_agent_has_a_row_per_tuple_in_the_unsupervised_setting_alone():
    choices = replied(lambda one: "A" if one.query == NORWAY else letter(one, one.right))
    found = agent_metrics(decisions(choices), TUPLES_OF_ROWS)
    rows = found.metrics.filter(condition="E01").select("metric", "unit", "value").sort("metric").rows()
    assert rows == [
        ("unsupervised reverse", "E01 rome : italy", pytest.approx((1 + 1 + 0.5) / 3)),
        ("unsupervised type", "E01 oslo : norway", 1.0),
        ("unsupervised type, right query", "E01 oslo : norway", 1.0),
        ("unsupervised type, swapped query", "E01 oslo : norway", 1.0),
    ]
    assert found.by_agent["unjudged"].rows() == [("unsupervised", 4, 0)]


def test_choices_that_lack_an_instance_are_an_error():
    choices = replied(lambda _: "A").filter(pl.col("probe") != "type")
    with pytest.raises(DataError, match="the choices lack an instance: delete the replies and run again"):
        decisions(choices)


def test_the_tables_of_a_run_have_the_choices_of_its_agents():
    given = {"chatty": replied(lambda _: "A")}
    run = SimpleNamespace(reply_choices=given, replies=None)
    assert TABLES["choices"](run).equals(read_of_agents(given))
    assert TABLES["orders"](run).equals(positions_of_agents(given))
    assert TABLES["sent"](run).is_empty()
    none = SimpleNamespace(reply_choices=None, replies=None)
    assert [make(none).height for make in TABLES.values()] == [0, 0, 0]
