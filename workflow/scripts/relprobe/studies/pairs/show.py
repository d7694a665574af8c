"""All that the page of the study shows at once, as the step `show` writes it: tables and figures."""

from relprobe.report.agent_styles import FigureSettings
from relprobe.report.analyses import draw_figures, make_tables
from relprobe.report.figures import Exhibits, Figures
from relprobe.stats.controls import model_of
from relprobe.studies.pairs.figures import FIGURES
from relprobe.studies.pairs.results import FigureFiles, Results
from relprobe.studies.pairs.tables import TABLES


def show(results: Results, settings: FigureSettings, *, table_names: list[str]) -> Exhibits:
    """Write the tables of the page and those of the analyses, and draw the figures.

    DataError: the page has a table or figure that nothing makes.
    """
    return Exhibits(make_tables("pairs", TABLES, table_names, results), figures(results, settings))


def figures(files: FigureFiles, settings: FigureSettings) -> Figures:
    """Draw figures: average precision by the kind of foils, and those of the analyses."""
    agents = files.averages["agent"].unique(maintain_order=True)
    styles = settings.styles(controls=sorted({model_of(agent) or agent for agent in agents} - set(settings.kinds)))
    return draw_figures("pairs", FIGURES, settings.figure_names, files, styles)
