"""The figures of the systematicity study, drawn from its tables alone."""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import polars as pl
from matplotlib.figure import Figure

from relprobe.core.inference_schemas import Inference
from relprobe.report.figures import PALETTE, Bounds, bars, colour_key, panels
from relprobe.studies.systematicity.metrics import METRICS
from relprobe.studies.systematicity.schemas import INPUTS

NUMBERS = {"singular": PALETTE[0], "plural": PALETTE[4]}
SETTINGS = {"seen": "seen hypernyms", "unseen": "unseen hypernyms"}


def draw(
    averages: pl.DataFrame,
    logprobs: pl.DataFrame,
    detection: pl.DataFrame,
    sets: Sequence[str],
    kinds: Mapping[str, str],
    inference: Inference,
) -> Iterator[tuple[str, Figure]]:
    """Yield the figures by their names: two per set of items, and the classifier's. `kinds`: agent -> kind, in order.

    `inference`: what the lines of the classifier's figure are (`detection_bars`).
    """
    for name in sets:
        yield f"accuracy_{name}", accuracies(averages.filter(condition=name), kinds)
        yield f"category_logprobs_{name}", category_panels(logprobs.filter(set=name), list(kinds))
    yield "detection", detection_bars(detection, kinds, inference)


def accuracies(averages: pl.DataFrame, kinds: Mapping[str, str]) -> Figure:
    """Draw Table 2 for one set: a panel per metric with a bar and interval per agent. `kinds`: agent -> kind, in order."""
    metrics = [metric for metric in METRICS if metric.title and metric.name in set(averages["metric"])]
    agents = [agent for agent in kinds if agent in set(averages["agent"])]
    figure, axes = panels([metric.title for metric in metrics], len(agents))
    for axis, metric in zip(axes, metrics, strict=True):
        rows = averages.filter(metric=metric.name).select("agent", "value", "low", "high").iter_rows()
        of_agent = {agent: (value, (low, high)) for agent, value, low, high in rows}
        values, intervals = zip(*(of_agent.get(agent, (None, (None, None))) for agent in agents), strict=True)
        bars(axis, agents, values, [kinds[agent] for agent in agents], intervals)
        axis.set_xlim(0, 1.15)
    figure.supxlabel("share of hyponyms answered rightly", fontsize=9)
    colour_key(figure, [kinds[agent] for agent in agents])
    return figure


def category_panels(logprobs: pl.DataFrame, agents: Sequence[str]) -> Figure:
    """Draw Figure 2 for one set: per model and category the mean log-probability of the category in both numbers.

    A category without probes in a number has no bar, as a bar of length 0 would mean certainty.
    """
    models = [agent for agent in agents if agent in set(logprobs["agent"])]
    categories = logprobs["category"].unique(maintain_order=True).to_list()
    figure, axes = panels(models, len(categories))
    figure.set_size_inches(max(figure.get_figwidth(), 4.8), figure.get_figheight() + 0.6)
    for axis, agent in zip(axes, models, strict=True):
        rows = {
            (row[0], row[1]): row[2]
            for row in logprobs.filter(agent=agent).select("category", "kind", "logprob").rows()
        }
        for offset, (number, colour) in zip((-0.19, 0.19), NUMBERS.items(), strict=True):
            values = [rows.get((category, number), math.nan) for category in categories]
            places = [place + offset for place in range(len(categories))]
            axis.barh(places, values, height=0.36, color=colour, label=number)
        axis.set_yticks(range(len(categories)), categories)
        axis.set_ylim(len(categories) - 0.4, -0.6)
        axis.grid(axis="y", visible=False)
    handles, labels = axes[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper right", ncols=2, frameon=False, fontsize=8)
    figure.supxlabel("mean log-probability of the right category (natural log)", fontsize=9)
    return figure


LINES: dict[Inference, str] = {
    "clusters": "95 % interval over categories",
    "paper": "± one standard deviation over the folds",
}
"""Whose inference -> the lines of the classifier's figure."""


def detection_bars(table: pl.DataFrame, kinds: Mapping[str, str], inference: Inference) -> Figure:
    """Draw Table 4: per setting the accuracy of each agent's classifiers.

    The lines are intervals over categories or, as in the paper, one standard deviation over the folds.
    """
    of_input = pl.col("input").replace_strict(INPUTS, default="")
    named = table.with_columns(name=pl.format("{}{}", "agent", of_input))
    names = named["name"].unique(maintain_order=True).to_list()
    figure, axes = panels(list(SETTINGS.values()), len(names), columns=2)
    figure.set_size_inches(9, figure.get_figheight() + 0.3)
    for axis, setting in zip(axes, SETTINGS, strict=True):
        rows = {row["name"]: row for row in named.filter(setting=setting).iter_rows(named=True)}
        drawn = [rows[name] for name in names]
        spans = [_span(row, inference) for row in drawn]
        bars(axis, names, [row["accuracy"] for row in drawn], [kinds[row["agent"]] for row in drawn], spans)
        axis.axvline(0.5, color="#444444", linewidth=0.8, linestyle=":")
        axis.set_xlim(0, 1.15)
    figure.supxlabel(f"accuracy (lines: {LINES[inference]}; dotted: chance)", fontsize=9)
    colour_key(figure, [kinds[row["agent"]] for row in named.iter_rows(named=True)])
    return figure


def _span(row: Mapping[str, Any], inference: Inference) -> Bounds:
    if inference == "clusters":
        return row["low"], row["high"]
    return row["accuracy"] - (row["sd"] or 0), row["accuracy"] + (row["sd"] or 0)
