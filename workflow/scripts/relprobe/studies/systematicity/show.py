"""All that the page of the study shows at once, as the step `show` writes it: tables, figures, and the page of answers."""

from dataclasses import dataclass
from pathlib import Path

from relprobe.core.files import Parquet
from relprobe.report.agent_styles import agent_styles
from relprobe.report.analyses import draw_figures, make_tables
from relprobe.report.answers import publish_or_say
from relprobe.report.figures import Exhibits, Figures
from relprobe.stats.schemas import Inference
from relprobe.studies.systematicity import tables
from relprobe.studies.systematicity.figures import FIGURES, Styles
from relprobe.studies.systematicity.results import Results


@dataclass(frozen=True)
class Drawing:
    """What figures are drawn, and how.

    `figure_values`: figure -> the table with its values. `kinds`: agent -> masked, causal or control, in the order of the
    rows. `families`: those of all models of the config (`agent_styles.families`). `inference`: what the lines of the
    classifier's figure are (`detection_dots`). `layered`: agent that is asked after each of its layers -> masked or causal.
    """

    figure_values: dict[str, str]
    kinds: dict[str, str]
    inference: Inference
    families: dict[str, str] | None = None
    layered: dict[str, str] | None = None

    def styles(self) -> Styles:
        """Return how the agents look."""
        families = self.families or {}
        return Styles(agent_styles(self.kinds, families), agent_styles(self.layered or {}, families), self.inference)


@dataclass(frozen=True)
class Page:
    """What a run has on the page of the study. `models`: the agents that are models. `run`: the title of the run."""

    table_names: list[str]
    models: list[str] | None = None
    run: str = ""


def show(
    results: Results,
    page: Page,
    drawing: Drawing,
    template: Path,
    answers: Path,
    compared: dict[str, Parquet] | None = None,
) -> Exhibits:
    """Write the tables of the page and those of the analyses, and the page of answers, and draw the figures.

    `answers`: the file of the page of answers. `compared`: the tables of the page that the step `compare` has made.
    DataError: the page has a table or figure that nothing makes.
    """
    publish_or_say(answers, tables.answers, results, template, answers, models=page.models, run=page.run)
    shown = make_tables("systematicity", tables.TABLES, page.table_names, results)
    return Exhibits(shown, figures({**shown, **(compared or {})}, drawing))


def figures(tables: dict[str, Parquet], drawing: Drawing) -> Figures:
    """Draw figures from the tables with their values: those of the method, and those of the analyses."""
    values = {name: tables[table] for name, table in drawing.figure_values.items()}
    return draw_figures("systematicity", FIGURES, values, drawing.styles(), values=values)
