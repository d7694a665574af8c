import math

import polars as pl
from relprobe.report.agent_styles import CONTROL, FAMILY_COLOURS, FigureSettings
from relprobe.stats.schemas import AVERAGES
from relprobe.studies.definitions.conditions import names
from relprobe.studies.definitions.measures import IN_BOTH_TASKS, MEASURES
from relprobe.studies.definitions.show import figures

from tests.drawn import lines_of


def draw(table, **settings):
    """The figures by name."""
    return {name: make_figure() for name, make_figure in figures(table, FigureSettings(**settings))}


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
    shown = draw(AVERAGES_, figure_names=ALL, kinds={"random": "control", "late": "causal", "bert": "masked"})
    assert list(shown) == ALL
    rows, *_ = shown["precision"].axes
    assert rows.get_title(loc="left") == "word to definition, nouns (n = 2)"
    assert [label.get_text() for label in rows.get_yticklabels()] == ["late", "bert", "random"]
    assert [text.get_text() for text in rows.texts] == ["missing", "0.50", "0.50"]
    assert [axis.get_title(loc="left") for axis in shown["depth"].axes] == [
        "word to definition, precision at 1",
        "word to definition, rank score",
        "definition to word, precision at 1",
        "definition to word, rank score",
    ]


def test_lines_over_bands_have_their_names_at_their_ends_and_the_numbers_of_groups_below():
    axis, *_ = draw(AVERAGES_, figure_names=ALL, kinds={"bert": "masked", "random": "control"})["frequency"].axes
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
    axis, *_ = draw(empty, figure_names=ALL, kinds={"bert": "masked", "random": "control"})["frequency"].axes
    (line,) = [one for one in axis.get_lines() if one.get_label() == "bert"]
    assert [math.isnan(value) for value in line.get_ydata()] == [False, True, False]
    points = [one for one in axis.get_lines() if one.get_marker() not in ("None", "")]
    assert {len(one.get_xdata()) for one in points} == {2}


def test_an_agent_has_its_own_look_and_leads_to_its_answers():
    kinds = {"bert": "masked", "gpt": "causal", "random": "control"}
    averages = pl.concat([AVERAGES_, AVERAGES_.filter(agent="bert").with_columns(agent=pl.lit("gpt"))])
    figure = draw(averages, figure_names=ALL, kinds=kinds, families={"bert": "BERT", "gpt": "GPT"})["precision"]
    points = [line for line in figure.axes[0].get_lines() if line.get_marker() not in ("None", "")]
    assert len({(line.get_color(), line.get_marker()) for line in points}) == 3
    assert points[0].get_url() == "../answers.html#group=W2D+nouns&a=bert&k=1"


def test_models_of_a_family_have_one_colour_in_the_order_of_the_families():
    kinds = {"random": "control", "bert": "masked", "gpt": "causal"}
    averages = pl.concat([AVERAGES_, AVERAGES_.filter(agent="bert").with_columns(agent=pl.lit("gpt"))])
    figure = draw(averages, figure_names=["precision"], kinds=kinds, families={"gpt": "F", "bert": "F"})["precision"]
    rows, *_ = figure.axes
    assert [label.get_text() for label in rows.get_yticklabels()] == ["gpt", "bert", "random"]
    colours = [line.get_color() for line in rows.get_lines() if line.get_marker() not in ("None", "")]
    assert colours == [FAMILY_COLOURS[0], FAMILY_COLOURS[0], CONTROL]


def test_parts_of_speech_without_values_have_no_panel():
    verbs = AVERAGES_.filter(pl.col("condition").str.starts_with("verb"))
    shown = draw(verbs, figure_names=ALL[:-1], kinds={"bert": "masked", "random": "control"})
    assert list(shown) == ["precision", "rank_score", "frequency"]
    titles = [axis.get_title(loc="left") for axis in shown["precision"].axes]
    assert titles == ["word to definition, verbs (n = 2)", "definition to word, verbs (n = 2)"]
    assert shown["frequency"].get_supxlabel() == "frequency of the verb (n: groups)"


def row(agent, metric, condition, value, low=None, high=None, units=3, own=False):
    return agent, metric, condition, value, low, high, units, units, float(units), units, 1.0, own, None


def described(name, *rows):
    """Return what the figure `name` of some averages shows, line by line (tests/drawn.py)."""
    averages = pl.DataFrame(rows, schema=AVERAGES, orient="row")
    kinds, families = {"random": "control", "late": "causal", "bert": "masked"}, {"bert": "B", "late": "L"}
    return lines_of(draw(averages, figure_names=[name], kinds=kinds, families=families)[name])


def test_the_figure_of_a_measure_in_full():
    """Of four groups random has two of its own; no agent has values of both tasks."""
    assert (
        described(
            "precision",
            row("bert", "W2D P@1", "noun", 0.5, 0.25, 0.75),
            row("random", "W2D P@1", "noun", 0.2, units=9, own=True),
            row("late", "D2W P@1", "noun", 1 / 3, 0.125, 0.5, units=4),
        )
        == """\
figure 9.6 x 3.16
says precision at 1; °: averaged over its own groups
key B: #0072b2 o 5 pt
key L: #d55e00 o 5 pt
key control: #808080 o 5 pt
panel 'word to definition, nouns (n = 4)'
  x from 0 to 1.02
  y from 2.6 to -0.6: 0 1 2: bert, late, random °
  line #0072b2 - 1.2 pt at 0.25 0.75; 0 0 of bert -> group=W2D+nouns&a=bert&k=1
  line #0072b2 o 5 pt at 0.5; 0 of bert -> group=W2D+nouns&a=bert&k=1
  line #808080 o 5 pt at 0.2; 2 of random -> group=W2D+nouns&a=random&k=1
  text '0.50' at 1 0, 7.5 pt #000000 of bert -> group=W2D+nouns&a=bert&k=1
  text 'missing' at 1 1, 7.5 pt #000000 of late -> group=W2D+nouns&a=late&k=1
  text '0.20' at 1 2, 7.5 pt #000000 of random -> group=W2D+nouns&a=random&k=1
panel 'definition to word, nouns (n = 4)'
  x from 0 to 1.02
  y from 2.6 to -0.6: 0 1 2: bert, late, random °
  line #d55e00 - 1.2 pt at 0.125 0.5; 1 1 of late -> group=D2W+nouns&a=late&k=1
  line #d55e00 o 5 pt at 0.333; 1 of late -> group=D2W+nouns&a=late&k=1
  text 'missing' at 1 0, 7.5 pt #000000 of bert -> group=D2W+nouns&a=bert&k=1
  text '0.33' at 1 1, 7.5 pt #000000 of late -> group=D2W+nouns&a=late&k=1
  text 'missing' at 1 2, 7.5 pt #000000 of random -> group=D2W+nouns&a=random&k=1
""".splitlines()
    )


def test_each_measure_has_a_figure_of_its_own_values():
    rows = [row("bert", f"W2D {measure}", "noun", value) for measure, value in (("P@1", 0.25), ("RS", 0.75))]
    for name, label, shown in (
        ("precision", "precision at 1", "0.25"),
        ("rank_score", "rank score (a guess: 0.5)", "0.75"),
    ):
        lines = described(name, *rows)
        assert f"says {label}" in lines
        assert next(line.split("'")[1] for line in lines if line.startswith("  text")) == shown


def test_the_figure_of_bands_in_full():
    """Bert has no value of medium words; both lines end near 0.9, so that their names stand half a label away from it."""
    assert (
        described(
            "frequency",
            row("bert", "W2D P@1", "noun, rare", 0.5, 0.25, 0.75),
            row("bert", "W2D P@1", "noun, frequent", 0.9, 0.8, 0.95, units=4),
            row("random", "W2D P@1", "noun, rare", 0.2),
            row("random", "W2D P@1", "noun, medium", 0.25, 0.2, 0.3, units=5),
            row("random", "W2D P@1", "noun, frequent", 0.88, units=4),
        )
        == """\
figure 9.6 x 5.2
says frequency of the noun (n: groups)
key B: #0072b2 o 5 pt
key L: #d55e00 o 5 pt
key control: #808080 o 5 pt
panel 'word to definition, precision at 1'
  x from -0.375 to 2.375: 0 1 2
  y from -0.03 to 1.03
  line 'bert' #0072b2 - 1 pt at -0.25 0.75 1.75; 0.5 - 0.9 of bert
  line #0072b2 o 4 pt at -0.25 1.75; 0.5 0.9 of bert
  line #0072b2 - 0.8 pt at -0.25 -0.25; 0.25 0.75 of bert
  line #0072b2 - 0.8 pt at 1.75 1.75; 0.8 0.95 of bert
  line 'random' #808080 - 1 pt at 0.25 1.25 2.25; 0.2 0.25 0.88 of random
  line #808080 o 4 pt at 0.25 1.25 2.25; 0.2 0.25 0.88 of random
  line #808080 - 0.8 pt at 1.25 1.25; 0.2 0.3 of random
  text 'bert' at 1.02 0.92, 7.5 pt #0072b2 of bert
  text 'random' at 1.02 0.86, 7.5 pt #808080 of random
panel 'word to definition, rank score'
  x from -0.375 to 2.375: 0 1 2
  y from -0.03 to 1.03
panel 'definition to word, precision at 1'
  x from -0.375 to 2.375: 0 1 2: rare/n = 3, medium/n = 5, frequent/n = 4
  y from -0.03 to 1.03
panel 'definition to word, rank score'
  x from -0.375 to 2.375: 0 1 2: rare/n = 3, medium/n = 5, frequent/n = 4
  y from -0.03 to 1.03
""".splitlines()
    )
