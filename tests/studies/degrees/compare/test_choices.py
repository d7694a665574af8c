"""The choices of a model that only chats beside those of people."""

import polars as pl
import pytest
from relprobe.studies.degrees.analyses.answers import option_positions, reply_counts
from relprobe.studies.degrees.chat import choice_values, reply_choices
from relprobe.studies.degrees.method import gold
from relprobe.studies.degrees.method import questions as of_people
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
    values = choice_values(choices, gold(relations), of_people(relations), agent="chatty maxdiff")
    people = of_people(relations).group_by("subcategory", maintain_order=True)
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
    measured = choice_values(choices, gold(relations), of_people(relations), agent="chatty maxdiff")
    assert measured.is_empty()
    assert "of its answers do not name the two pairs (more than 20 %)" in reply_counts({"chatty": choices})["note"][0]
