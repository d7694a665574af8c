"""The tables and the figures of the page: the averages and the tests of a study."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import polars as pl
from matplotlib.figure import Figure

from relprobe.core.errors import DataError
from relprobe.core.files import Parquet
from relprobe.core.study import NO_QUESTIONS, Questions
from relprobe.report.agent_styles import AgentStyle, agent_styles
from relprobe.report.analyses import make_tables
from relprobe.report.answers import publish_or_say
from relprobe.report.figures import Exhibits, Figures, dots, family_key, panels
from relprobe.stats.controls import beyond_controls
from relprobe.stats.schemas import Averages
from relprobe.studies.frame.answers import answers
from relprobe.studies.frame.results import Results
from relprobe.studies.frame.trials import Files

SHOWN = ["agent", "metric", "condition", "value", "low", "high", "units", "note"]
"""The columns of the averages that the page shows."""


TABLES: Mapping[str, Callable[[Results], pl.DataFrame]] = {
    "overview": lambda results: results.averages.select(SHOWN),
    "tests": lambda results: results.tests,
    "controls": lambda results: beyond_controls(results.tests, results.controls or []),
}
"""Name -> the table of the page; the other ones are those of analyses."""


@dataclass(frozen=True, kw_only=True)
class AnswersPage:
    """What the page of answers is made of, in a study that says what it asks (`Questions`), and its file (`answers`).

    `title`: that of the study's page. `models`: the agents that are models. `run`: the title of the run.
    """

    questions: Questions = NO_QUESTIONS
    probes: Parquet | None = None
    responses: dict[str, Parquet] | None = None
    template: Path | None = None
    answers: Path | None = None
    title: str = ""
    models: list[str] | None = None
    run: str = ""


def show(
    results: Results,
    page: AnswersPage,
    *,
    study: str,
    table_names: list[str],
    names: list[str],
    kinds: dict[str, str],
    families: dict[str, str] | None = None,
) -> Exhibits:
    """Write the tables of the page and those of the analyses of a study, and the page of answers; draw the figures.

    `table_names`: those that are made. DataError: the page has a table that nothing makes.
    """
    if page.template and page.answers and page.probes is not None and page.responses is not None:
        files = Files(probes=page.probes, responses=page.responses, metrics=results.values())
        page_options: dict[str, Any] = {"study": study, "title": page.title, "models": page.models, "run": page.run}
        publish_or_say(page.answers, answers, files, page.questions, page.template, page.answers, **page_options)
    tables = make_tables(study, TABLES, table_names, results)
    return Exhibits(tables, figures(results.averages, names=names, kinds=kinds, families=families))


def figures(
    averages: Averages, *, names: list[str], kinds: dict[str, str], families: dict[str, str] | None = None
) -> Figures:
    """Draw a figure for each metric of `names`, with a panel for each condition and a row for each agent.

    `kinds`: agent -> masked, causal or control; `families`: model -> family for all models of the config. DataError: a
    figure of the page has the name of no metric.
    """
    styles = agent_styles(kinds, families or {})
    for name in names:
        rows = averages.filter(metric=name)
        if rows.is_empty():
            metrics_drawn = ", ".join(averages["metric"].unique(maintain_order=True))
            raise DataError(
                f"page.md: there is no metric {name} to draw: name the figure after one of {metrics_drawn}."
            )
        yield name, partial(_by_condition, rows, styles)


def _by_condition(rows: pl.DataFrame, styles: Mapping[str, AgentStyle]) -> Figure:
    """Draw the averages of one metric: a panel for each condition, a row for each agent."""
    conditions = rows["condition"].unique(maintain_order=True).to_list()
    present = set(rows["agent"])
    agents = [agent for agent in styles if agent in present]
    figure, axes = panels(conditions, len(styles))
    for axis, condition in zip(axes, conditions, strict=True):
        rows_by_agent = {row["agent"]: row for row in rows.filter(condition=condition).iter_rows(named=True)}
        drawn = [rows_by_agent.get(agent, {}) for agent in agents]  # all panels have the same rows
        dots(
            axis,
            agents,
            [row.get("value") for row in drawn],
            [styles[agent] for agent in agents],
            [(row.get("low"), row.get("high")) for row in drawn],
        )
    family_key(figure, styles.values())
    return figure
