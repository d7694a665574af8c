"""The figures of word frequency: what is drawn, and that it is readable."""

import polars as pl
from relprobe.report.figures import save
from relprobe.studies.relations.analyses.frequency import CORRELATIONS, frequency_correlations

from tests.studies.relations.six import SIX


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
    assert [label.get_text() for label in mean.get_xticklabels()] == ["antonymy", "synonymy"]
    assert figure.axes[-1].get_ylim() == (-1, 1)  # the bar of colours
    views = [f"../answers.html#group={code}&a={agent}" for agent in "mn" for code in ("ANT", "SYN")]
    assert [cell.get_url() for cell in mean.patches] == views


def test_a_heat_map_of_correlations_has_the_number_of_units():
    table = correlations_of(("m", "symmetry", "ANT", "pair_mean", -0.254)).with_columns(units=pl.lit(21, pl.UInt32))
    figure = frequency_correlations(table, "symmetry", relations=SIX)
    assert [label.get_text() for label in figure.axes[0].get_xticklabels()] == ["antonymy, 21"]


def test_negligible_correlations_stay_pale():
    figure = frequency_correlations(
        correlations_of(("m", "prototypicality", "ANT", "target", 0.02)), "prototypicality", relations=SIX
    )
    assert figure.axes[-1].get_ylim() == (-0.3, 0.3)


def test_the_colours_reach_as_far_below_0_as_above():
    table = correlations_of(("m", "symmetry", "ANT", "pair_mean", -0.9), ("m", "symmetry", "SYN", "pair_mean", 0.4))
    assert frequency_correlations(table, "symmetry", relations=SIX).axes[-1].get_ylim() == (-0.9, 0.9)


def test_correlations_that_all_are_missing_can_be_drawn(tmp_path):
    figure = frequency_correlations(
        correlations_of(("m", "prototypicality", "ANT", "target", None)), "prototypicality", relations=SIX
    )
    save(figure, tmp_path / "figure")
    assert "prototypicality and frequency" in (tmp_path / "figure.svg").read_text()


def test_without_correlations_there_is_no_figure():
    assert frequency_correlations(correlations_of(), "soundness", relations=SIX) is None
