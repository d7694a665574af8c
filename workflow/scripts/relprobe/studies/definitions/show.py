"""All that the page of the study shows at once, as the step `show` writes it: tables, figures, and the page of answers."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from relprobe.core.analyses import take
from relprobe.core.errors import DataError
from relprobe.report.figures import Exhibits, Figures
from relprobe.report.looks import looks
from relprobe.stats.schemas import Averages
from relprobe.studies.definitions import tables
from relprobe.studies.definitions.figures import FIGURES
from relprobe.studies.definitions.results import Results


@dataclass(frozen=True)
class Page:
    """What a run has on the page of the study, and what the page of answers says.

    `table_names`, `figure_names`: those that are made. `kinds`: agent -> humans, masked, causal or control. `families`:
    those of all models of the config (`looks.families`). `source`: the name of the dictionary. `models`: the agents that are
    models. `run`: the title of the run.
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
    about = results.responses, results.groups, results.properties
    tables.answers(*about, template, answers, source=page.source, models=page.models, run=page.run)
    makers = {**tables.TABLES, **_of_analyses("TABLES")}
    _check(page.table_names, makers, "table")
    shown = {name: makers[name](results) for name in page.table_names}
    drawn = figures(results.averages, figure_names=page.figure_names, kinds=page.kinds, families=page.families)
    return Exhibits(shown, drawn)


def figures(
    averages: Averages, *, figure_names: list[str], kinds: dict[str, str], families: dict[str, str] | None = None
) -> Figures:
    """Draw figures from the averages: those of the measures, and those of the analyses. The settings: see `Page`."""
    drawing = {**FIGURES, **_of_analyses("FIGURES")}
    _check(figure_names, drawing, "figure")
    styles = looks(kinds, families or {})
    for name in figure_names:
        yield name, drawing[name](averages, styles)


def _of_analyses(name: str) -> dict[str, Any]:
    """Return what the analyses make: the name of a table, or figure -> the function that returns it."""
    return {shown: make for of_analysis in take("definitions", name).values() for shown, make in of_analysis.items()}


def _check(names: Iterable[str], made: Collection[str], kind: str) -> None:
    if unknown := [name for name in names if name not in made]:
        raise DataError(
            f"the page of definitions has a {kind} {unknown[0]} that nothing makes: add it to {kind.upper()}S of the "
            "analysis that has its section."
        )
