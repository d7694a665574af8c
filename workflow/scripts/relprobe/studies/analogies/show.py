"""All that the page of the study shows at once, as the step `show` writes it: tables, figures, and the page of answers."""

from dataclasses import dataclass
from pathlib import Path

from relprobe.report.agent_styles import FigureSettings
from relprobe.report.analyses import draw_figures, make_tables
from relprobe.report.answers import publish_or_say
from relprobe.report.figures import Exhibits, Figures
from relprobe.studies.analogies import tables
from relprobe.studies.analogies.figures import FIGURES
from relprobe.studies.analogies.results import FigureFiles, Results


@dataclass(frozen=True)
class Page:
    """Which tables are made, and what the page of answers says first (`notice`), of which models, and of which run."""

    table_names: list[str]
    notice: str = ""
    models: list[str] | None = None
    run: str = ""


def show(
    results: Results,
    page: Page,
    template: Path,
    answers: Path,
    settings: FigureSettings,
) -> Exhibits:
    """Write the tables of the page and those of the analyses, and the page of answers, and draw the figures.

    `answers`: the file of the page of answers. DataError: the page has a table or figure that nothing makes.
    """
    items = results.instances, results.tuples
    page_inputs = results.decisions, *items, template, answers
    publish_or_say(answers, tables.answers, *page_inputs, notice=page.notice, models=page.models, run=page.run)
    return Exhibits(make_tables("analogies", tables.TABLES, page.table_names, results), figures(results, settings))


def figures(files: FigureFiles, settings: FigureSettings) -> Figures:
    """Draw figures: the accuracies per group, and those of the analyses."""
    return draw_figures("analogies", FIGURES, settings.figure_names, files, settings.styles())
