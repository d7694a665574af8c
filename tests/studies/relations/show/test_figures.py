"""The figures of the metrics: what is drawn, in which order, and what is said where nothing can be."""

import itertools
from dataclasses import replace
from functools import partial

import polars as pl
import pytest
from relprobe.core.metric import by_name
from relprobe.core.relation import Relation, Relations
from relprobe.report.analyses import makers
from relprobe.report.figures import save_all
from relprobe.report.figures.areas import FAINT_INK
from relprobe.report.figures.canvas import NOTHING, in_print_at
from relprobe.report.shown import page_of
from relprobe.studies.relations import figures
from relprobe.studies.relations.analyses.ceiling import entropy_boxes
from relprobe.studies.relations.analyses.first_related import draw as draw_first_related
from relprobe.studies.relations.analyses.first_related import first_related_bars
from relprobe.studies.relations.analyses.frequency import CORRELATIONS
from relprobe.studies.relations.analyses.frequency import draw as draw_correlations
from relprobe.studies.relations.analyses.series import series_table
from relprobe.studies.relations.figures import (
    PAGE_FIGURES,
    Drawing,
    FigureData,
    _fill,
    _limit,
    _shift,
    draw,
    panel_title,
)
from relprobe.studies.relations.measures import MEASURES
from relprobe.studies.relations.plots import _block_title, by_kind
from relprobe.studies.relations.schemas import AVERAGES, TESTS

from tests.drawn import lines_of
from tests.logs import said
from tests.studies.relations.six import SIX

KINDS = {"humans": "humans", "m": "masked", "n": "causal", "o": "causal"}
FIRST = pl.DataFrame(schema={"agent": pl.String, "relation": pl.String, "share": pl.Float64})
ROWS = [
    {"agent": "humans", "metric": "soundness", "relation": "HYP", "value": 0.75, "low": 0.7, "high": 0.8},
    {"agent": "m", "metric": "soundness", "relation": "HYP", "value": 0.25, "low": 0.2, "high": 0.3},
    {"agent": "n", "metric": "soundness", "relation": "HYP", "value": 0.5},
    {"agent": "m", "metric": "soundness", "relation": "ANT", "value": 0.5, "low": 0.4, "high": 0.6},
]
P = [("humans", "m", 0.001), ("humans", "n", 0.02), ("m", "n", 0.3)]


def drawn(name, rows=ROWS):
    tests = [{"metric": "soundness", "relation": "HYP", "agent_a": a, "agent_b": b, "p": p} for a, b, p in P]
    return draw(name, results(pl.DataFrame(rows, schema=AVERAGES), pl.DataFrame(tests, schema=TESTS)))


def results(
    averages, tests, first_related=FIRST, correlations=None, entropies=None, models=None, relations=SIX, series=None
):
    correlations = pl.DataFrame(schema=CORRELATIONS) if correlations is None else correlations
    values = {"first_related": first_related, "frequency": correlations}
    values |= {"response_entropies": entropies, "series": series}
    return FigureData(averages, tests, values, KINDS, models or {}, 5, relations)


def names(axis):
    return [label.get_text() for label in axis.get_yticklabels()]


def test_the_best_agent_of_each_relation_is_on_top():
    hypernymy, antonymy = drawn("soundness").axes
    assert (hypernymy.get_title("left"), names(hypernymy)) == ("hypernymy", ["humans", "n", "m"])
    assert (antonymy.get_title("left"), names(antonymy)) == ("antonymy", ["m"])


def test_intervals_are_lines_and_a_dotted_line_parts_what_differs():
    axis, _ = drawn("soundness").axes
    spans = [list(line.get_xdata()) for line in axis.get_lines() if line.get_linestyle() == "-"]
    assert spans == [[0.7, 0.8], [0.2, 0.3]]
    dotted = [line.get_ydata()[0] for line in axis.get_lines() if line.get_linestyle() == ":"]
    assert dotted == [0.5]  # below the humans alone: n and m do not differ


@pytest.mark.parametrize("name", ["soundness", "overview"])
def test_the_legend_names_the_white_circle_where_a_model_has_a_control_of_its_own(name):
    def named(rows):
        legends = drawn(name, rows).legends
        return "same model without target" in [text.get_text() for legend in legends for text in legend.get_texts()]

    own = {"agent": "m+without-target", "metric": "soundness", "relation": "HYP", "value": 0.0}
    assert named([*ROWS, own])
    assert not named(ROWS)


def test_a_panel_says_over_how_many_targets_it_is():
    rows = [{**row, "units": 12} for row in ROWS]
    assert drawn("soundness", rows).axes[0].get_title("left") == "hypernymy, n = 12"


def test_a_marker_leads_to_the_answers_behind_it():
    axis, _ = drawn("soundness").axes
    links = {point.get_url() for point in axis.get_lines() if point.get_linestyle() == "None"}
    assert links == {f"../answers.html#group=HYP&a={agent}&k=1" for agent in ("humans", "m", "n")}


def test_all_cutoffs_are_in_one_figure_by_the_fullness_of_markers():
    rows = [
        {"agent": "m", "metric": "symmetry", "relation": "ANT", "k": k, "value": v}
        for k, v in ((1, 0.1), (5, 0.3), (10, 0.4))
    ]
    axis = drawn("symmetry", rows).axes[0]
    points = [(line.get_xdata()[0], line.get_markerfacecolor()) for line in axis.get_lines()]
    assert [value for value, _ in points] == [0.1, 0.3, 0.4]
    assert (points[0][1], points[2][1]) == ("white", "#0072b2")
    assert points[1][1] not in ("white", "#0072b2")
    assert names(axis) == ["m"]


def test_the_overview_has_a_panel_per_metric_and_a_block_per_relation():
    axis = drawn("overview").axes[0]
    assert axis.get_title("left") == "Soundness"
    assert [text.get_text() for text in axis.texts] == ["hypernymy", "antonymy"]
    assert names(axis) == ["humans", "m", "n"]
    # The highest bound of the metric, 0.8, is the width of a block; antonymy begins 1.15 widths after hypernymy.
    points = [line.get_xdata()[0] for line in axis.get_lines() if line.get_linestyle() == "None"]
    assert points == pytest.approx([0.75 / 0.8, 0.25 / 0.8, 0.5 / 0.8, 1.15 + 0.5 / 0.8])


def test_an_empty_study_has_an_overview_that_says_so():
    figure = drawn("overview", [])
    assert [text.get_text() for text in figure.texts] == [
        "No agent has values of any metric on the tuples of this study."
    ]


@pytest.mark.parametrize(
    ("name", "metric"),
    [
        ("symmetry", "symmetry"),
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
    means, kinds = by_kind(pl.DataFrame(rows, schema=AVERAGES), KINDS)
    assert dict(means.select("agent", "value").iter_rows()) == {
        "masked": pytest.approx(0.2),
        "causal": pytest.approx(0.6),
    }
    assert list(kinds) == ["masked", "causal"]
    figure = drawn("distinguishability_kinds", rows)
    assert [axis.get_title("left") for axis in figure.axes if axis.get_visible()] == ["masked", "causal"]


def test_without_a_distance_of_any_kind_of_agent_the_figure_says_so():
    sentence = "No agent of a kind, such as a masked or a causal model, has a distance."
    row = {"agent": "majority", "metric": "distinguishability", "relation": "HYP", "versus": "ANT", "value": 0.2}
    assert [text.get_text() for text in drawn("distinguishability_kinds", [row]).texts] == [sentence]


def test_distances_have_the_number_of_targets_and_are_grey_where_these_are_few():
    pair = {"agent": "m", "metric": "distinguishability", "relation": "MER"}
    rows = [
        {**pair, "versus": "ANT", "value": 0.7, "units": 4},
        {**pair, "versus": "SYN", "value": -0.1, "units": 10},
        {**pair, "agent": "n", "versus": "SYN", "value": 0.2, "units": 8},
    ]
    axis = drawn("distinguishability_matrices", rows).axes[0]
    assert axis.get_title("left") == "asked for meronymy, told from …"
    columns = ["hypernymy", "hyponymy", "holonymy", "antonymy, 4", "synonymy, 10"]
    assert [label.get_text() for label in axis.get_xticklabels()] == columns
    texts = {text.get_text(): text.get_color() for text in axis.texts if text.get_text()}
    assert set(texts) == {".70", "−.10", ".20 (8)"}
    assert texts[".70"] == texts[".20 (8)"] == FAINT_INK != texts["−.10"]
    few = axis.patches[columns.index("antonymy, 4")]
    assert few.get_hatch(), "a cell over few targets is hatched"
    assert few.get_url() == "../answers.html#group=MER&a=m&other=ANT"


def test_an_agent_on_targets_of_its_own_has_a_star_and_the_test_is_named():
    rows = [{**row, "own_units": row["agent"] == "humans", "units": 7} for row in ROWS]
    figure = drawn("soundness", rows)
    assert names(figure.axes[0]) == ["humans * (7)", "n", "m"]
    assert figure.get_supxlabel() == "soundness; dotted lines: p < 0.05, targets that share a relatum are linked"


def test_the_papers_test_draws_the_lines_if_asked_to():
    tests = [
        {"metric": "soundness", "relation": "HYP", "agent_a": a, "agent_b": b, "p": 0.9, "paper_p": p} for a, b, p in P
    ]
    averages, tests = pl.DataFrame(ROWS, schema=AVERAGES), pl.DataFrame(tests, schema=TESTS)
    figure = draw("soundness", replace(results(averages, tests), inference="paper"))
    assert [line.get_ydata()[0] for line in figure.axes[0].get_lines() if line.get_linestyle() == ":"] == [0.5]
    assert figure.get_supxlabel() == "soundness; dotted lines: p < 0.05, McNemar's test"


SEVEN = Relations((*SIX.entries, Relation("CAU", "causation", "CAU")))


@pytest.mark.slow("it draws every figure")
def test_a_seventh_relation_is_drawn_in_every_figure(tmp_path):
    seven = SEVEN.codes
    averages = [{"agent": "m", "metric": "soundness", "relation": r, "value": 0.5} for r in seven]
    averages += [{"agent": "m", "metric": "first_related", "relation": r, "value": 2.0} for r in seven]
    averages += [
        {"agent": "m", "metric": "distinguishability", "relation": r, "versus": s, "value": 0.5, "units": 12}
        for r, s in itertools.permutations(seven, 2)
    ]
    averages.append({"agent": "m", "metric": "audc", "value": 21.0})
    tests = pl.DataFrame(schema=TESTS)
    first = pl.DataFrame({"relation": seven, "share": [1 / 7] * 7, "agent": ["m"] * 7})
    rho = [{"agent": "m", "metric": "soundness", "relation": r, "frequency": "target", "rho": 0.1} for r in seven]
    entropies = pl.DataFrame([(r, 0.5) for r in seven], schema=["relation", "entropy"], orient="row")
    models = {"m": {"type": "masked", "family": "M", "size": 1e8}}
    table = pl.DataFrame(averages, schema=AVERAGES)
    along = {"size": {"M": {"m": 1e8}}, "step": {"M": {"m": 5}}}
    series = series_table(table, along, SEVEN)
    given = results(table, tests, first, pl.DataFrame(rho, schema=CORRELATIONS), entropies, models, SEVEN, series)
    names = [one.name for one in page_of("relations").exhibits if one.folder == "figures"]
    making = makers("relations", "FIGURES", {name: partial(draw, name) for name in PAGE_FIGURES}, names)
    save_all(
        ((name, partial(make, given)) for name, make in making.items()), [tmp_path / f"{name}.svg" for name in names]
    )
    for name in ("soundness", "size_soundness", "training_soundness", "response_entropy"):
        assert "causation" in (tmp_path / f"{name}.svg").read_text()
    for name in ("first_related", "distinguishability_matrices", "frequency_soundness", "size_distinguishability"):
        assert "CAU" in (tmp_path / f"{name}.svg").read_text()
    assert "AuDC (of 42 pairs)" in (tmp_path / "distinguishability_curves.svg").read_text()
    assert "AuDC (of 42 pairs)" in (tmp_path / "size_audc.svg").read_text()


@pytest.mark.slow("it draws a large figure three times")
def test_the_overview_of_many_agents_goes_across_two_columns_in_print_and_its_texts_have_room(tmp_path, caplog):
    """Rows of five metrics on six relations: in one column they would be higher than a page, one upon another."""
    metrics = ("soundness", "completeness", "symmetry", "prototypicality", "distinguishability")
    agents = [f"a-model-of-{number}" for number in range(12)]
    rows = [
        {"agent": agent, "metric": metric, "relation": code, "k": 5 * (metric == "symmetry") or None}
        | {"value": 0.5, "low": 0.4, "high": 0.6, "units": 100}
        for agent, metric, code in itertools.product(agents, metrics, SIX.codes)
    ]
    kinds = dict.fromkeys(agents, "causal")
    given = replace(results(pl.DataFrame(rows, schema=AVERAGES), pl.DataFrame(schema=TESTS)), kinds=kinds)
    save_all({"overview": partial(draw, "overview", given)}.items(), [tmp_path / "8.4cm/overview.pdf"])
    assert said(caplog) == ["overview is 16.8 cm wide, as its texts have no room in one column"]


IN_FULL = [
    {"agent": "m", "metric": "soundness", "relation": "HYP", "value": 0.25, "low": 0.2, "high": 0.3, "units": 12},
    {
        "agent": "n",
        "metric": "soundness",
        "relation": "HYP",
        "value": 0.5,
        "low": 0.4,
        "high": 0.6,
        "units": 7,
        "own_units": True,
    },
    {"agent": "m+without-target", "metric": "soundness", "relation": "HYP", "value": 0.125, "units": 12},
    {"agent": "m", "metric": "soundness", "relation": "ANT", "value": 0.75, "units": 1200},
    {
        "agent": "m",
        "metric": "symmetry",
        "relation": "ANT",
        "k": 5,
        "value": 0.375,
        "low": 0.3,
        "high": 0.5,
        "units": 9,
    },
    {"agent": "m", "metric": "symmetry", "relation": "ANT", "k": 1, "value": 0.25, "units": 9},
    {"agent": "m+without-target", "metric": "symmetry", "relation": "ANT", "k": 5, "value": 0.0625, "units": 9},
    {"agent": "m", "metric": "audc", "value": 0.5, "low": 0.25, "high": 0.75, "units": 2},
    {"agent": "n", "metric": "audc", "value": 0.25, "units": 2},
    *[
        {
            "agent": agent,
            "metric": "distinguishability",
            "relation": one,
            "versus": other,
            "value": value,
            "units": units,
        }
        for agent, one, other, value, units in (
            ("m", "HYP", "ANT", 0.75, 12),
            ("m", "ANT", "HYP", -0.25, 9),
            ("n", "HYP", "ANT", 0.25, 10),
        )
    ],
]
for one in IN_FULL:
    one.setdefault("own_units", False)


def shown(name):
    """Return what a figure shows, line by line, without empty cells (tests/drawn.py)."""
    return [line for line in lines_of(drawn(name, IN_FULL)) if "#00000000" not in line and "text ''" not in line]


def test_the_figure_of_soundness_in_full():
    """Agent n is on targets of its own; the outline is the control of m without a target."""
    assert (
        shown("soundness")
        == """\
figure 6.4 x 1.52
says soundness
key m: #0072b2 o 5 pt
key n: #d55e00 o 5 pt
key same model without target: #808080 o 5 pt filled #ffffff
panel 'hypernymy, n = 12'
  x from 0 to 0.788
  y from 1.6 to -0.6: 0 1: n * (7), m
  line #d55e00 - 1.2 pt at 0.4 0.6; 0 0 of n -> group=HYP&a=n&k=1
  line #d55e00 o 5 pt at 0.5; 0 of n -> group=HYP&a=n&k=1
  line #0072b2 - 1.2 pt at 0.2 0.3; 1 1 of m -> group=HYP&a=m&k=1
  line #0072b2 o 5 pt at 0.25; 1 of m -> group=HYP&a=m&k=1
  line #808080 o 5 pt filled #ffffff at 0.125; 1 of m%2Bwithout-target -> group=HYP&a=m%2Bwithout-target&k=1
  text '0.50' at 1 0, 7.5 pt #000000 of n -> group=HYP&a=n&k=1
  text '0.25' at 1 1, 7.5 pt #000000 of m -> group=HYP&a=m&k=1
panel 'antonymy, n = 1,200'
  x from 0 to 0.788
  y from 1.6 to -0.6: 0: m
  line #0072b2 o 5 pt at 0.75; 0 of m -> group=ANT&a=m&k=1
  text '0.75' at 1 0, 7.5 pt #000000 of m -> group=ANT&a=m&k=1
""".splitlines()
    )


def test_the_figure_of_symmetry_in_full():
    """Each cut-off has its marker; the order is that of k = 5."""
    assert (
        shown("symmetry")
        == """\
figure 5.76 x 1.31
says symmetry
key m: #0072b2 o 5 pt
key same model without target: #808080 o 5 pt filled #ffffff
key k = 1: #444444 o 5 pt filled #ffffff
key k = 5: #444444 o 5 pt
panel 'antonymy, n = 9'
  x from 0 to 0.525
  y from 0.6 to -0.6: 0: m
  line #0072b2 - 1.2 pt at 0.3 0.5; 0.125 0.125 of m -> group=ANT&a=m&k=5
  line #0072b2 o 5 pt at 0.375; 0.125 of m -> group=ANT&a=m&k=5
  line #0072b2 o 5 pt filled #ffffff at 0.25; -0.125 of m -> group=ANT&a=m&k=1
  line #808080 o 5 pt filled #ffffff at 0.062; 0 of m%2Bwithout-target -> group=ANT&a=m%2Bwithout-target&k=5
""".splitlines()
    )


def test_the_figure_of_overview_in_full():
    """Each relation is a block as wide as the highest bound; a metric that is not there has no panel."""
    assert (
        shown("overview")
        == """\
figure 9.6 x 2.36
key m: #0072b2 o 5 pt
key n: #d55e00 o 5 pt
key same model without target: #808080 o 5 pt filled #ffffff
panel 'Soundness'
  x from -0.02 to 2.19: 0 0.533 1.15 1.683: 0, 0.4, 0, 0.4
  y from 1.6 to -0.6: 0 1: m, n
  line #0072b2 - 1.2 pt at 0.267 0.4; 0 0 of m -> group=HYP&a=m&k=1
  line #0072b2 o 5 pt at 0.333; 0 of m -> group=HYP&a=m&k=1
  line #808080 o 5 pt filled #ffffff at 0.167; 0 of m%2Bwithout-target -> group=HYP&a=m%2Bwithout-target&k=1
  line #d55e00 - 1.2 pt at 0.533 0.8; 1 1 of n -> group=HYP&a=n&k=1
  line #d55e00 o 5 pt at 0.667; 1 of n -> group=HYP&a=n&k=1
  line #0072b2 o 5 pt at 2.15; 0 of m -> group=ANT&a=m&k=1
  text 'hypernymy, n = 12' at 0 1, 7.5 pt #000000
  text 'antonymy, n = 1,200' at 1.15 1, 7.5 pt #000000
panel 'Symmetry and asymmetry (k = 5)'
  x from -0.02 to 1.04: 0 0.5: 0, 0.25
  y from 1.6 to -0.6: 0 1: m, n
  line #0072b2 - 1.2 pt at 0.6 1; 0 0 of m -> group=ANT&a=m&k=5
  line #0072b2 o 5 pt at 0.75; 0 of m -> group=ANT&a=m&k=5
  line #808080 o 5 pt filled #ffffff at 0.125; 0 of m%2Bwithout-target -> group=ANT&a=m%2Bwithout-target&k=5
  text 'antonymy, n = 9' at 0 1, 7.5 pt #000000
""".splitlines()
    )


def test_the_figure_of_distances_curves_in_full():
    """The curve falls at each distance above 0."""
    assert (
        shown("distinguishability_curves")
        == """\
figure 9.6 x 4.32
panel 'm' | threshold p | relation pairs with D > p
  x from 0 to 1
  y from 0 to 3
  line #cccccc - 0.7 pt at 0 0.25 1; 1 0 0 of n
  line 'm' #0072b2 o 5 pt at 0 0.75 1; 1 0 0 of m -> a=m
panel 'n' | threshold p
  x from 0 to 1
  y from 0 to 3
  line #cccccc - 0.7 pt at 0 0.75 1; 1 0 0 of m
  line 'n' #d55e00 o 5 pt at 0 0.25 1; 1 0 0 of n -> a=n
panel '' | AuDC (of 2 of 30 pairs)
  x from 0 to 2
  y from 1.6 to -0.6: 0 1: m, n
  line #0072b2 - 1.2 pt at 0.25 0.75; 0 0 of m -> a=m
  line #0072b2 o 5 pt at 0.5; 0 of m -> a=m
  line #d55e00 o 5 pt at 0.25; 1 of n -> a=n
  text '0.50' at 1 0, 7.5 pt #000000 of m -> a=m
  text '0.25' at 1 1, 7.5 pt #000000 of n -> a=n
""".splitlines()
    )


def test_the_figure_of_distances_kinds_in_full():
    """A negative distance is white and, over nine targets, grey and hatched."""
    assert (
        shown("distinguishability_kinds")
        == """\
figure 6.4 x 3.62
says relation it is told from; below a distance: the number of targets
says prompted relation
panel 'masked'
  x from -0.5 to 5.5: 0 1 2 3 4 5: hypernymy, hyponymy, holonymy, meronymy, antonymy, synonymy
  y from 5.5 to -0.5: 0 1 2 3 4 5: hypernymy, hyponymy, holonymy, meronymy, antonymy, synonymy
  area #515151 3.5 -0.5 to 4.5 0.5 -> group=HYP&other=ANT
  area #fdfdfd -0.5 3.5 to 0.5 4.5 -> group=ANT&other=HYP
  text '.75\\n12' at 4 0, 7.5 pt #fefefe
  text '−.25\\n9' at 0 4, 7.5 pt #767676
panel 'causal'
  x from -0.5 to 5.5: 0 1 2 3 4 5: hypernymy, hyponymy, holonymy, meronymy, antonymy, synonymy
  y from 5.5 to -0.5: 0 1 2 3 4 5: hypernymy, hyponymy, holonymy, meronymy, antonymy, synonymy
  area #d9d9d9 3.5 -0.5 to 4.5 0.5 -> group=HYP&other=ANT
  text '.25\\n10' at 4 0, 7.5 pt #010101
""".splitlines()
    )


def test_the_figure_of_distances_matrices_in_full():
    """Agent n has ten targets where m has twelve."""
    assert (
        shown("distinguishability_matrices")
        == """\
figure 6.4 x 1.73
panel 'asked for hypernymy, told from …'
  x from -0.5 to 4.5: 0 1 2 3 4: hyponymy, holonymy, meronymy, antonymy, 12, synonymy
  y from 1.6 to -0.6: 0 1: m, n
  area #515151 2.5 -0.5 to 3.5 0.5 of m -> group=HYP&a=m&other=ANT
  area #d9d9d9 2.5 0.5 to 3.5 1.5 of n -> group=HYP&a=n&other=ANT
  text '.75' at 3 0, 7.5 pt #fefefe
  text '.25 (10)' at 3 1, 7.5 pt #010101
panel 'asked for antonymy, told from …'
  x from -0.5 to 4.5: 0 1 2 3 4: hypernymy, 9, hyponymy, holonymy, meronymy, synonymy
  y from 1.6 to -0.6: 0 1
  area #fdfdfd -0.5 -0.5 to 0.5 0.5 of m -> group=ANT&a=m&other=HYP
  text '−.25' at 0 0, 7.5 pt #767676
""".splitlines()
    )


FIRST_SHARES = pl.DataFrame(
    [("HYP", 0.5, "m"), ("ANT", 0.25, "m"), ("SYN", 0.25, "m"), ("HYP", 1.0, "gold"), ("ANT", 0.75, "n")],
    schema=["relation", "share", "agent"],
    orient="row",
)


def test_the_figure_of_first_related_words_in_full():
    """Agents stand in their order, those without shares left out; the words of the gold standard lead to no answers."""
    assert (
        lines_of(first_related_bars(FIRST_SHARES, relations=SIX, agents=["gold", "m", "o"]))
        == """\
figure 9.6 x 1.44
key hypernymy (HYP): area #0072b3
key hyponymy (HPO): area #56b4ea
key holonymy (HOL): area #009e74
key meronymy (MER): area #f0e442
key antonymy (ANT): area #d55e01
key synonymy (SYN): area #cc79a8
panel '' | share of the first related words
  x from 0 to 1
  y from 1.6 to -0.6: 0 1: gold, m
  area #0072b3 0 -0.4 to 1 0.4
  area #0072b3 0 0.6 to 0.5 1.4 of m -> a=m&other=HYP
  area #56b4ea 1 -0.4 to 1 0.4
  area #56b4ea 0.5 0.6 to 0.5 1.4 of m -> a=m&other=HPO
  area #009e74 1 -0.4 to 1 0.4
  area #009e74 0.5 0.6 to 0.5 1.4 of m -> a=m&other=HOL
  area #f0e442 1 -0.4 to 1 0.4
  area #f0e442 0.5 0.6 to 0.5 1.4 of m -> a=m&other=MER
  area #d55e01 1 -0.4 to 1 0.4
  area #d55e01 0.5 0.6 to 0.75 1.4 of m -> a=m&other=ANT
  area #cc79a8 1 -0.4 to 1 0.4
  area #cc79a8 0.75 0.6 to 1 1.4 of m -> a=m&other=SYN
  text 'HYP' at 0.5 0, 7.5 pt #fefefe
  text 'HYP' at 0.25 1, 7.5 pt #fefefe
  text 'ANT' at 0.625 1, 7.5 pt #010101
  text 'SYN' at 0.875 1, 7.5 pt #010101
""".splitlines()
    )
    families = first_related_bars(FIRST_SHARES, relations=SIX)
    (axis,) = families.axes
    assert names(axis) == ["m", "gold", "n"]
    assert not any(bar.get_url() for bar in axis.patches)


def test_the_figure_of_entropies_in_full():
    """Entropies of 0 are left out: half of the other three lies between 0.625 and 0.875."""
    rows = [("HYP", 0.5), ("HYP", 0.75), ("HYP", 0.0), ("HYP", 1.0), ("ANT", 0.25)]
    entropies = pl.DataFrame(rows, schema=["relation", "entropy"], orient="row")
    figure = entropy_boxes(entropies, relations=SIX)
    assert figure.axes[0].get_ylim()[1] == 1.02
    assert (
        [
            line
            for line in lines_of(figure)
            if "-" not in line.partition(";")[2] and "from" not in line and not line.endswith("; ")
        ]
        == """\
figure 6.4 x 3.2
panel '' | response entropy
  line #000000 - 1 pt at 0.75 1.25 1.25 0.75 0.75; 0.625 0.625 0.875 0.875 0.625
  line #000000 - 1 pt at 1 1; 0.625 0.5
  line #000000 - 1 pt at 1 1; 0.875 1
  line #000000 - 1 pt at 0.875 1.125; 0.5 0.5
  line #000000 - 1 pt at 0.875 1.125; 1 1
  line #0072b2 - 1 pt at 0.75 1.25; 0.75 0.75
  line #d55e00 - 1 pt at 0.75 1.25; 0.75 0.75
  line #000000 - 1 pt at 4.75 5.25 5.25 4.75 4.75; 0.25 0.25 0.25 0.25 0.25
  line #000000 - 1 pt at 5 5; 0.25 0.25
  line #000000 - 1 pt at 5 5; 0.25 0.25
  line #000000 - 1 pt at 4.875 5.125; 0.25 0.25
  line #000000 - 1 pt at 4.875 5.125; 0.25 0.25
  line #0072b2 - 1 pt at 4.75 5.25; 0.25 0.25
  line #d55e00 - 1 pt at 4.75 5.25; 0.25 0.25
""".splitlines()
    )


def test_a_page_draws_the_correlations_of_its_agents_or_says_that_there_are_none():
    rows = [
        {"agent": agent, "metric": "symmetry", "relation": "ANT", "frequency": "pair_mean", "rho": rho}
        for agent, rho in (("o", -0.2), ("m", 0.1))
    ]
    tables = pl.DataFrame(schema=AVERAGES), pl.DataFrame(schema=TESTS)
    shown = results(*tables, correlations=pl.DataFrame(rows, schema=CORRELATIONS))
    assert names(draw_correlations("symmetry", shown).axes[0]) == ["m", "o"]
    [sentence] = draw_correlations("soundness", shown).texts
    assert sentence.get_text() == "No model's soundness could be correlated with word frequency."
    assert sentence.get_gid() == NOTHING


def test_what_figures_show_comes_from_the_files_unless_other_tables_are_given():
    averages = pl.DataFrame([ROWS[0], {**ROWS[1], "value": None}], schema=AVERAGES)
    models = {"m": {"type": "masked"}, "other": {"type": "causal"}}
    drawing = Drawing(
        averages, "tests", SIX, [], ["humans", "m", "random"], models, 5, {"x": FIRST}, controls=["random"]
    )
    found = drawing.data()
    assert (found.values, found.averages.height) == ({"x": FIRST}, 1)
    assert found.kinds == {"humans": "humans", "m": "masked", "random": "control"}
    assert (found.models, found.k, found.inference) == ({"m": {"type": "masked"}}, 5, "linked")
    assert (found.families, found.layered, found.ways) == ({}, {}, {})
    assert drawing.data({"y": FIRST}).values == {"y": FIRST}
    assert replace(drawing, values=None).data().values == {}
    named = replace(drawing, families={"m": "f"}, layered={"l": "causal"}, ways={"m": {}}).data()
    assert (named.families, named.layered, named.ways) == ({"m": "f"}, {"l": "causal"}, {"m": {}})


def test_the_title_of_a_panel_counts_the_units_that_agents_share():
    rows = pl.DataFrame({"units": [1_300, 5, 2_000], "own_units": [False, None, True]})
    assert panel_title("HYP", rows) == "HYP, n = 1,300"
    assert panel_title("HYP", rows.filter("own_units")) == "HYP"


@pytest.mark.parametrize(
    ("metric", "inference", "words"),
    [
        ("soundness", "linked", "targets that share a relatum are linked"),
        ("soundness", "clusters", "sign flips over targets"),
        ("symmetry", "clusters", "sign flips over groups of linked pairs"),
        ("no_word", "linked", "sign flips over targets"),
        ("completeness", "paper", "Wilcoxon's test"),
    ],
)
def test_a_figure_says_whose_test_it_shows(metric, inference, words):
    assert figures.tested_by(by_name(MEASURES)[metric], inference) == words


@pytest.mark.parametrize(
    ("value", "high", "limit"),
    [(0.5, 0.6, 0.63), (0.6, 0.5, 0.63), (0.01, None, 0.0525), (0.99, 1.0, 1.02), (None, None, 1.02)],
)
def test_an_axis_ends_a_little_beyond_all_values(value, high, limit):
    rows = pl.DataFrame(
        {"value": [value, None], "high": [high, None]}, schema=dict.fromkeys(("value", "high"), pl.Float64)
    )
    assert _limit(rows) == pytest.approx(limit)


def test_the_markers_of_cutoffs_are_spread_over_half_a_row_and_fuller_ones_are_larger_cutoffs():
    assert [_shift(0, 1), _shift(0, 2), _shift(1, 2), _shift(0, 4)] == [0, -0.125, 0.125, -0.1875]
    assert [_fill(0, 1), _fill(0, 3), _fill(1, 3), _fill(2, 3)] == [1, 0, 0.5, 1]


@pytest.mark.parametrize(
    ("width", "blocks", "room"), [(8.4, 3, 14), (8.4, 2, 22), (8.4, 4, 22), (16, 3, 29), (16, 2, 44), (8.4, 44, 6)]
)
def test_in_print_a_title_of_the_overview_has_the_letters_that_have_room_in_a_line(width, blocks, room):
    """More than three relations stand across two columns of text, as all do where a column is as wide as two."""
    rows = pl.DataFrame({"units": [1_200, None, 7]})
    name = " ".join(["a"] * 60)
    assert _block_title(rows, name, blocks) == f"{name}, n = 1,200"
    with in_print_at(width):
        first, *_, last = _block_title(rows, name, blocks).split("\n")
    assert len(first) == room - (room + 1) % 2
    assert last == ("1,200" if room < len("n = 1,200") else "n = 1,200")
    assert _block_title(rows.filter(units=0), name, blocks) == name


def test_one_metric_alone_needs_people():
    assert [measure.name for measure in MEASURES if measure.needs == "people"] == ["prototypicality"]
    assert {measure.needs for measure in MEASURES} == {"", "people"}


@pytest.mark.parametrize("families", [False, True])
def test_the_first_related_words_are_drawn_where_an_agent_has_some(families):
    rows = [{"agent": "m", "metric": "first_related", "relation": "HYP", "value": 2.0}]
    shares = pl.DataFrame([("m", "HYP", 0.75), ("m", "SYN", 0.25), ("gold", "HYP", 1.0)], FIRST.schema, orient="row")
    tests, models = pl.DataFrame(schema=TESTS), {"m": {"family": "BERT"}}
    shown = results(pl.DataFrame(rows, schema=AVERAGES), tests, shares, models=models)
    (axis,) = draw_first_related(shown, families=families).axes
    assert axis.get_xlabel() == "share of the first related words"
    none = draw_first_related(replace(shown, averages=shown.averages.clear()), families=families)
    assert none.axes == []


def test_the_gold_standard_stands_before_the_agents_in_their_order_and_each_part_leads_to_its_answers():
    """The order is that of all figures. A family has no answers of its own to lead to, and the order of the table."""
    rows = [{"agent": "m", "metric": "first_related", "relation": "HYP", "value": 2.0}]
    shares = [(agent, "HYP", 1.0) for agent in ("n", "gold", "m", "humans")]
    first = pl.DataFrame(shares, FIRST.schema, orient="row")
    shown = results(
        pl.DataFrame(rows, schema=AVERAGES), pl.DataFrame(schema=TESTS), first, models={"m": {"family": "B"}}
    )
    figure = draw_first_related(shown)
    (axis,) = figure.axes
    assert names(axis) == ["gold", "humans", "m", "n"]
    links = {patch.get_url() for patch in axis.patches if patch.get_width() > 0}
    assert links == {None, *(f"../answers.html#a={agent}&other=HYP" for agent in ("humans", "m", "n"))}
    assert axis.get_xlim() == (0, 1)
    [key] = figure.legends
    assert [text.get_text() for text in key.get_texts()][:2] == ["hypernymy (HYP)", "hyponymy (HPO)"]
    (family_axis,) = draw_first_related(shown, families=True).axes
    assert names(family_axis) == ["n", "gold", "B", "humans"]
    assert {patch.get_url() for patch in family_axis.patches} == {None}
