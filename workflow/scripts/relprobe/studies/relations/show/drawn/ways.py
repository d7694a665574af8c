"""The figures of ways of asking: what one model gets right with the bare probe, with examples, in a chat and in lists."""

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from relprobe.report.figures import dots, label_rows, nothing_to_draw, panels
from relprobe.report.looks import CONTROL, PEOPLE
from relprobe.stats.series import beside
from relprobe.studies.relations.show.addresses import answers
from relprobe.studies.relations.show.drawn.metrics import panel_title
from relprobe.studies.relations.show.drawn.results import Results

Ways = Mapping[str, Mapping[str, Mapping[str, Any]]]
"""Model -> agent -> its way (`core.ways.asked_in_several_ways`)."""


def by_way(metric: str, results: Results) -> Figure:
    """Draw a panel per relation, in it a block per model and in this a row per way of asking it.

    The black line is people with their 95 % interval as a band, and the grey dashed line is the best control that knows no
    relation. A control of one model alone (without-target) is not drawn. An agent without a value is missing in its row.
    """
    relations = results.relations
    rows = results.averages.filter(metric=metric)
    present = set(rows["agent"])
    drawn = {model: of_model for model, of_model in results.ways.items() if present & set(of_model)}
    agents = [agent for of_model in drawn.values() for agent in of_model]
    codes = [code for code in relations.codes if code in set(rows.filter(pl.col("agent").is_in(agents))["relation"])]
    if not codes:
        return nothing_to_draw(f"No model that is asked in several ways has values of {metric}.")
    titles = [panel_title(relations.names[code], rows.filter(relation=code)) for code in codes]
    figure, axes = panels(titles, len(agents) + 1, same_rows=True)
    for axis, code in zip(axes, codes, strict=True):
        of_relation = rows.filter(relation=code)
        _beside(axis, of_relation, results)
        _rows(axis, of_relation, agents, results, code)
    label_rows(axes[0], agents, labels(drawn))
    shown = rows.filter(pl.col("relation").is_in(codes))
    axes[0].set_xlim(0, 1.3 * float(shown.select(pl.max_horizontal("value", "high").max()).item() or 0.1))
    people = "; black: people" if "humans" in results.kinds.values() else ""
    figure.supxlabel(f"{metric}{people}; dashed: the best control", fontsize=9)
    return figure


def labels(ways: Ways) -> list[str]:
    """Return the labels of the rows: the ways, with the name of the model where there are several models.

    >>> gpt, opt = {"gpt": {"way": "bare"}, "gpt-chat": {"way": "chat"}}, {"opt": {"way": "bare"}}
    >>> labels({"gpt": gpt})
    ['bare', 'chat']
    >>> labels({"gpt": gpt, "opt": opt})
    ['gpt: bare', 'gpt: chat', 'opt: bare']
    """
    rows = [(model, str(about["way"])) for model, agents in ways.items() for about in agents.values()]
    return [f"{model}: {way}" if len(ways) > 1 else way for model, way in rows]


def _rows(axis: Axes, rows: pl.DataFrame, agents: Sequence[str], results: Results, code: str) -> None:
    """Draw the agents that have a value in their rows; the row of another one says that it is missing."""
    of_agent = {row["agent"]: row for row in rows.iter_rows(named=True)}
    values = [of_agent.get(agent, {}) for agent in agents]
    dots(
        axis,
        agents,
        [row.get("value") for row in values],
        [results.looks[agent] for agent in agents],
        [(row.get("low"), row.get("high")) for row in values],
        links=[answers(agent, code, k=1) for agent in agents],
    )


def _beside(axis: Axes, rows: pl.DataFrame, results: Results) -> None:
    """Draw people's value with its interval, and the best control."""
    people = [agent for agent, kind in results.kinds.items() if kind == "humans"]
    controls = [agent for agent, kind in results.kinds.items() if kind == "control"]
    for row in beside.of_people(rows, people).iter_rows(named=True):
        axis.axvline(row["value"], color=PEOPLE, linewidth=0.8)
        if row["low"] is not None:
            axis.axvspan(row["low"], row["high"], color=PEOPLE, alpha=0.1, linewidth=0)
    for row in beside.of_best_control(rows, controls, "", ("relation",)).iter_rows(named=True):
        axis.axvline(row["value"], color=CONTROL, linestyle="--", linewidth=1.0)
