"""The figures of the degrees study: the agreement with people per rater and model, and per relation class."""

from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt
import polars as pl
from matplotlib.figure import Figure

from relprobe.core.files import Parquet
from relprobe.report.figures import (
    Figures,
    cells,
    dots,
    family_key,
    label_rows,
    layer_figures,
    mark,
    nothing_to_draw,
    panels,
    short,
)
from relprobe.report.looks import Look, looks
from relprobe.stats.schemas import Averages
from relprobe.studies.degrees.compare import TEST, mean_ceiling, model_of, rater_of
from relprobe.studies.degrees.measure import WITHOUT
from relprobe.studies.degrees.schemas import Ceilings, Gold
from relprobe.studies.degrees.tables import class_order

LABELS = {"rho": "Spearman's ρ (mean over the test subcategories)", "maxdiff": "MaxDiff accuracy (% of questions)"}
OWN = " °"
"""The mark of an agent whose value is not over the subcategories of the other agents."""
KEY = "◇: without reversed pairs"
"""The white diamond that is drawn over a row, where the data have reversed pairs."""
LIMITS = {"rho": ("people's noise ceiling", "ceiling"), "maxdiff": ("one person", "annotator_maxdiff")}
"""Metric -> what its dashed line is, and the column of CEILING that holds it."""


def figures(
    averages: Averages,
    gold: Gold,
    ceiling: Ceilings,
    series: Parquet | None = None,
    *,
    kinds: dict[str, str],
    families: dict[str, str] | None = None,
    layered: dict[str, str] | None = None,
) -> Figures:
    """Draw agreement per rater and per relation class, and that of agents with layers along these (`series`).

    `kinds`, `layered`: model -> masked or causal, of those with layers and of the others; `families`: model -> family for
    all models of the config (`looks.families`).
    """
    agents = averages["agent"].unique(maintain_order=True).to_list()
    baselines = {agent: "control" for agent in agents if model_of(agent) is None}
    styles, classes = looks({**kinds, **baselines}, families or {}), class_order(gold)
    people = mean_ceiling(ceiling, classes, reversals=True)
    measured = [
        metric for metric in LIMITS if metric in set(averages["metric"])
    ]  # own ratings have no MaxDiff questions
    for metric in measured:
        yield metric, by_rater(averages, metric, styles, people[LIMITS[metric][1]])
    yield "classes", by_class(averages, classes, list(styles))
    if series is not None:
        names = {TEST: "all test subcategories", **{name: name.capitalize() for name in classes}}
        of_layers = looks(layered or {}, families or {})
        yield from layer_figures(series, {metric: LABELS[metric] for metric in measured}, names, of_layers)


def by_rater(summary: Averages, metric: str, styles: Mapping[str, Look], limit: float | None) -> Figure:
    """Draw a panel per rater with a bar per model; every panel repeats the baselines for comparison.

    A diamond on each bar is the value without the reversed pairs. `limit`: how well people do, if that can be computed.
    """
    test = summary.filter(condition=TEST)
    rows = {
        agent: (value, (low, high))
        for agent, value, low, high in test.filter(metric=metric).select("agent", "value", "low", "high").iter_rows()
    }
    own = set(test.filter("own_units", metric=metric)["agent"])
    without = dict(test.filter(metric=metric + WITHOUT).select("agent", "value").iter_rows())
    agents = _in_order(summary, list(styles))
    baselines = [agent for agent in agents if model_of(agent) is None]
    raters = list(dict.fromkeys(rater_of(agent) for agent in agents if model_of(agent) is not None))
    raters = [rater for rater in raters if any(rater_of(agent) == rater for agent in rows)]
    if not raters:
        return nothing_to_draw(f"Only baselines have a value of this: {LABELS[metric]}.")
    members_of = [[a for a in agents if model_of(a) is not None and rater_of(a) == r] + baselines for r in raters]
    figure, axes = panels(raters, max(map(len, members_of)))
    for axis, members in zip(axes, members_of, strict=True):
        values = [rows.get(agent, (None, (None, None))) for agent in members]
        names = [(model_of(agent) or agent) + (OWN if agent in own else "") for agent in members]
        models = [model_of(agent) or agent for agent in members]
        bounds = [span for _, span in values]
        own_styles = [styles[model] for model in models]
        dots(axis, models, [value for value, _ in values], own_styles, bounds, labels=names)
        places = [(without[agent], row) for row, agent in enumerate(members) if agent in without]
        if places:
            x, y = zip(*places, strict=True)
            axis.scatter(x, y, s=9, marker="D", color="white", edgecolors="black", zorder=3)
        if limit is not None:
            axis.axvline(limit, color="black", linewidth=0.8, linestyle="--")
    low, high = axes[0].get_xlim()
    axes[0].set_xlim(low, high + 0.12 * (high - low))  # leaves room for the values at the ends of the bars
    line = [] if limit is None else [f"dashed line: {LIMITS[metric][0]}, {limit:.3g}"]
    figure.supxlabel("\n".join([LABELS[metric], *([KEY] if without else []), *line]), fontsize=9)
    family_key(figure, styles.values())
    return figure


def _in_order(summary: Averages, models: Sequence[str]) -> list[str]:
    """Return the agents in the order of their models, and of one model in the order of the summary."""
    agents = summary["agent"].unique(maintain_order=True).to_list()
    return sorted(agents, key=lambda agent: models.index(model_of(agent) or agent))


def by_class(summary: Averages, classes: Sequence[str], models: Sequence[str]) -> Figure:
    """Draw the average rho of every agent (row) in every relation class (column) as a table of colours (Table 4).

    The label of a class has the number of its subcategories. `models`: in the order of the rows, with the baselines.
    """
    rated = summary.filter(metric="rho")["agent"].unique().to_list()
    agents = [agent for agent in _in_order(summary, models) if agent in rated]
    rows = summary.filter(pl.col("condition").is_in(classes), metric="rho")
    value = {(agent, name): v for agent, name, v in rows.select("agent", "condition", "value").iter_rows()}
    values = [[value.get((agent, name)) for name in classes] for agent in agents]
    figure, axis = plt.subplots(figsize=(1.8 + 0.75 * len(classes), 1.2 + 0.21 * len(agents)))
    texts = [["–" if cell is None else short(cell) for cell in row] for row in values]
    for agent, row in zip(agents, cells(axis, values, "PuOr_r", (-0.8, 0.8), texts), strict=True):
        for cell in row:
            mark(cell, model_of(agent) or agent)
    numbers = dict(rows.group_by("condition").agg(pl.col("units").max()).iter_rows())
    labels = [f"{name.capitalize()} ({numbers.get(name, 0)})" for name in classes]
    axis.set_xticks(range(len(classes)), labels, fontsize=7, rotation=30, ha="right")
    label_rows(axis, [model_of(agent) or agent for agent in agents], agents)
    return figure
