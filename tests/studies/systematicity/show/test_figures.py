"""The figure of the classifiers."""

import matplotlib.pyplot as plt
import polars as pl
import pytest
from relprobe.report.agent_styles import CONTROL, FAMILY_COLOURS, agent_styles
from relprobe.stats.averages import averages
from relprobe.studies.systematicity.analyses.categories import FIGURES as FIGURES_OF_CATEGORIES
from relprobe.studies.systematicity.compare import accuracies, with_intervals
from relprobe.studies.systematicity.figures import FIGURES, LINES, OWN_CONTROL_NAME, Styles, detection_dots
from relprobe.studies.systematicity.measures import MEASURES
from relprobe.studies.systematicity.method import detection_values
from relprobe.studies.systematicity.schemas import METRICS
from relprobe.studies.systematicity.show import Drawing

from tests.studies.systematicity.measure.test_metrics import DETECTED


def test_the_lines_of_the_classifiers_figure_are_intervals_or_the_papers_deviations():
    agent_values = detection_values(DETECTED)
    table = with_intervals(
        accuracies({"m": DETECTED}, pl.DataFrame(schema=METRICS)), averages({"m": agent_values}, MEASURES)
    )
    full = table.row(by_predicate=pl.col("input") == "full", named=True)
    assert full["categories"] == 3
    assert full["low"] < full["accuracy"] < full["high"]
    table = table.with_columns(setting=pl.Series(["seen", "unseen"]), input=pl.lit("full"))
    lines = {}
    for inference in ("linked", "paper"):
        axis = detection_dots(table, agent_styles({"m": "masked"}, {}), inference).axes[0]
        lines[inference] = tuple(axis.lines[0].get_xdata())
    assert lines["linked"] == (full["low"], full["high"])
    assert lines["paper"] == pytest.approx((full["accuracy"] - full["sd"], full["accuracy"] + full["sd"]))


def test_models_of_a_family_have_one_colour_in_figures_of_agents_and_of_layers():
    families = {"small": "F", "other": "G", "large": "F"}
    kinds = {"majority": "control", "large": "masked", "other": "causal", "small": "masked"}
    styles = Drawing({}, kinds, "linked", families, layered={"large": "masked", "other": "causal"}).styles()
    first, second = FAMILY_COLOURS[:2]
    colours = {agent: look.colour for agent, look in styles.agents.items()}
    assert list(colours.items()) == [("small", first), ("large", first), ("other", second), ("majority", CONTROL)]
    assert {agent: look.colour for agent, look in styles.layered.items()} == {"other": second, "large": first}
    assert styles.agents["large"] == styles.layered["large"] != styles.agents["small"]
    assert styles.inference == "linked"
    alone = Drawing({}, {"m": "masked", "n": "causal"}, "paper").styles()
    assert [look.colour for look in alone.agents.values()] == [first, second]
    assert (alone.layered, alone.inference) == ({}, "paper")


def mean(agent, metric, value, units=7, own=False, condition="own"):
    row = {"agent": agent, "metric": metric, "condition": condition, "value": value, "units": units, "own_units": own}
    return row | {"low": value - 0.1, "high": value + 0.1}


def points(axis):
    """Where a panel has single marks: x, y and whether it is an outline."""
    lines = [line for line in axis.get_lines() if len(line.get_xdata()) == 1]
    return [(line.get_xdata()[0], line.get_ydata()[0], line.get_markerfacecolor() == "white") for line in lines]


def test_a_panel_of_accuracies_has_a_row_per_agent_with_its_interval_and_that_of_a_metric_its_number():
    """Agents stand in the order of their looks; a metric without a title, another set and a control have no row."""
    kinds = {
        "n": "masked",
        "m": "causal",
        "majority": "control",
        "nearest": "control",
        "m+control": "control",
        "x": "masked",
    }
    rows = [mean("m", "plural", 0.5), mean("m", "singular", 0.75), mean("n", "singular", 0.25, units=3, own=True)]
    rows += [
        mean("majority", "singular", 0.5),
        mean("nearest", "singular", 0.625),
        mean("m+control", "singular", 0.375),
    ]
    rows += [mean("m", "singular_sentence", 0.1), mean("n", "singular", 0.9, condition="extended")]
    look = Styles(agent_styles(kinds, {}), {}, "linked")
    figure = FIGURES["accuracy_own"](pl.DataFrame(rows), look)
    singular, plural = [axis for axis in figure.axes if axis.get_visible()]
    assert [axis.get_title(loc="left") for axis in (singular, plural)] == ["singular (n = 7)", "plural (n = 7)"]
    assert [label.get_text() for label in singular.get_yticklabels()] == ["n", "m", "majority", "nearest"]
    assert points(singular) == [
        *((0.25, 0, False), (0.75, 1, False), (0.5, 2, False), (0.625, 3, False)),
        (0.375, 1, True),
    ]
    assert points(plural) == [(0.5, 1, False)]
    spans = [tuple(line.get_xdata()) for line in singular.get_lines() if len(line.get_xdata()) == 2]
    assert (0.65, 0.85) in spans
    urls = [line.get_url() for line in singular.get_lines() if len(line.get_xdata()) == 1]
    assert [url is None for url in urls] == [False, False, True, True, True]
    assert "prompt=own+%28singular%29" in urls[1]
    assert singular.get_xlim() == (0, 1.02)
    texts = [text.get_text() for legend in figure.legends for text in legend.get_texts()]
    assert OWN_CONTROL_NAME in texts
    without = FIGURES["accuracy_own"](pl.DataFrame([row for row in rows if row["agent"] != "m+control"]), look)
    assert OWN_CONTROL_NAME not in [text.get_text() for legend in without.legends for text in legend.get_texts()]
    own = FIGURES["accuracy_own"](pl.DataFrame([mean("n", "singular", 0.25, own=True)]), look)
    assert [axis.get_title(loc="left") for axis in own.axes if axis.get_visible()] == ["singular"]


def test_the_classifiers_have_a_row_per_input_in_both_settings_and_their_largest_number_of_pairs():
    row = {"low": 0.1, "high": 0.9, "sd": None, "pairs": 6}
    values = [("seen", "m", "full", 0.75), ("seen", "m", "partial", 0.5), ("seen", "a", "full", 0.25)]
    values += [("seen", "majority", "none", 0.375)]  # which reads no word
    values += [("unseen", agent, given, value - 0.125) for _, agent, given, value in values]
    rows = [row | dict(zip(("setting", "agent", "input", "accuracy"), value, strict=True)) for value in values]
    rows[0] |= {"pairs": 8}
    rows[4] |= {"pairs": 1}
    looks = Styles(agent_styles({"m": "masked", "a": "causal", "majority": "control"}, {}), {}, "paper")
    figure = FIGURES["detection"](pl.DataFrame(rows, infer_schema_length=None), looks)
    seen, unseen = figure.axes
    assert [axis.get_title(loc="left") for axis in figure.axes] == [
        "seen hypernyms (n = 8 pairs)",
        "unseen hypernyms (n = 6 pairs)",
    ]
    assert [label.get_text() for label in seen.get_yticklabels()] == ["m", "m, hypernym alone", "a", "majority"]
    assert points(seen) == [(0.75, 0, False), (0.5, 1, False), (0.25, 2, False), (0.375, 3, False)]
    assert points(unseen) == [(0.625, 0, False), (0.375, 1, False), (0.125, 2, False), (0.25, 3, False)]
    assert [line.get_xdata()[0] for line in seen.get_lines() if line.get_linestyle() == ":"] == [0.5]  # chance
    spans = [tuple(line.get_xdata()) for line in seen.get_lines() if len(line.get_xdata()) == 2]
    assert (0.75, 0.75) in spans  # without a deviation there is no line
    assert LINES["paper"] in figure.get_supxlabel()


AGENT_OF_SET = {"own": pl.col("agent"), "wordnet": pl.lit("absent")}
"""Set -> whose answers it has."""


def test_categories_have_a_column_each_and_agents_a_row_whose_colours_begin_at_the_lowest_value():
    rows = [("m", "bird", "singular", -2.0, 7), ("n", "bird", "singular", -4.0, 5), ("m", "fish", "singular", None, 1)]
    rows += [("m", "bird", "plural", 0.0, 7), ("x", "bird", "plural", -1.0, 9)]
    table = pl.DataFrame(rows, schema=["agent", "category", "kind", "logprob", "hyponyms"], orient="row")
    looks = Styles(dict.fromkeys(("n", "m", "absent")), {}, "linked")
    both = pl.concat([table.with_columns(set=pl.lit(name), agent=agent) for name, agent in AGENT_OF_SET.items()])
    figure = FIGURES_OF_CATEGORIES["category_logprobs_own"](both, looks)
    urls = [patch.get_url() for patch in figure.axes[0].patches if patch.get_url()]
    assert urls
    assert all("own" in url for url in urls)
    singular, plural = figure.axes
    assert [axis.get_title(loc="left") for axis in figure.axes] == ["singular", "plural"]
    assert [label.get_text() for label in singular.get_yticklabels()] == ["n", "m"]
    assert [label.get_text() for label in singular.get_xticklabels()] == ["bird (7)", "fish (1)"]
    assert [label.get_text() for label in plural.get_xticklabels()] == ["bird (9)", "fish (0)"]
    assert [text.get_text() for text in singular.texts] == ["−4.0", "", "−2.0", ""]
    lowest, middle = (singular.patches[place].get_facecolor() for place in (0, 2))
    shades = [lowest, middle, plural.patches[2].get_facecolor()]
    expected = [plt.get_cmap("viridis")(place) for place in (0.0, 0.5, 1.0)]
    assert [shade[:3] for shade in shades] == [pytest.approx(shade[:3], abs=1 / 255) for shade in expected]
