"""The figures of the study: the agreement of each model with people, a panel per rater."""

from collections.abc import Callable, Mapping, Sequence

from matplotlib.figure import Figure

from relprobe.report.agent_styles import AgentStyle, Styles
from relprobe.report.figures import (
    dots,
    family_key,
    nothing_to_draw,
    panels,
    to_scale,
)
from relprobe.stats.controls import judge_of, model_of
from relprobe.stats.schemas import Averages
from relprobe.studies.degrees.ceiling import mean_ceiling
from relprobe.studies.degrees.conditions import TEST
from relprobe.studies.degrees.method import WITHOUT
from relprobe.studies.degrees.results import FigureFiles

LABELS = {"rho": "Spearman's ρ (mean over the test subcategories)", "maxdiff": "MaxDiff accuracy (% of questions)"}
INCOMPLETE = " °"
"""The mark of an agent whose value is not over the subcategories of the other agents."""
KEY = "◇: without reversed pairs"
"""The white diamond that is drawn over a row, where the data have reversed pairs."""
LIMITS = {"rho": ("people's noise ceiling", "ceiling"), "maxdiff": ("one person", "annotator_maxdiff")}
"""Metric -> what its dashed line is, and the column of CEILING that holds it."""


def by_rater(summary: Averages, metric: str, styles: Mapping[str, AgentStyle], limit: float | None) -> Figure:
    """Draw a panel per rater with a bar per model; every panel repeats the baselines for comparison.

    A diamond on each bar is the value without the reversed pairs. `limit`: how well people do, if that can be computed.
    """
    test = summary.filter(condition=TEST)
    rows = {
        agent: (value, (low, high))
        for agent, value, low, high in test.filter(metric=metric).select("agent", "value", "low", "high").iter_rows()
    }
    incomplete = set(test.filter("own_units", metric=metric)["agent"])
    without = dict(test.filter(metric=metric + WITHOUT).select("agent", "value").iter_rows())
    agents = in_order(summary, list(styles))
    baselines = [agent for agent in agents if model_of(agent) is None]
    raters = list(dict.fromkeys(judge_of(agent) for agent in agents if model_of(agent) is not None))
    raters = [rater for rater in raters if any(judge_of(agent) == rater for agent in rows)]
    if not raters:
        return nothing_to_draw(f"Only baselines have a value of this: {LABELS[metric]}.")
    members_of = [[a for a in agents if model_of(a) is not None and judge_of(a) == r] + baselines for r in raters]
    names_of = [
        [(model_of(agent) or agent) + (INCOMPLETE if agent in incomplete else "") for agent in members]
        for members in members_of
    ]
    # A model may lack a rater, such as one that a server runs; then each panel has labels of its own.
    same_rows = all(names == names_of[0] for names in names_of)
    figure, axes = panels(raters, max(map(len, members_of)), same_rows=same_rows)
    for axis, members, names in zip(axes, members_of, names_of, strict=True):
        values = [rows.get(agent, (None, (None, None))) for agent in members]
        models = [model_of(agent) or agent for agent in members]
        bounds = [span for _, span in values]
        row_styles = [styles[model] for model in models]
        dots(axis, models, [value for value, _ in values], row_styles, bounds, labels=names)
        diamonds = [(without[agent], row) for row, agent in enumerate(members) if agent in without]
        if diamonds:
            x, y = zip(*diamonds, strict=True)
            axis.scatter(x, y, s=to_scale(3) ** 2, marker="D", color="white", edgecolors="black", zorder=3)
        if limit is not None:
            axis.axvline(limit, color="black", linewidth=to_scale(0.8), linestyle="--")
    low, high = axes[0].get_xlim()
    axes[0].set_xlim(low, high)
    line = [] if limit is None else [f"dashed line: {LIMITS[metric][0]}, {limit:.3g}"]
    figure.supxlabel("\n".join([LABELS[metric], *([KEY] if without else []), *line]))
    family_key(figure, styles.values())
    return figure


def in_order(summary: Averages, models: Sequence[str]) -> list[str]:
    """Return the agents in the order of their models, and of one model in the order of the summary."""
    agents = summary["agent"].unique(maintain_order=True).to_list()
    return sorted(agents, key=lambda agent: models.index(model_of(agent) or agent))


def _by_rater(metric: str) -> Callable[[FigureFiles, Styles], Figure]:
    """Return what draws a metric. Of people it shows the mean over the classes of test subcategories."""

    def draw(files: FigureFiles, styles: Styles) -> Figure:
        people = mean_ceiling(files.ceiling, files.classes(), reversals=True)
        return by_rater(files.averages, metric, styles.agents, people[LIMITS[metric][1]])

    return draw


FIGURES = {metric: _by_rater(metric) for metric in LIMITS}
"""Name -> what draws the figure of the page; the other ones are those of analyses."""
