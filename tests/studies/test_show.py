"""The step `show` of pairs and degrees: the tables of the page from the results, and its figures by the settings."""

from types import SimpleNamespace

import polars as pl
import pytest
from relprobe.report.agent_styles import FigureSettings
from relprobe.studies.degrees import show as degrees
from relprobe.studies.pairs import show as pairs


@pytest.mark.parametrize(("module", "study"), [(pairs, "pairs"), (degrees, "degrees")])
def test_a_page_has_the_named_tables_of_the_results_and_the_named_figures_in_the_looks_of_the_settings(
    monkeypatch, module, study
):
    results = SimpleNamespace(averages=pl.DataFrame({"agent": ["small", "random"]}))
    monkeypatch.setattr(module, "make_tables", lambda *given: {"made": given})
    monkeypatch.setattr(module, "draw_figures", lambda *given: [("drawn", given)])
    exhibits = module.show(results, FigureSettings(["means"], {"small": "masked"}), table_names=["data"])
    assert exhibits.tables == {"made": (study, module.TABLES, ["data"], results)}
    ((_, (*drawn, styles)),) = exhibits.figures
    assert drawn == [study, module.FIGURES, ["means"], results]
    assert set(styles.agents) == {"small", "random"}
