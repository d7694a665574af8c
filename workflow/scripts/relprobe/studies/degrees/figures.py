"""The figures of the degrees study: the agreement with people per rater and model, and per relation class."""

from collections.abc import Iterator, Mapping, Sequence

import matplotlib.pyplot as plt
import polars as pl
from matplotlib.figure import Figure

from relprobe.report.figures import bars, colour_key, panels
from relprobe.studies.degrees.analyses import TEST, model_of, rater_of
from relprobe.studies.degrees.ceiling import mean_ceiling
from relprobe.studies.degrees.metrics import WITHOUT

LABELS = {"rho": "Spearman's ρ (mean over the test subcategories)", "maxdiff": "MaxDiff accuracy (% of questions)"}
OWN = " °"
"""The mark of an agent whose value is not over the subcategories of the other agents."""
KEY = "◆: without reversed pairs"
LIMITS = {"rho": ("people's noise ceiling", "ceiling"), "maxdiff": ("one person", "annotator_maxdiff")}
"""Metric -> what its dashed line is, and the column of CEILING that holds it."""


def draw(
    summary: pl.DataFrame, kinds: Mapping[str, str], classes: Sequence[str], ceilings: pl.DataFrame
) -> Iterator[tuple[str, Figure]]:
    """Yield the figures by name.

    `kinds`: model -> masked or causal; `classes`: the relation classes in order; `ceilings`: CEILING.
    """
    people = mean_ceiling(ceilings, classes, reversals=True)
    for metric, (_, column) in LIMITS.items():
        if metric in set(summary["metric"]):  # own ratings have no MaxDiff questions
            yield metric, by_rater(summary, metric, kinds, people[column])
    yield "classes", by_class(summary, classes)


def by_rater(summary: pl.DataFrame, metric: str, kinds: Mapping[str, str], limit: float | None) -> Figure:
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
    agents = summary["agent"].unique(maintain_order=True).to_list()
    baselines = [agent for agent in agents if model_of(agent) is None]
    raters = list(dict.fromkeys(rater_of(agent) for agent in agents if model_of(agent) is not None))
    members_of = [[a for a in agents if model_of(a) is not None and rater_of(a) == r] + baselines for r in raters]
    figure, axes = panels(raters, max(map(len, members_of)))
    for axis, members in zip(axes, members_of, strict=True):
        values = [rows.get(agent, (None, (None, None))) for agent in members]
        names = [(model_of(agent) or agent) + (OWN if agent in own else "") for agent in members]
        colours = [kinds.get(model_of(agent) or "", "baseline") for agent in members]
        bars(axis, names, [value for value, _ in values], colours, [bounds for _, bounds in values])
        places = [(without[agent], row) for row, agent in enumerate(members) if agent in without]
        if places:
            x, y = zip(*places, strict=True)
            axis.scatter(x, y, s=9, marker="D", color="white", edgecolors="black", zorder=3)
        if limit is not None:
            axis.axvline(limit, color="black", linewidth=0.8, linestyle="--")
    low, high = axes[0].get_xlim()
    axes[0].set_xlim(low, high + 0.12 * (high - low))  # leaves room for the values at the ends of the bars
    line = [] if limit is None else [f"dashed line: {LIMITS[metric][0]}, {limit:.3g}"]
    figure.supxlabel("\n".join([LABELS[metric], KEY, *line]), fontsize=9)
    colour_key(figure, [*kinds.values(), *("baseline" for _ in baselines)])
    return figure


def by_class(summary: pl.DataFrame, classes: Sequence[str]) -> Figure:
    """Draw the average rho of every agent (row) in every relation class (column) as a table of colours (Table 4).

    The label of a class has the number of its subcategories.
    """
    agents = summary["agent"].unique(maintain_order=True).to_list()
    rows = summary.filter(pl.col("condition").is_in(classes), metric="rho")
    value = {(agent, name): v for agent, name, v in rows.select("agent", "condition", "value").iter_rows()}
    cells = [[value.get((agent, name)) for name in classes] for agent in agents]
    figure, axis = plt.subplots(figsize=(1.8 + 0.75 * len(classes), 1.2 + 0.24 * len(agents)))
    axis.imshow([[cell or 0.0 for cell in row] for row in cells], cmap="PuOr_r", vmin=-0.8, vmax=0.8, aspect="auto")
    for i, row in enumerate(cells):
        for j, cell in enumerate(row):
            text = "–" if cell is None else f"{round(cell, 2) + 0:.2f}".replace("0.", ".")  # + 0: no "-0"
            shade = "white" if abs(cell or 0) > 0.6 else "black"
            axis.text(j, i, text, ha="center", va="center", fontsize=7, color=shade)
    numbers = dict(rows.group_by("condition").agg(pl.col("units").max()).iter_rows())
    labels = [f"{name.capitalize()} ({numbers.get(name, 0)})" for name in classes]
    axis.set_xticks(range(len(classes)), labels, fontsize=7, rotation=30, ha="right")
    axis.set_yticks(range(len(agents)), agents, fontsize=8)
    axis.grid(visible=False)
    return figure
