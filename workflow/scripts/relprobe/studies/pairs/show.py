"""All that the page of the study shows at once, as the step `show` writes it: tables and figures."""

from dataclasses import dataclass

from relprobe.report.analyses import draw_figures, make_tables
from relprobe.report.figures import Exhibits, Figures
from relprobe.report.looks import looks
from relprobe.stats.controls import model_of
from relprobe.studies.pairs.figures import FIGURES, Styles
from relprobe.studies.pairs.results import FigureFiles, Results
from relprobe.studies.pairs.tables import TABLES


@dataclass(frozen=True)
class FigureSettings:
    """Which figures are drawn, and the types of models, which decide how they look.

    `kinds`, `layered`: agent -> masked, causal, humans or control, of models and other agents, and of those with
    layers; `families`: model -> family for all models of the config (`looks.families`).
    """

    figure_names: list[str]
    kinds: dict[str, str]
    families: dict[str, str] | None = None
    layered: dict[str, str] | None = None


def show(results: Results, settings: FigureSettings, *, table_names: list[str]) -> Exhibits:
    """Write the tables of the page and those of the analyses, and draw the figures.

    DataError: the page has a table or figure that nothing makes.
    """
    return Exhibits(make_tables("pairs", TABLES, table_names, results), figures(results, settings))


def figures(files: FigureFiles, settings: FigureSettings) -> Figures:
    """Draw figures: average precision by the kind of foils, and those of the analyses."""
    families = settings.families or {}
    agents = files.averages["agent"].unique(maintain_order=True)
    further_agents = {model_of(agent) or agent for agent in agents} - set(settings.kinds)
    kinds = {**settings.kinds, **dict.fromkeys(sorted(further_agents), "control")}
    styles = Styles(looks(kinds, families), looks(settings.layered or {}, families))
    return draw_figures("pairs", FIGURES, settings.figure_names, files, styles)
