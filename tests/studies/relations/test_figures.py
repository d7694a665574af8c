"""The figures of the metrics: what is drawn, in which order, and what is said where nothing can be."""

import matplotlib.pyplot as plt
import polars as pl
import pytest
from relprobe.studies.relations.figures import by_kind, draw
from relprobe.studies.relations.schemas import SUMMARY, TESTS

KINDS = {"humans": "humans", "m": "masked", "n": "causal", "o": "causal"}
FIRST = pl.DataFrame(schema={"agent": pl.String, "relation": pl.String, "share": pl.Float64})
ROWS = [
    {"agent": "humans", "metric": "soundness", "relation": "HYP", "value": 0.75, "low": 0.7, "high": 0.8},
    {"agent": "m", "metric": "soundness", "relation": "HYP", "value": 0.25, "low": 0.2, "high": 0.3},
    {"agent": "n", "metric": "soundness", "relation": "HYP", "value": 0.5},
    {"agent": "m", "metric": "soundness", "relation": "ANT", "value": 0.5, "low": 0.4, "high": 0.6},
]
P = [("humans", "m", 0.001), ("humans", "n", 0.02), ("m", "n", 0.3)]


@pytest.fixture(autouse=True)
def closed():
    yield
    plt.close("all")


def drawn(name, rows=ROWS):
    tests = [{"metric": "soundness", "relation": "HYP", "agent_a": a, "agent_b": b, "p": p} for a, b, p in P]
    summary = pl.DataFrame(rows, schema=SUMMARY)
    return draw(name, summary, pl.DataFrame(tests, schema=TESTS), FIRST, KINDS)


def names(axis):
    return [label.get_text() for label in axis.get_yticklabels()]


def test_the_best_agent_of_each_relation_is_on_top():
    hypernymy, antonymy = drawn("soundness").axes
    assert (hypernymy.get_title("left"), names(hypernymy)) == ("hypernymy", ["humans", "n", "m"])
    assert (antonymy.get_title("left"), names(antonymy)) == ("antonymy", ["m"])


def test_intervals_are_on_the_bars_and_a_dotted_line_parts_what_differs():
    axis, _ = drawn("soundness").axes
    spans = [list(line.get_xdata()) for line in axis.get_lines() if line.get_linestyle() == "-"]
    assert spans == [[0.7, 0.8], [0.2, 0.3]]
    dotted = [line.get_ydata()[0] for line in axis.get_lines() if line.get_linestyle() == ":"]
    assert dotted == [0.5]  # below the humans alone: n and m do not differ


@pytest.mark.parametrize(
    ("name", "metric"),
    [
        ("symmetry_5", "symmetry"),
        ("prototypicality", "prototypicality"),
        ("distinguishability_curves", "distinguishability"),
        ("distinguishability_kinds", "distinguishability"),
        ("first_related", "first_related"),
    ],
)
def test_what_no_agent_has_is_said(name, metric):
    sentence = f"No agent has values of {metric} on the tuples of this study."
    assert [text.get_text() for text in drawn(name).texts] == [sentence]


def test_the_distances_of_a_kind_are_its_agents_average():
    pair = {"metric": "distinguishability", "relation": "HYP", "versus": "ANT"}
    rows = [{**pair, "agent": agent, "value": value} for agent, value in (("m", 0.2), ("n", 0.4), ("o", 0.8))]
    means, kinds = by_kind(pl.DataFrame(rows, schema=SUMMARY), KINDS)
    assert dict(means.select("agent", "value").iter_rows()) == {
        "masked": pytest.approx(0.2),
        "causal": pytest.approx(0.6),
    }
    assert list(kinds) == ["masked", "causal"]
    figure = drawn("distinguishability_kinds", rows)
    assert [axis.get_title("left") for axis in figure.axes if axis.get_visible()] == ["masked", "causal"]
