"""The figures of the systematicity study, drawn from its tables alone."""

from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib.pyplot as plt
import polars as pl
from matplotlib.figure import Figure

from relprobe.core.files import Parquet
from relprobe.report.figures import (
    ROW,
    WIDTH,
    Bounds,
    Figures,
    cells,
    dot,
    dots,
    family_key,
    label_rows,
    layer_figures,
    mark,
    nothing_to_draw,
    panels,
)
from relprobe.report.looks import Look, looks
from relprobe.report.words.readable import in_digits
from relprobe.stats.schemas import Averages, Inference
from relprobe.studies.systematicity.measure import MEASURES
from relprobe.studies.systematicity.page import answers
from relprobe.studies.systematicity.schemas import INPUTS, MAJORITY, NEAREST, CategoryLogprobs, Detection

NUMBERS = ("singular", "plural")
KEY = ("agent", "category")
CONTROL = "+control"
"""What the name of a model's control ends with."""
OF_LAYERS = {"detection": "accuracy", "detection_partial": "accuracy, hypernym alone"}
"""Metric along layers -> its label."""
SETTINGS = {"seen": "seen hypernyms", "unseen": "unseen hypernyms"}


def figures(
    averages: Averages,
    category_logprobs: CategoryLogprobs,
    detection: Detection,
    series: Parquet | None = None,
    *,
    sets: list[str],
    kinds: dict[str, str],
    inference: Inference,
    families: dict[str, str] | None = None,
    layered: dict[str, str] | None = None,
) -> Figures:
    """Draw the accuracies (Table 2), the categories' log-probabilities (Figure 2) and the classifier's accuracies (Table 4).

    `sets` are the sets of items; `kinds`: agent -> masked, causal or control, in the order of the rows.
    `inference`: what the lines of the classifier's figure are (`detection_dots`). `families`: model -> family for all models
    of the config (`looks.families`). `series`: the values along the layers of the agents `layered` -> masked or causal.
    """
    styles = looks(kinds, families or {})
    for name in sets:
        yield f"accuracy_{name}", accuracies(averages.filter(condition=name), styles, name)
        yield f"category_logprobs_{name}", category_cells(category_logprobs.filter(set=name), list(styles), name)
    yield "detection", detection_dots(detection, styles, inference)
    if series is not None:
        yield from layer_figures(series, OF_LAYERS, SETTINGS, looks(layered or {}, families or {}))


def accuracies(averages: Averages, styles: Mapping[str, Look], name: str = "") -> Figure:
    """Draw Table 2 for one set: a panel per metric with a marker and interval per agent.

    The outline of a model's marker shows what its control reaches. `styles`: agent -> its look, in order. `name`: the set,
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
        of_agent = {agent: (value, (low, high)) for agent, value, low, high in rows}
        values, intervals = zip(*(of_agent.get(agent, (None, (None, None))) for agent in agents), strict=True)
        controls = [of_agent.get(f"{agent}{CONTROL}", (None, None))[0] for agent in agents]
        links = [None if agent in (MAJORITY, NEAREST) else answers(agent, metric.name, name) for agent in agents]
        looks_of_rows = [styles[agent] for agent in agents]
        dots(axis, agents, values, looks_of_rows, intervals, links=links)
        for row, (agent, control) in enumerate(zip(agents, controls, strict=True)):
            if control is not None:
                dot(axis, agent, styles[agent], control, row, fill=0)
        axis.set_xlim(0, 1.15)
    figure.supxlabel("share of hyponyms answered rightly (outlines: controls; n: hyponyms)", fontsize=9)
    family_key(figure, [styles[agent] for agent in agents])
    return figure


def category_cells(logprobs: CategoryLogprobs, agents: Sequence[str], name: str = "") -> Figure:
    """Draw Figure 2 for one set: how probable each category (column) is for each model (row), in a panel per number.

    A cell has the mean log-probability; that of a category without probes in a number is empty. `name`: the set, for the
    addresses of the answers.
    """
    models = [agent for agent in agents if agent in set(logprobs["agent"])]
    if not models:
        return nothing_to_draw("No agent has log-probabilities of the categories.")
    categories = logprobs["category"].unique(maintain_order=True).to_list()
    lowest = min([-1.0, *logprobs["logprob"].drop_nulls()])
    figure, axes = plt.subplots(1, 2, figsize=(WIDTH, 1.6 + ROW * len(models)), sharey=True)
    for axis, number in zip(axes, NUMBERS, strict=True):
        rows = logprobs.filter(kind=number)
        of_cell = {(agent, category): value for agent, category, value in rows.select(*KEY, "logprob").iter_rows()}
        counts = dict(rows.group_by("category").agg(pl.col("hyponyms").max()).iter_rows())
        values = [[of_cell.get((agent, category)) for category in categories] for agent in models]
        texts = [["" if value is None else in_digits(value, 1) for value in row] for row in values]
        drawn = cells(axis, values, "viridis", (lowest, 0.0), texts)
        for agent, row in zip(models, drawn, strict=True):
            for cell in row:
                mark(cell, agent, answers(agent, number, name))
        names = [f"{category} ({counts.get(category, 0)})" for category in categories]
        axis.set_xticks(range(len(categories)), names, rotation=90, fontsize=7)
        axis.set_title(number, fontsize=9, loc="left")
    label_rows(axes[0], models)
    figure.supxlabel("mean log-probability of the right category (natural log); in brackets the hyponyms", fontsize=9)
    return figure


LINES: dict[Inference, str] = {
    "linked": "95 % interval over categories",
    "clusters": "95 % interval over categories",
    "paper": "± one standard deviation over the folds",
}
"""Whose inference -> the lines of the classifier's figure."""


def detection_dots(table: Detection, styles: Mapping[str, Look], inference: Inference) -> Figure:
    """Draw Table 4: per setting the accuracy of each agent's classifiers.

    The lines are intervals over categories or, as in the paper, one standard deviation over the folds.
    """
    of_input = pl.col("input").replace_strict(INPUTS, default="")
    named = table.with_columns(name=pl.format("{}{}", "agent", of_input))
    agent_of = dict(named.select("name", "agent").iter_rows())
    agents = {name: agent for agent in styles for name, own in agent_of.items() if own == agent}
    names = list(agents)
    pairs = dict(table.group_by("setting").agg(pl.col("pairs").max()).iter_rows())
    titles = [f"{title} (n = {pairs.get(setting, 0):,} pairs)" for setting, title in SETTINGS.items()]
    figure, axes = panels(titles, len(names), columns=2)
    figure.set_size_inches(WIDTH, figure.get_figheight() + 0.3)
    for axis, setting in zip(axes, SETTINGS, strict=True):
        rows = {row["name"]: row for row in named.filter(setting=setting).iter_rows(named=True)}
        drawn = [rows[name] for name in names]
        spans = [_span(row, inference) for row in drawn]
        in_order = [styles[agent] for agent in agents.values()]
        dots(axis, list(agents.values()), [row["accuracy"] for row in drawn], in_order, spans, labels=names)
        axis.axvline(0.5, color="#444444", linewidth=0.8, linestyle=":")
        axis.set_xlim(0, 1.15)
    figure.supxlabel(f"accuracy (lines: {LINES[inference]}; dotted: chance)", fontsize=9)
    family_key(figure, [styles[agent] for agent in agents.values()])
    return figure


def _span(row: Mapping[str, Any], inference: Inference) -> Bounds:
    if inference != "paper":
        return row["low"], row["high"]
    return row["accuracy"] - (row["sd"] or 0), row["accuracy"] + (row["sd"] or 0)
