"""All that the page of the study shows at once, as the step `show` writes it: tables, figures, and the page of answers."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from relprobe.report.agent_styles import FigureSettings
from relprobe.report.analyses import draw_figures, make_tables
from relprobe.report.answers import publish_or_say
from relprobe.report.figures import Exhibits, Figures
from relprobe.stats.schemas import Averages
from relprobe.studies.definitions import tables
from relprobe.studies.definitions.figures import FIGURES
from relprobe.studies.definitions.results import Results


@dataclass(frozen=True)
class Page:
    """Which tables are made, and what the page of answers says.

    `source`: the name of the dictionary. `models`: the agents that are models. `run`: the title of the run.
    """

    table_names: list[str]
    source: str = "WordNet"
    models: list[str] | None = None
    run: str = ""


def show(results: Results, page: Page, template: Path, answers: Path, settings: FigureSettings) -> Exhibits:
    """Write the tables of the page and those of the analyses, and the page of answers, and draw the figures.

    `answers`: the file of the page of answers. DataError: the page has a table or figure that nothing makes.
    """
    items = results.responses, results.groups, results.properties
    page_options: dict[str, Any] = {"source": page.source, "models": page.models, "run": page.run}
    publish_or_say(answers, tables.answers, *items, template, answers, **page_options)
    shown = make_tables("definitions", tables.TABLES, page.table_names, results)
    return Exhibits(shown, figures(results.averages, settings))


def figures(averages: Averages, settings: FigureSettings) -> Figures:
    """Draw figures from the averages: those of the measures, and those of the analyses."""
    return draw_figures("definitions", FIGURES, settings.figure_names, averages, settings.styles().agents)
