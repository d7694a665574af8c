import math

import polars as pl
from relprobe.report.looks import CONTROL, FAMILY_COLOURS
from relprobe.stats.schemas import AVERAGES
from relprobe.studies.definitions.conditions import names
from relprobe.studies.definitions.measures import IN_BOTH_TASKS, MEASURES
from relprobe.studies.definitions.show import figures as draw

ALL = [*(measure.figure for measure in IN_BOTH_TASKS), "frequency", "depth"]
AVERAGES_ = pl.DataFrame(
    [
        (agent, metric.name, condition, 0.5, 0.25, 0.75, 2, 2, 2.0, 2, 1.0, False, None)
        for metric in MEASURES
        for condition in names()
        for agent in ("random", "bert")
    ],
    schema=AVERAGES,
    orient="row",
)


def test_models_stand_before_baselines_and_missing_values_are_said():
    figures = dict(draw(AVERAGES_, figure_names=ALL, kinds={"random": "control", "late": "causal", "bert": "masked"}))
    assert list(figures) == ALL
    rows, *_ = figures["precision"].axes
    assert rows.get_title(loc="left") == "word to definition, nouns (n = 2)"
    assert [label.get_text() for label in rows.get_yticklabels()] == ["late", "bert", "random"]
    assert [text.get_text() for text in rows.texts] == ["missing", "0.50", "0.50"]
    assert [axis.get_title(loc="left") for axis in figures["depth"].axes] == [
        "word to definition, precision at 1",
        "word to definition, rank score",
        "definition to word, precision at 1",
        "definition to word, rank score",
    ]


def test_lines_over_bands_have_their_names_at_their_ends_and_the_numbers_of_groups_below():
    axis, *_ = dict(draw(AVERAGES_, figure_names=ALL, kinds={"bert": "masked", "random": "control"}))["frequency"].axes
    assert [text.get_text() for text in axis.texts] == ["bert", "random"]
    heights = [text.xy[1] for text in axis.texts]
    assert heights[1] - heights[0] > 0.04  # both lines end at 0.5
    *_, below = axis.figure.axes  # the panels share their axis, whose labels stand below the last one
    assert [label.get_text() for label in below.get_xticklabels()] == [
        "rare\nn = 2",
        "medium\nn = 2",
        "frequent\nn = 2",
    ]


def test_a_line_is_broken_at_a_band_without_a_group():
    """Or else it would say how the agent does where nobody was asked."""
    empty = AVERAGES_.filter(pl.col("condition") != "noun, medium")
    axis, *_ = dict(draw(empty, figure_names=ALL, kinds={"bert": "masked", "random": "control"}))["frequency"].axes
    (line,) = [one for one in axis.get_lines() if one.get_label() == "bert"]
    assert [math.isnan(value) for value in line.get_ydata()] == [False, True, False]
    points = [one for one in axis.get_lines() if one.get_marker() not in ("None", "")]
    assert {len(one.get_xdata()) for one in points} == {2}


def test_an_agent_has_its_own_look_and_leads_to_its_answers():
    kinds = {"bert": "masked", "gpt": "causal", "random": "control"}
    averages = pl.concat([AVERAGES_, AVERAGES_.filter(agent="bert").with_columns(agent=pl.lit("gpt"))])
    figure = dict(draw(averages, figure_names=ALL, kinds=kinds, families={"bert": "BERT", "gpt": "GPT"}))["precision"]
    points = [line for line in figure.axes[0].get_lines() if line.get_marker() not in ("None", "")]
    assert len({(line.get_color(), line.get_marker()) for line in points}) == 3
    assert points[0].get_url() == "../answers.html#group=W2D+nouns&a=bert&k=1"


def test_models_of_a_family_have_one_colour_in_the_order_of_the_families():
    kinds = {"random": "control", "bert": "masked", "gpt": "causal"}
    averages = pl.concat([AVERAGES_, AVERAGES_.filter(agent="bert").with_columns(agent=pl.lit("gpt"))])
    figure = dict(draw(averages, figure_names=["precision"], kinds=kinds, families={"gpt": "F", "bert": "F"}))[
        "precision"
    ]
    rows, *_ = figure.axes
    assert [label.get_text() for label in rows.get_yticklabels()] == ["gpt", "bert", "random"]
    colours = [line.get_color() for line in rows.get_lines() if line.get_marker() not in ("None", "")]
    assert colours == [FAMILY_COLOURS[0], FAMILY_COLOURS[0], CONTROL]


def test_parts_of_speech_without_values_have_no_panel():
    verbs = AVERAGES_.filter(pl.col("condition").str.starts_with("verb"))
    figures = dict(draw(verbs, figure_names=ALL[:-1], kinds={"bert": "masked", "random": "control"}))
    assert list(figures) == ["precision", "rank_score", "frequency"]
    titles = [axis.get_title(loc="left") for axis in figures["precision"].axes]
    assert titles == ["word to definition, verbs (n = 2)", "definition to word, verbs (n = 2)"]
    assert figures["frequency"].get_supxlabel() == "frequency of the verb (n: groups)"
