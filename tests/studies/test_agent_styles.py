"""A model has the same look in the figures of agents and of layers, and the colour of its family."""

from types import SimpleNamespace

import polars as pl
import pytest
from relprobe.report.agent_styles import CONTROL, FAMILY_COLOURS, FigureSettings
from relprobe.studies.analogies import show as analogies
from relprobe.studies.degrees import show as degrees
from relprobe.studies.pairs import show as pairs

KINDS = {"large": "masked", "other": "causal", "small": "masked"}
FAMILIES = {"small": "F", "other": "G", "large": "F"}
LAYERED = {"other": "causal", "large": "masked"}


def draw_analogies():
    controls = {"random": "control"}
    return analogies.figures(None, FigureSettings([], KINDS | controls, FAMILIES, LAYERED))


def draw_degrees():
    files = SimpleNamespace(averages=pl.DataFrame({"agent": ["random", "small schema", "random"]}))
    return degrees.figures(files, FigureSettings([], KINDS, FAMILIES, LAYERED))


def draw_pairs():
    files = SimpleNamespace(averages=pl.DataFrame({"agent": ["random", "small pmi", "small pmi+target"]}))
    return pairs.figures(files, FigureSettings([], KINDS, FAMILIES, LAYERED))


@pytest.mark.parametrize(
    ("draw", "module"), [(draw_analogies, analogies), (draw_degrees, degrees), (draw_pairs, pairs)]
)
def test_models_of_a_family_have_one_colour_in_figures_of_agents_and_of_layers(monkeypatch, draw, module):
    monkeypatch.setattr(module, "draw_figures", lambda study, figures, names, files, styles: styles)
    styles = draw()
    first, second = FAMILY_COLOURS[:2]
    assert {agent: look.colour for agent, look in styles.agents.items()} == {
        "small": first,
        "large": first,
        "other": second,
        "random": CONTROL,
    }
    assert {agent: look.colour for agent, look in styles.layered.items()} == {"other": second, "large": first}
    assert styles.agents["large"] == styles.layered["large"] != styles.agents["small"]
