"""The figure at the top of the page: all agents, relations and metrics with their intervals."""

from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib.pyplot as plt
import polars as pl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from relprobe.core.relation import Relations
from relprobe.report.figures import WIDTH, dot, family_key, label_rows, nothing_to_draw
from relprobe.report.looks import OWN_CONTROL, Look
from relprobe.stats.controls import owner
from relprobe.studies.relations.measure.measures import RECIPROCITY, with_figures
from relprobe.studies.relations.show.addresses import answers

GAP = 0.15
"""The gap between two relations, as a share of the width of one."""
HEIGHT = 0.14
"""The height of a row, in inches: less than in other figures, so that a screen shows most of this one."""


def overview(averages: pl.DataFrame, looks: Mapping[str, Look], k: int, *, relations: Relations) -> Figure:
    """Draw a panel per metric, in it a block per relation, in this a row per agent: its value and its 95 % interval.

    A grey outline in a model's row is its own control. The blocks of a panel have one scale, from 0 to the highest bound of
    the metric. Symmetry and asymmetry, which no relation has both of, share a panel, at the cut-off k.
    """
    shown = averages.filter(pl.col("k").is_null() | (pl.col("k") == k)).drop_nulls("value")
    metrics = {name: shown.filter(pl.col("metric").is_in(members)) for name, members in _panels(k).items()}
    metrics = {name: rows for name, rows in metrics.items() if rows.height}
    if not metrics:
        return nothing_to_draw("No agent has values of any metric on the tuples of this study.")
    agents = [agent for agent in looks if agent in set(shown["agent"])]
    height = 0.4 + len(metrics) * (0.7 + HEIGHT * len(agents))
    figure, axes = plt.subplots(len(metrics), 1, figsize=(WIDTH, height), squeeze=False)
    for axis, (name, rows) in zip(axes.flat, metrics.items(), strict=True):
        blocks = [code for code in relations.codes if code in set(rows["relation"])]
        _panel(axis, rows, {agent: looks[agent] for agent in agents}, blocks, relations)
        axis.set_title(name, fontsize=9, loc="left", pad=14)
    own = {agent for agent in shown["agent"] if owner(agent) in agents}
    family_key(figure, [looks[agent] for agent in agents], own_controls=bool(own))
    return figure


def _panels(k: int) -> dict[str, list[str]]:
    """Return the title of each panel, and the metrics whose values it shows."""
    panels: dict[str, list[str]] = {}
    for one in with_figures():
        title = f"{'Symmetry and asymmetry' if one.compared_as == RECIPROCITY else one.title}"
        panels.setdefault(f"{title} (k = {k})" if one.cutoffs else title, []).append(one.name)
    return panels


def _panel(
    axis: Axes, rows: pl.DataFrame, looks: Mapping[str, Look], codes: Sequence[str], relations: Relations
) -> None:
    top = float(rows.select(pl.max_horizontal("value", "high").max()).item()) or 1.0
    starts = {code: number * (1 + GAP) for number, code in enumerate(codes)}
    for code, start in starts.items():
        of_agent = {row["agent"]: row for row in rows.filter(relation=code).iter_rows(named=True)}
        for place, (agent, look) in enumerate(looks.items()):
            row = of_agent.get(agent)
            if row is not None:
                value, low, high = (
                    None if row[name] is None else start + row[name] / top for name in ("value", "low", "high")
                )
                dot(axis, agent, look, value or start, place, (low, high), answers(agent, code, row["k"] or 1))
            for control in (name for name in of_agent if owner(name) == agent):
                own = of_agent[control]
                link = answers(control, code, own["k"] or 1)
                dot(axis, control, OWN_CONTROL, start + own["value"] / top, place, link=link)
        units = max((row["units"] or 0 for row in of_agent.values()), default=0)
        title = f"{relations.names[code]}, n = {units:,}" if units else relations.names[code]
        offset: dict[str, Any] = {"xytext": (0, 3), "textcoords": "offset points", "va": "bottom", "fontsize": 7.5}
        axis.annotate(title, (start, 1), xycoords=("data", "axes fraction"), **offset)
    label_rows(axis, list(looks))
    axis.tick_params(axis="y", labelsize=7.5, length=2)
    steps = [step for step in MaxNLocator(2).tick_values(0, top) if 0 <= step <= 0.95 * top]
    ticks = [(start + step / top, f"{step:g}") for start in starts.values() for step in steps]
    axis.set_xticks([place for place, _ in ticks], [label for _, label in ticks], fontsize=7)
    axis.set_xlim(-0.02, len(codes) * (1 + GAP) - GAP + 0.04)
