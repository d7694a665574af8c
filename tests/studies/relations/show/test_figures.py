"""The figures of the metrics: what is drawn, in which order, and what is said where nothing can be."""

import itertools
from dataclasses import replace
from functools import partial

import polars as pl
import pytest
from relprobe.core.relation import Relation, Relations
from relprobe.report.analyses import makers
from relprobe.report.figures import save_all
from relprobe.report.figures.areas import FAINT_INK
from relprobe.report.shown import page_of
from relprobe.studies.relations.analyses.frequency import CORRELATIONS
from relprobe.studies.relations.analyses.series import series_table
from relprobe.studies.relations.figures import OF_PAGE, FigureData, draw
from relprobe.studies.relations.plots import by_kind
from relprobe.studies.relations.schemas import AVERAGES, TESTS

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
    making = makers("relations", "FIGURES", {name: partial(draw, name) for name in OF_PAGE}, names)
    save_all(((name, make(given)) for name, make in making.items()), [tmp_path / f"{name}.svg" for name in names])
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
    save_all(((name, draw(name, given)) for name in ["overview"]), [tmp_path / "8.4cm/overview.pdf"])
    assert said(caplog) == ["overview is 16.8 cm wide, as its texts have no room in one column"]
