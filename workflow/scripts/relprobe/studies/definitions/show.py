"""All that the page of the study shows at once, as the step `show` writes it: tables, figures, and the page of answers."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from relprobe.report.agent_styles import agent_styles
from relprobe.report.analyses import draw_figures, make_tables
from relprobe.report.answers import publish_or_say
from relprobe.report.figures import Exhibits, Figures
from relprobe.stats.schemas import Averages
from relprobe.studies.definitions import tables
from relprobe.studies.definitions.figures import FIGURES
from relprobe.studies.definitions.results import Results


@dataclass(frozen=True)
class Page:
    """What a run has on the page of the study, and what the page of answers says.

    `table_names`, `figure_names`: those that are made. `kinds`: agent -> humans, masked, causal or control. `families`:
    those of all models of the config (`agent_styles.families`). `source`: the name of the dictionary. `models`: the agents
    that are models. `run`: the title of the run.
    """

    table_names: list[str]
    figure_names: list[str]
    kinds: dict[str, str]
    families: dict[str, str] | None = None
    source: str = "WordNet"
    models: list[str] | None = None
    run: str = ""


def show(results: Results, page: Page, template: Path, answers: Path) -> Exhibits:
    """Write the tables of the page and those of the analyses, and the page of answers, and draw the figures.

    `answers`: the file of the page of answers. DataError: the page has a table or figure that nothing makes.
    """
    items = results.responses, results.groups, results.properties
    of_page: dict[str, Any] = {"source": page.source, "models": page.models, "run": page.run}
    publish_or_say(answers, tables.answers, *items, template, answers, **of_page)
    shown = make_tables("definitions", tables.TABLES, page.table_names, results)
    drawn = figures(results.averages, figure_names=page.figure_names, kinds=page.kinds, families=page.families)
    return Exhibits(shown, drawn)


def figures(
    averages: Averages, *, figure_names: list[str], kinds: dict[str, str], families: dict[str, str] | None = None
) -> Figures:
    """Draw figures from the averages: those of the measures, and those of the analyses. The settings: see `Page`."""
    return draw_figures("definitions", FIGURES, figure_names, averages, agent_styles(kinds, families or {}))
