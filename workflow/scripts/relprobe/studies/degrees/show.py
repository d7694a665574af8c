"""All that the page of the study shows at once, as the step `show` writes it: tables and figures."""

from dataclasses import dataclass

from relprobe.report.analyses import draw_figures, make_tables
from relprobe.report.figures import Exhibits, Figures
from relprobe.report.looks import looks
from relprobe.stats.controls import model_of
from relprobe.studies.degrees.figures import FIGURES, Styles
from relprobe.studies.degrees.results import FigureFiles, Results
from relprobe.studies.degrees.tables import TABLES


@dataclass(frozen=True)
class FigureSettings:
    """Which figures are drawn, and the types of models, which decide how they look.

    `kinds`, `layered`: model -> masked or causal, of the models and of those with layers; `families`: model -> family for
    all models of the config (`looks.families`).
    """

    figure_names: list[str]
    kinds: dict[str, str]
    families: dict[str, str] | None = None
    layered: dict[str, str] | None = None


def show(results: Results, settings: FigureSettings, *, table_names: list[str]) -> Exhibits:
    """Write the tables of the page and those of the analyses, and draw the figures.

    DataError: the page has a table or figure that nothing makes.
    """
    return Exhibits(make_tables("degrees", TABLES, table_names, results), figures(results, settings))


def figures(files: FigureFiles, settings: FigureSettings) -> Figures:
    """Draw figures: agreement per rater, and those of the analyses."""
    agents = files.averages["agent"].unique(maintain_order=True).to_list()
    baselines = {agent: "control" for agent in agents if model_of(agent) is None}
    families = settings.families or {}
    styles = Styles(looks({**settings.kinds, **baselines}, families), looks(settings.layered or {}, families))
    return draw_figures("degrees", FIGURES, settings.figure_names, files, styles)
