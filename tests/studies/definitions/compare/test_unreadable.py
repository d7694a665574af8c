"""The table of large groups: what could not be read."""

import pytest
from relprobe.studies.definitions.analyses import choices as small_groups
from relprobe.studies.definitions.analyses import large_groups
from relprobe.studies.definitions.chat import reply_responses

from tests.studies.definitions.about import results
from tests.studies.definitions.compare.test_large_groups import TABLE, chosen


@pytest.mark.parametrize("mute", ["small", "large"])
def test_answers_that_cannot_be_read_count_in_their_own_groups_alone(mute):
    choices = chosen(lambda one: "Well." if (one.group == "small.v.01") == (mute == "small") else one.right)
    assert reply_responses(choices).is_empty() == (mute == "small")
    run = results(reply_choices={"m": choices}, groups=TABLE)
    tables = {
        name: make(run) for name, make in {**small_groups.TABLES, **large_groups.TABLES}.items() if name != "sent"
    }
    assert tables["choices"]["questions"].to_list() == [1, 1]
    assert tables["choices"]["unreadable"].to_list() == [float(mute == "small")] * 2
    assert set(tables["orders"]["answers"]) == {3}  # one small group in three orders
    table = tables["large_groups"]
    assert table["unreadable"].to_list() == [float(mute == "large")] * 2
    assert table["p@1"].to_list() == [None if mute == "large" else 1] * 2
