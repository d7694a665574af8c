"""What the figures along layers are drawn of, study by study: their conditions, their labels and the looks of agents."""

from types import SimpleNamespace

import polars as pl
import pytest
from relprobe.report import figures
from relprobe.report.agent_styles import Styles
from relprobe.studies.analogies.analyses import layers as layers_of_analogies
from relprobe.studies.analogies.schemas import TUPLES
from relprobe.studies.degrees.analyses import layers as layers_of_degrees
from relprobe.studies.pairs.analyses import layers as layers_of_pairs
from relprobe.studies.systematicity.analyses import layers as layers_of_systematicity

LAYERED = Styles({}, {"m": object()})
"""The looks of all agents, and of those that are asked after each layer."""
DEGREES_FILES = SimpleNamespace(series="series", classes=lambda: ["SIMILAR", "CASE RELATIONS"])
PAIRS_SERIES = pl.DataFrame({"condition": ["HYP", None, "own", "HYP"]})
CAPITALS = ("E01", "capitals", "ES", 1, "test", "rome", "italy", ["italy"], "rome : italy", "")
ANALOGY_FILES = SimpleNamespace(series="series", tuples=pl.DataFrame([CAPITALS], schema=TUPLES, orient="row"))


@pytest.mark.parametrize(
    ("analysis", "files", "metric", "label", "titles"),
    [
        *(
            (
                *(layers_of_degrees, DEGREES_FILES, metric, label),
                {"test": "all test subcategories", "SIMILAR": "Similar", "CASE RELATIONS": "Case relations"},
            )
            for metric, label in (
                ("rho", "Spearman's ρ (mean over the test subcategories)"),
                ("maxdiff", "MaxDiff accuracy (% of questions)"),
            )
        ),
        *(
            (
                *(layers_of_analogies, ANALOGY_FILES, probe, f"accuracy, {probe}"),
                {"All": "all relations", "ES": "encyclopedic semantics"},
            )
            for probe in ("random", "reverse", "type")
        ),
        *(
            (layers_of_pairs, SimpleNamespace(series=PAIRS_SERIES), metric, label, {"HYP": "HYP", "own": "own"})
            for metric, label in (
                ("ap", "Average precision (mean over targets)"),
                ("rho", "Spearman's ρ (over pairs)"),
            )
        ),
        (layers_of_pairs, SimpleNamespace(series=None), "rho", "Spearman's ρ (over pairs)", {}),
        *(
            (layers_of_systematicity, "series", metric, label, {"seen": "seen hypernyms", "unseen": "unseen hypernyms"})
            for metric, label in (
                ("detection", "accuracy"),
                ("detection_partial", "accuracy, hypernym alone"),
            )
        ),
    ],
)
def test_a_figure_along_layers_has_a_panel_for_each_condition_of_its_study(
    analysis, files, metric, label, titles, monkeypatch
):
    monkeypatch.setattr(figures, "layer_figure", lambda *given: given)
    series, drawn, axis_label, panels, looks = analysis.FIGURES[f"layers_{metric}"](files, LAYERED)
    assert (drawn, axis_label, panels, looks) == (metric, label, titles, LAYERED.layered)
    assert list(panels) == list(titles)
    assert series is (files if files == "series" else files.series)
