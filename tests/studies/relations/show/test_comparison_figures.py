"""The figures of sizes and word frequency: what is drawn, and that it is readable."""

import matplotlib.pyplot as plt
import polars as pl
import pytest
from relprobe.report.figures import save
from relprobe.report.looks import FAMILY_COLOURS
from relprobe.studies.relations.compare.frequency import CORRELATIONS
from relprobe.studies.relations.schemas import AVERAGES
from relprobe.studies.relations.show.drawn.comparisons import (
    by_size,
    draw,
    frequency_correlations,
    over_training,
    parameters,
)

from tests.studies.relations.six import SIX

MODELS = {
    "b-large": {"type": "masked", "family": "B", "size": 3.4e8},
    "b-base": {"type": "masked", "family": "B", "size": 1.1e8},
    "o": {"type": "causal", "family": "O", "size": 1.3e9},
    "nosize": {"type": "causal", "family": "O"},
}


@pytest.fixture(autouse=True)
def closed():
    yield
    plt.close("all")


def averages_of(*rows):
    """Return AVERAGES from (agent, metric, relation, k, value)."""
    names = ["agent", "metric", "relation", "k", "value"]
    table = pl.DataFrame(rows, schema={name: AVERAGES[name] for name in names}, orient="row")
    return pl.concat([pl.DataFrame(schema=AVERAGES), table], how="diagonal")


def lines(axis):
    own = [line for line in axis.get_lines() if not line.get_label().startswith("_")]
    return {line.get_label(): (list(line.get_xdata()), list(line.get_ydata())) for line in own}


def test_sizes_are_a_line_per_family_from_the_smallest_to_the_largest():
    table = averages_of(
        ("b-large", "soundness", "HYP", None, 0.4),
        ("b-base", "soundness", "HYP", None, 0.3),
        ("o", "soundness", "HYP", None, 0.2),
        ("nosize", "soundness", "HYP", None, 0.9),
        ("humans", "soundness", "HYP", None, 0.9),
        ("o", "soundness", "ANT", None, 0.6),
    )
    figure = by_size(table, MODELS, "soundness", relations=SIX)
    first, second = figure.axes
    assert (first.get_title("left"), second.get_title("left")) == ("hypernymy", "antonymy")
    assert lines(first) == {"B": ([1.1e8, 3.4e8], [0.3, 0.4]), "O": ([1.3e9], [0.2])}
    assert lines(second) == {"O": ([1.3e9], [0.6])}
    colours = {line.get_label(): line.get_color() for line in first.get_lines() if line.get_linestyle() != "None"}
    assert colours == {"B": FAMILY_COLOURS[0], "O": FAMILY_COLOURS[1]}
    assert [text.get_text() for text in first.texts] == ["B", "O"]  # each beside the end of its line
    markers = [line.get_marker() for line in first.get_lines() if line.get_linestyle() == "None"]
    assert len(set(markers[:2])) == 2  # the two models of B
    low, high = first.get_ylim()
    assert low == 0
    assert high > 0.6  # the panels share the axis, and the highest point is in the second


def test_sizes_take_symmetry_at_one_k_and_audc_over_all_relations():
    table = averages_of(
        ("o", "symmetry", "ANT", 1, 0.1), ("o", "symmetry", "ANT", 5, 0.5), ("o", "audc", None, None, 9.0)
    )
    symmetry, area = by_size(table, MODELS, "symmetry", 5, relations=SIX), by_size(table, MODELS, "audc", relations=SIX)
    assert lines(symmetry.axes[0]) == {"O": ([1.3e9], [0.5])}
    assert symmetry.get_supylabel() == "symmetry (k = 5)"
    assert lines(area.axes[0]) == {"O": ([1.3e9], [9.0])}
    assert (area.axes[0].get_title("left"), area.get_supylabel()) == ("all relations", "AuDC (of 30 pairs)")


def test_sizes_have_labelled_ticks_whatever_their_range():
    table = averages_of(*((agent, "audc", None, None, 9.0) for agent in ("b-base", "b-large")))
    axis = by_size(table, MODELS, "audc", relations=SIX).axes[0]
    assert [label.get_text() for label in axis.get_xticklabels()] == ["100M", "300M"]


def test_checkpoints_are_a_line_over_the_steps_of_training():
    models = {f"m-{step}": {"type": "causal", "series": "m", "step": step} for step in (1000, 0)} | MODELS
    table = averages_of(
        ("m-1000", "soundness", "HYP", None, 0.3),
        ("m-0", "soundness", "HYP", None, 0.1),
        ("o", "soundness", "HYP", None, 0.9),
    )
    figure = over_training(table, models, "soundness", relations=SIX)
    assert lines(figure.axes[0]) == {"m": ([0, 1000], [0.1, 0.3])}
    assert figure.get_supxlabel() == "training step"
    assert over_training(table, MODELS, "soundness", relations=SIX) is None


def test_without_sizes_there_is_no_figure():
    table = averages_of(("nosize", "soundness", "HYP", None, 0.9))
    assert by_size(table, MODELS, "soundness", relations=SIX) is None
    assert by_size(table, {}, "soundness", relations=SIX) is None
    assert by_size(table, MODELS, "prototypicality", relations=SIX) is None


@pytest.mark.parametrize(
    ("size", "said"), [(1.2e7, "12M"), (1.3e9, "1.3B"), (6.6e10, "66B"), (4.4e6, "4.4M"), (5000, "5K"), (12, "12")]
)
def test_parameters_are_written_as_in_papers(size, said):
    assert parameters(size) == said


def correlations_of(*rows):
    """Return CORRELATIONS from (agent, metric, relation, frequency, rho)."""
    names = ["agent", "metric", "relation", "frequency", "rho"]
    table = pl.DataFrame(rows, schema={name: CORRELATIONS[name] for name in names}, orient="row")
    return pl.concat([pl.DataFrame(schema=CORRELATIONS), table], how="diagonal")


def test_correlations_are_a_cell_per_agent_and_relation():
    table = correlations_of(
        ("m", "symmetry", "ANT", "pair_mean", -0.254),
        ("m", "symmetry", "SYN", "pair_mean", 0.1),
        ("n", "symmetry", "ANT", "pair_mean", None),
        ("n", "symmetry", "SYN", "pair_mean", -0.001),
        ("m", "symmetry", "ANT", "pair_difference", 1.0),
    )
    figure = frequency_correlations(table, "symmetry", relations=SIX)
    mean, difference, _ = figure.axes
    assert mean.get_title("left") == "mean of target and relatum"
    assert [text.get_text() for text in mean.texts] == ["−.25", "+.10", "", ".00"]
    assert [text.get_text() for text in difference.texts] == ["+1.00", "", "", ""]
    assert [label.get_text() for label in mean.get_yticklabels()] == ["m", "n"]
    assert [label.get_text() for label in mean.get_xticklabels()] == ["ANT", "SYN"]
    assert figure.axes[-1].get_ylim() == (-1, 1)  # the bar of colours


def test_a_heat_map_of_correlations_has_the_number_of_units():
    table = correlations_of(("m", "symmetry", "ANT", "pair_mean", -0.254)).with_columns(units=pl.lit(21, pl.UInt32))
    figure = frequency_correlations(table, "symmetry", relations=SIX)
    assert [label.get_text() for label in figure.axes[0].get_xticklabels()] == ["ANT\n21"]


def test_negligible_correlations_stay_pale():
    figure = frequency_correlations(
        correlations_of(("m", "prototypicality", "ANT", "target", 0.02)), "prototypicality", relations=SIX
    )
    assert figure.axes[-1].get_ylim() == (-0.3, 0.3)


def test_correlations_that_all_are_missing_can_be_drawn(tmp_path):
    figure = frequency_correlations(
        correlations_of(("m", "prototypicality", "ANT", "target", None)), "prototypicality", relations=SIX
    )
    save(figure, tmp_path / "figure")
    assert "prototypicality and frequency" in (tmp_path / "figure.svg").read_text()


def test_without_correlations_there_is_no_figure():
    assert frequency_correlations(correlations_of(), "soundness", relations=SIX) is None


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("frequency_soundness", "No model's soundness could be correlated with word frequency."),
        ("size_symmetry", "No model that has a family and a size in the config has values of symmetry."),
    ],
)
def test_a_figure_without_data_says_why(name, sentence):
    assert [
        text.get_text() for text in draw(name, averages_of(), correlations_of(), MODELS, 5, relations=SIX).texts
    ] == [sentence]


def test_figures_are_drawn_by_name():
    symmetry = averages_of(("o", "symmetry", "ANT", 5, 0.5), ("o", "symmetry", "ANT", 1, 0.1))
    assert lines(draw("size_symmetry", symmetry, correlations_of(), MODELS, 5, relations=SIX).axes[0]) == {
        "O": ([1.3e9], [0.5])
    }
    rho = correlations_of(("m", "soundness", "HYP", "target", 0.5))
    assert (
        draw("frequency_soundness", averages_of(), rho, MODELS, 5, relations=SIX).get_supxlabel()
        == "soundness and frequency\n(below a relation: n)"
    )
