"""The figure of the study: average precision by the kind of foils."""

from collections.abc import Mapping

import polars as pl
from matplotlib.figure import Figure

from relprobe.report.agent_styles import AgentStyle, Styles
from relprobe.report.figures import dots, family_key, nothing_to_draw, panels
from relprobe.stats.controls import model_of, owner
from relprobe.studies.pairs.results import FigureFiles
from relprobe.studies.pairs.schemas import ALL, PairAverages

LABEL = "Average precision (mean over targets)"
ALL_FOILS = "all foils"


def by_foils(averages: PairAverages, styles: Mapping[str, AgentStyle]) -> Figure:
    """Draw a panel per set of pairs and kind of foils, with a row per agent and its interval.

    A set of several conditions has the mean over all of its targets; their own values stand in the table.
    """
    rows = averages.filter(metric="ap")
    agents = [agent for agent in rows["agent"].unique(maintain_order=True) if owner(agent) is None]
    ordered = sorted(agents, key=lambda agent: list(styles).index(model_of(agent) or agent))
    shown = shown_panels(rows)
    if not shown:
        return nothing_to_draw("No target has right words and foils that an agent has judged.")
    titles = [f"{condition}: {ALL_FOILS if foils == ALL else foils}" for condition, foils in shown]
    figure, axes = panels(titles, len(ordered))
    for axis, (condition, foils) in zip(axes, shown, strict=True):
        rows_by_agent = {
            row["agent"]: row for row in rows.filter(condition=condition, foils=foils).iter_rows(named=True)
        }
        panel_rows = [rows_by_agent.get(agent, {}) for agent in ordered]
        models = [model_of(agent) or agent for agent in ordered]
        bounds = [(row.get("low"), row.get("high")) for row in panel_rows]
        values = [row.get("value") for row in panel_rows]
        dots(axis, models, values, [styles[model] for model in models], bounds, labels=ordered)
        axis.set_xlim(0, 1.02)
    figure.supxlabel(LABEL)
    family_key(figure, styles.values())
    return figure


def shown_panels(rows: pl.DataFrame) -> list[tuple[str, str]]:
    """Return the panels: all kinds of foils of each whole set, or of a condition that is in no larger set.

    >>> table = pl.DataFrame({"condition": ["HYP", "wordnet", "own HYP"], "foils": "all"})
    >>> shown_panels(table)
    [('wordnet', 'all'), ('own HYP', 'all')]
    """
    conditions = rows["condition"].unique(maintain_order=True).to_list()
    wholes = [name for name in ("wordnet", "hyperlex", "own") if name in conditions]
    inside = [name for name in conditions if name not in wholes and _set_of(name) in wholes]
    ordered = [*wholes, *(name for name in conditions if name not in (*wholes, *inside))]
    pairs = rows.select("condition", "foils").unique(maintain_order=True)
    return [(name, foils) for name in ordered for foils in pairs.filter(condition=name)["foils"]]


def _set_of(condition: str) -> str:
    """Return the set of a condition; those of WordNet are codes of relations alone."""
    first = condition.partition(" ")[0]
    return first if first in ("hyperlex", "own") else "wordnet"


def _by_foils(files: FigureFiles, styles: Styles) -> Figure:
    return by_foils(files.averages, styles.agents)


FIGURES = {"foils": _by_foils}
"""Name -> what draws the figure of the page; the other ones are those of analyses."""
