"""The figures of the method, from their tables: accuracies (Table 2), and those of the classifiers (Table 4)."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import polars as pl
from matplotlib.figure import Figure

from relprobe.core.words import amount
from relprobe.report.agent_styles import OWN_CONTROL, AgentStyle
from relprobe.report.figures import (
    WIDTH,
    Bounds,
    dot,
    dots,
    drawn_size,
    family_key,
    panels,
    to_scale,
)
from relprobe.stats.schemas import Averages, Inference
from relprobe.studies.systematicity.addresses import answers
from relprobe.studies.systematicity.measures import MEASURES
from relprobe.studies.systematicity.schemas import INPUTS, MAJORITY, NEAREST, SETS, Detection

CONTROL = "+control"
"""What the name of a model's control ends with."""
OWN_CONTROL_NAME = "same model, hyponym alone"
"""What the outline in its row is."""
SETTINGS = {"seen": "seen hypernyms", "unseen": "unseen hypernyms"}


@dataclass(frozen=True)
class Styles:
    """How figures are drawn.

    `agents`, `layered`: agent -> its look, in the order of the rows; `layered` are those that are asked after each layer.
    `inference`: what the lines of the classifier's figure are.
    """

    agents: Mapping[str, AgentStyle]
    layered: Mapping[str, AgentStyle]
    inference: Inference


def accuracies(averages: Averages, styles: Mapping[str, AgentStyle], name: str = "") -> Figure:
    """Draw Table 2 for one set: a panel per metric with a marker and interval per agent.

    An outline in a model's row shows what its control reaches. `styles`: agent -> its look, in order. `name`: the set,
    for the addresses of the answers.
    """
    metrics = [metric for metric in MEASURES if metric.title and metric.name in set(averages["metric"])]
    agents = [agent for agent in styles if agent in set(averages["agent"]) and not agent.endswith(CONTROL)]
    counts = dict(averages.filter(~pl.col("own_units")).group_by("metric").agg(pl.col("units").max()).iter_rows())
    titles = [
        f"{metric.title} (n = {counts[metric.name]:,})" if metric.name in counts else metric.title for metric in metrics
    ]
    figure, axes = panels(titles, len(agents))
    for axis, metric in zip(axes, metrics, strict=True):
        rows = averages.filter(metric=metric.name).select("agent", "value", "low", "high").iter_rows()
        values_by_agent = {agent: (value, (low, high)) for agent, value, low, high in rows}
        values, intervals = zip(*(values_by_agent.get(agent, (None, (None, None))) for agent in agents), strict=True)
        controls = [values_by_agent.get(f"{agent}{CONTROL}", (None, None))[0] for agent in agents]
        links = [None if agent in (MAJORITY, NEAREST) else answers(agent, metric.name, name) for agent in agents]
        looks_of_rows = [styles[agent] for agent in agents]
        dots(axis, agents, values, looks_of_rows, intervals, links=links)
        for row, (agent, control) in enumerate(zip(agents, controls, strict=True)):
            if control is not None:
                dot(axis, agent, OWN_CONTROL, control, row)
        axis.set_xlim(0, 1.02)
    figure.supxlabel("share of hyponyms answered rightly (n: hyponyms)")
    has_own_controls = any(agent.endswith(CONTROL) for agent in averages["agent"])
    family_key(figure, [styles[agent] for agent in agents], OWN_CONTROL_NAME if has_own_controls else "")
    return figure


LINES: dict[Inference, str] = {
    "linked": "95 % interval over categories",
    "clusters": "95 % interval over categories",
    "paper": "± one standard deviation over the folds",
}
"""Whose inference -> the lines of the classifier's figure."""


def detection_dots(table: Detection, styles: Mapping[str, AgentStyle], inference: Inference) -> Figure:
    """Draw Table 4: per setting the accuracy of each agent's classifiers.

    The lines are intervals over categories or, as in the paper, one standard deviation over the folds.
    """
    input_text = pl.col("input").replace_strict(INPUTS, default="")
    named = table.with_columns(name=pl.format("{}{}", "agent", input_text))
    agent_of = dict(named.select("name", "agent").iter_rows())
    agents = {name: agent for agent in styles for name, row_agent in agent_of.items() if row_agent == agent}
    names = list(agents)
    pairs = dict(table.group_by("setting").agg(pl.col("pairs").max()).iter_rows())
    titles = [f"{title} (n = {amount(pairs.get(setting, 0), 'pair')})" for setting, title in SETTINGS.items()]
    figure, axes = panels(titles, len(names), columns=2)
    width, extra_height = drawn_size(WIDTH, 0.3)
    figure.set_size_inches(width, figure.get_figheight() + extra_height)
    for axis, setting in zip(axes, SETTINGS, strict=True):
        rows = {row["name"]: row for row in named.filter(setting=setting).iter_rows(named=True)}
        drawn = [rows[name] for name in names]
        spans = [_span(row, inference) for row in drawn]
        in_order = [styles[agent] for agent in agents.values()]
        dots(axis, list(agents.values()), [row["accuracy"] for row in drawn], in_order, spans, labels=names)
        axis.axvline(0.5, color="#444444", linewidth=to_scale(0.8), linestyle=":")
        axis.set_xlim(0, 1.02)
    figure.supxlabel(f"accuracy (lines: {LINES[inference]}; dotted: chance)")
    family_key(figure, [styles[agent] for agent in agents.values()])
    return figure


def _span(row: Mapping[str, Any], inference: Inference) -> Bounds:
    if inference != "paper":
        return row["low"], row["high"]
    return row["accuracy"] - (row["sd"] or 0), row["accuracy"] + (row["sd"] or 0)


def _accuracies(averages: Averages, styles: Styles, name: str) -> Figure:
    return accuracies(averages.filter(condition=name), styles.agents, name)


def _detection(table: Detection, styles: Styles) -> Figure:
    return detection_dots(table, styles.agents, styles.inference)


FIGURES: dict[str, Callable[[pl.DataFrame, Styles], Figure]] = {
    **{f"accuracy_{name}": partial(_accuracies, name=name) for name in SETS},
    "detection": _detection,
}
"""Name -> the figure of the page, from the table of its values; the other ones are those of analyses."""
