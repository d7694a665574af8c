"""The figure of the classifiers."""

import polars as pl
import pytest
from relprobe.report.agent_styles import CONTROL, FAMILY_COLOURS, agent_styles
from relprobe.stats.averages import averages
from relprobe.studies.systematicity.compare import accuracies, with_intervals
from relprobe.studies.systematicity.figures import detection_dots
from relprobe.studies.systematicity.measures import MEASURES
from relprobe.studies.systematicity.method import detection_values
from relprobe.studies.systematicity.schemas import METRICS
from relprobe.studies.systematicity.show import Drawing

from tests.studies.systematicity.measure.test_metrics import DETECTED


def test_the_lines_of_the_classifiers_figure_are_intervals_or_the_papers_deviations():
    of_agent = detection_values(DETECTED)
    table = with_intervals(
        accuracies({"m": DETECTED}, pl.DataFrame(schema=METRICS)), averages({"m": of_agent}, MEASURES)
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
    of_agents = {agent: look.colour for agent, look in styles.agents.items()}
    assert list(of_agents.items()) == [("small", first), ("large", first), ("other", second), ("majority", CONTROL)]
    assert {agent: look.colour for agent, look in styles.layered.items()} == {"other": second, "large": first}
    assert styles.agents["large"] == styles.layered["large"] != styles.agents["small"]
    assert styles.inference == "linked"
    alone = Drawing({}, {"m": "masked", "n": "causal"}, "paper").styles()
    assert [look.colour for look in alone.agents.values()] == [first, second]
    assert (alone.layered, alone.inference) == ({}, "paper")
