"""People beside models: averages and sensitivity over what people answered."""

import polars as pl
from relprobe.studies.definitions.analyses.people import average_on_peoples_groups, values_on_peoples_groups
from relprobe.studies.definitions.analyses.sensitivity import agent_sensitivity
from relprobe.studies.definitions.choices import Choices
from relprobe.studies.definitions.conditions import metrics
from relprobe.studies.definitions.people import people_responses
from relprobe.studies.definitions.results import AgentOptions
from relprobe.studies.definitions.schemas import RESPONSES

from tests.studies.definitions.about import properties
from tests.studies.definitions.data.test_own_data import GROUP_TEXTS, ranks


def test_the_sensitivity_of_people_has_the_value_of_the_study(tmp_path):
    answers = people_responses(ranks(("ben", "clap", 1)), GROUP_TEXTS, tmp_path)
    rows = agent_sensitivity(
        answers, properties({"group": "nod.v.01", "pos": "verb"}), Choices(), AgentOptions("humans")
    )
    assert [row["value"] for row in rows if (row["choice"], row["metric"]) == ("equal scores", "W2D RS")] == [1 / 4]


def responses(tied=0, **ranks):
    """Responses to w2d: group -> the rank of the right one of five candidates, which `tied` others share."""
    rows = [("w2d", group, 5, rank - 1, tied, rank, "x") for group, rank in ranks.items()]
    return pl.DataFrame(rows, schema=RESPONSES, orient="row")


def value_of(table):
    return {(row["agent"], row["metric"], row["condition"]): row["value"] for row in table.iter_rows(named=True)}


def test_all_agents_are_averaged_over_the_groups_that_people_answered():
    about = properties({"group": "a", "w2d": 9, "d2w": 9}, {"group": "b"}, {"group": "c"})
    agents = {"humans": responses(a=1, b=2), "gpt2": responses(a=2, b=1, c=5)}
    value = value_of(average_on_peoples_groups(values_on_peoples_groups(agents, about, "expected")))
    small = "groups of up to 10 candidates"
    assert value["humans", "W2D P@1", "noun"] == value["gpt2", "W2D P@1", "noun"] == 1 / 2  # c is left out
    assert (value["humans", "W2D P@1", small], value["gpt2", "W2D P@1", small]) == (1, 0)


def test_people_and_models_meet_on_a_group_that_is_named_and_not_drawn():
    """Group b is asked, as definitions.targets names it: other averages have the drawn group a alone."""
    about = properties({"group": "a"}, {"group": "b", "drawn": False})
    agents = {"humans": responses(b=1), "gpt2": responses(a=1, b=2)}
    value = value_of(average_on_peoples_groups(values_on_peoples_groups(agents, about, "expected")))
    assert (value["humans", "W2D P@1", "noun"], value["gpt2", "W2D P@1", "noun"]) == (1, 0)
    assert set(metrics(agents["gpt2"], about)["unit"]) == {"a"}


def test_equal_scores_count_in_the_table_of_people_as_the_study_says():
    about, agents = properties({"group": "a"}), {"humans": responses(a=1), "gpt2": responses(tied=1, a=1)}
    for ties, precision in (("expected", 0.5), ("drawn", 1.0)):
        table = values_on_peoples_groups(agents, about, ties)["gpt2"].filter(metric="W2D P@1")
        assert table["value"].to_list() == [precision]
