"""What stands beside a series in a figure: people and the best control, from averages written by hand."""

import polars as pl
import pytest
from relprobe.stats.series.references import best_control_values, layer_values, member_values, people_values


def known(**values):
    """Return averages of agents under one condition."""
    rows = [{"agent": agent, "metric": "right", "condition": "noun", "value": value} for agent, value in values.items()]
    return pl.DataFrame(rows)


@pytest.mark.parametrize(
    ("agents", "first"),
    [
        (["humans", "annotator"], ["humans"]),
        (["annotator", "humans"], ["annotator"]),
        (["nobody", "humans"], ["humans"]),
    ],
)
def test_of_several_kinds_of_people_the_first_that_is_there_is_shown(agents, first):
    rows = people_values(known(humans=0.9, annotator=0.8, gpt=0.5), agents)
    assert (rows["agent"].to_list(), rows["place"].to_list(), rows["variant"].to_list()) == (first, [None], ["people"])
    assert people_values(known(gpt=0.5), agents).is_empty()


def test_the_best_control_has_the_highest_value_and_of_equal_ones_the_first():
    averages = known(gpt=0.9, frequency=0.2, static=0.4, typical=0.4)
    rows = best_control_values(averages, ["frequency", "typical", "static"], "gpt", ["condition"])
    assert rows.select("agent", "value", "variant").rows() == [("typical", 0.4, "control")]
    assert best_control_values(averages, ["frequency"], "gpt", ["condition"])["value"].to_list() == [0.2]


def test_a_control_of_another_model_is_not_met():
    averages = known(**{"gpt+without-target": 0.3, "bert+without-target": 0.7, "static": 0.1})
    controls = ["static", "gpt+without-target", "bert+without-target"]
    assert best_control_values(averages, controls, "gpt", ["condition"])["agent"].to_list() == ["gpt+without-target"]


def test_members_stand_in_their_order_at_their_places():
    rows = member_values(known(big=0.9, small=0.1, other=0.5), {"small": 125e6, "big": 1.3e9})
    assert rows.select("agent", "place", "label", "variant").rows() == [
        ("small", 125e6, "125M", "raw"),
        ("big", 1.3e9, "1.3B", "raw"),
    ]


def test_layers_stand_in_their_order_and_one_without_a_value_is_left_out():
    layers = pl.DataFrame({"variant": ["raw"] * 3, "layer": [2, 0, 1], "value": [0.5, 0.1, None]})
    assert layer_values(layers).select("place", "label", "value").rows() == [(0.0, "0", 0.1), (2.0, "2", 0.5)]
