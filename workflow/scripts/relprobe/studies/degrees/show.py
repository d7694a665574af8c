"""All that the page of the study shows at once, as the step `show` writes it: tables and figures."""

from relprobe.report.agent_styles import FigureSettings
from relprobe.report.analyses import draw_figures, make_tables
from relprobe.report.figures import Exhibits, Figures
from relprobe.stats.controls import model_of
from relprobe.studies.degrees.figures import FIGURES
from relprobe.studies.degrees.results import FigureFiles, Results
from relprobe.studies.degrees.tables import TABLES


def show(results: Results, settings: FigureSettings, *, table_names: list[str]) -> Exhibits:
    """Write the tables of the page and those of the analyses, and draw the figures.

    DataError: the page has a table or figure that nothing makes.
    """
    return Exhibits(make_tables("degrees", TABLES, table_names, results), figures(results, settings))


def figures(files: FigureFiles, settings: FigureSettings) -> Figures:
    """Draw figures: agreement per rater, and those of the analyses."""
    agents = files.averages["agent"].unique(maintain_order=True)
    styles = settings.styles(controls=[agent for agent in agents if model_of(agent) is None])
    return draw_figures("degrees", FIGURES, settings.figure_names, files, styles)
