"""One model that is asked in several ways: its row of each way beside people and controls, and what each way can show."""

from dataclasses import replace

import polars as pl
import pytest
from relprobe.core.prompting import prompting_by_model
from relprobe.report.figures import panels
from relprobe.studies.relations.analyses.ways import by_way, ways_table
from relprobe.studies.relations.schemas import AVERAGES

from tests.studies.relations.show.test_figures import results

MODELS = {
    "n": {"type": "causal"},
    "n-chat": {"type": "causal", "model": "n", "chat": True, "shots": 3},
    "n-list": {"type": "causal", "model": "n", "task": "list", "chat": True, "samples": 4},
    "m": {"type": "masked"},
    "n-tuned": {"type": "causal", "model": "n", "peft": {"path": "x"}},
}
WAYS = prompting_by_model(MODELS, list(MODELS))
KINDS = {
    **{"humans": "humans", "n": "causal", "n-chat": "causal", "n-list": "causal", "m": "masked"},
    **{"frequency": "control", "majority": "control", "n+without-target": "control"},
}
VALUES = {
    "humans": (0.75, 0.7, 0.8),
    "n": (0.25, 0.2, 0.3),
    "n-chat": (0.5, 0.4, 0.6),
    "m": (0.9, 0.85, 0.95),
    "frequency": (0.05, None, None),
    "majority": (0.125, None, None),
    "n+without-target": (0.2, None, None),
}
ROWS = [
    {"agent": agent, "metric": "soundness", "relation": "HYP", "value": value, "low": low, "high": high, "units": 12}
    for agent, (value, low, high) in VALUES.items()
]


def drawn(metric, ways=WAYS, kinds=KINDS):
    averages = pl.DataFrame(ROWS, schema=AVERAGES)
    return by_way(metric, replace(results(averages, None), kinds=kinds, ways=ways))


def test_a_model_stands_once_with_each_way_and_an_adapter_makes_another_model():
    assert {model: list(agents) for model, agents in WAYS.items()} == {"n": ["n", "n-chat", "n-list"]}
    assert [one["way"] for one in WAYS["n"].values()] == [
        "bare",
        "3 examples, chat",
        "people's task, chat, 4 samples",
    ]


def test_a_model_behind_an_endpoint_is_the_same_where_it_chats():
    served = {"endpoint": "http://a/v1", "name": "big-1"}
    models = {"big": {"type": "causal", **served}, "big-people": {**served, "task": "people"}}
    assert list(prompting_by_model(models, list(models))["big-1"]) == ["big", "big-people"]
    assert (
        prompting_by_model({**models, "big-people": {**served, "name": "big-2", "task": "people"}}, list(models)) == {}
    )


def test_each_way_has_a_row_and_one_without_a_value_is_missing():
    (axis,) = drawn("soundness").axes
    assert axis.get_title("left") == "hypernymy, n = 12"
    assert [label.get_text() for label in axis.get_yticklabels()] == [one["way"] for one in WAYS["n"].values()]
    assert [text.get_text() for text in axis.texts] == ["0.25", "0.50", "missing"]
    links = [line.get_url() for line in axis.get_lines() if line.get_linestyle() == "None"]
    assert links == [f"../answers.html#group=HYP&a={agent}&k=1" for agent in ("n", "n-chat")]


def test_people_are_a_line_with_a_band_and_the_best_control_is_dashed():
    """Not the control of one model alone: it is no control of the others."""
    (axis,) = drawn("soundness").axes
    upright = {
        line.get_linestyle(): line.get_xdata()[0] for line in axis.get_lines() if len(set(line.get_xdata())) == 1
    }
    assert (upright["-"], upright["--"]) == (0.75, 0.125)
    (band,) = axis.patches
    assert (band.get_x(), band.get_x() + band.get_width()) == pytest.approx((0.7, 0.8))


def test_people_without_an_interval_are_a_line_alone():
    rows = [row if row["agent"] != "humans" else {**row, "low": None, "high": None} for row in ROWS]
    shown = replace(results(pl.DataFrame(rows, schema=AVERAGES), None), kinds=KINDS, ways=WAYS)
    (axis,) = by_way("soundness", shown).axes
    assert 0.75 in [line.get_xdata()[0] for line in axis.get_lines() if line.get_linestyle() == "-"]
    assert not axis.patches


def test_the_label_names_people_only_where_they_took_part():
    alone = {agent: kind for agent, kind in KINDS.items() if kind != "humans"}
    labels = [drawn("soundness", kinds=kinds).get_supxlabel() for kinds in (KINDS, alone)]
    assert labels == ["soundness; black: people; dashed: the best control", "soundness; dashed: the best control"]


def test_without_values_there_is_a_sentence():
    (text,) = drawn("completeness").texts
    assert text.get_text() == "No model that is asked in several ways has values of completeness."


def test_the_table_says_what_each_way_can_show_and_lacks():
    more = {"agent": "n", "metric": "asymmetry", "relation": "HYP", "value": 0.1}
    table = ways_table(WAYS, pl.DataFrame([*ROWS, more], schema=AVERAGES))
    assert table.select("model", "agent", "lacks").rows() == [
        ("n", "n", ""),
        ("n", "n-chat", "asymmetry"),
        ("n", "n-list", "asymmetry, soundness"),
    ]
    assert table["shows"][2] == "the words that the model writes, read as people's lists are"


def test_the_axis_reaches_beyond_the_highest_bound():
    (axis,) = drawn("soundness").axes
    assert axis.get_xlim() == pytest.approx((0, 1.05 * 0.95))  # m's, who is not drawn, has the highest one


def test_a_figure_of_ways_has_the_height_of_its_rows_and_one_more():
    """The row above is for the lines of people and of the best control."""
    expected, _ = panels(["hypernymy"], 3 + 1, same_rows=True)
    assert drawn("soundness").get_figheight() == expected.get_figheight()
