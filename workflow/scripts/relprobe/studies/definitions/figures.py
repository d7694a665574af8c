"""The figures of the definitions study, drawn from the averages alone."""

import math
from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt
import polars as pl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from relprobe.report.agent_styles import AgentStyle
from relprobe.report.figures import (
    WIDTH,
    dots,
    drawn_size,
    family_key,
    in_print,
    mark,
    marker,
    panels,
    panels_in_row,
    spread_places,
    to_scale,
)
from relprobe.stats.schemas import Averages
from relprobe.studies.definitions.addresses import answers
from relprobe.studies.definitions.measures import IN_BOTH_TASKS, MEASURES, Measure, metric_name
from relprobe.studies.definitions.page import METRIC_NAMES
from relprobe.studies.definitions.schemas import POS, TASK_NAMES, TASKS

OWN = " °"
"""The mark of an agent whose values are not over the groups of the other agents."""
SPREAD = 0.5
"""The width that the agents' points take at a condition, so that their intervals stand side by side."""
LABEL = 0.12
"""The height of a label at the end of a line, in inches."""


def shown_parts(averages: Averages) -> list[str]:
    """Return the parts of speech that the averages are about.

    >>> shown_parts(pl.DataFrame({"condition": ["verb", "noun", "noun, rare"]}))
    ['noun', 'verb']
    """
    return [pos for pos in POS if pos in averages["condition"]] or [POS[0]]


def by_task(averages: Averages, measure: Measure, styles: Mapping[str, AgentStyle]) -> Figure:
    """Draw a panel per task and part of speech, with a marker per agent and its interval (Tables 4 and 5)."""
    parts = shown_parts(averages)
    shown = [(task, pos) for task in TASKS for pos in parts]
    titles = [f"{TASK_NAMES[task]}, {pos}s{_count(averages, [pos])[0]}" for task, pos in shown]
    figure, axes = panels(titles, len(styles), columns=len(parts))
    figure.set_figwidth(WIDTH)
    incomplete = set(averages.filter("own_units", pl.col("condition").is_in(parts))["agent"])
    labels = [f"{agent}{OWN}" if agent in incomplete else agent for agent in styles]
    for axis, (task, pos) in zip(axes, shown, strict=True):
        panel_rows = averages.filter(metric=metric_name(task, measure.name), condition=pos)
        rows_by_agent = {row["agent"]: row for row in panel_rows.iter_rows(named=True)}
        rows = [rows_by_agent.get(agent, {}) for agent in styles]
        intervals = [(row.get("low"), row.get("high")) for row in rows]
        links = [answers(agent, task, pos, k=1) for agent in styles]
        values = [row.get("value") for row in rows]
        dots(axis, list(styles), values, list(styles.values()), intervals, labels=labels, links=links)
        axis.set_xlim(0, 1.02)
    figure.supxlabel(f"{measure.axis}{'; °: averaged over its own groups' if incomplete else ''}")
    family_key(figure, styles.values())
    return figure


def _count(averages: Averages, conditions: Sequence[str]) -> list[str]:
    """Return " (n = 20)" of each condition: the groups that all agents are averaged over; "" without any."""
    common = averages.filter(~pl.col("own_units")).group_by("condition").agg(pl.col("units").max())
    counts = dict(common.iter_rows())
    return [f" (n = {counts[name]:,})" if name in counts else "" for name in conditions]


def by_condition(averages: Averages, conditions: Sequence[str], what: str, styles: Mapping[str, AgentStyle]) -> Figure:
    """Draw a panel per metric, with a line per agent over bands of nouns (Tables 6, 7 and 10). `what`: the bands' label.

    The name of an agent stands at the end of its line.
    """
    columns = panels_in_row(len(IN_BOTH_TASKS))
    rows = len(TASKS) * len(IN_BOTH_TASKS) // columns
    height = max(2.6, 0.7 + LABEL * len(styles))
    figure, axes = plt.subplots(
        rows, columns, figsize=drawn_size(WIDTH, height * rows), sharex=True, sharey=True, squeeze=False
    )
    counts = [note.strip(" ()") for note in _count(averages, conditions)]
    ticks = [f"{name.split()[-1]}\n{count}" for name, count in zip(conditions, counts, strict=True)]
    for axis, metric in zip(axes.flat, MEASURES, strict=True):
        ends = _lines(axis, averages.filter(metric=metric.name), conditions, styles)
        _name_lines(axis, ends, (1.5 if in_print() else 1.0) * LABEL / (height - 0.6))
        axis.set_title(METRIC_NAMES[metric.name])
        axis.set_xticks(range(len(conditions)), ticks, fontsize="small")
    axes.flat[0].set(ylim=(-0.03, 1.03))
    figure.supxlabel(f"{what} (n: groups)")
    family_key(figure, styles.values())
    return figure


def _lines(
    axis: Axes, averages: Averages, conditions: Sequence[str], styles: Mapping[str, AgentStyle]
) -> dict[str, tuple[float, AgentStyle]]:
    """Draw the line of each agent, and its intervals, over the conditions that it has values under.

    A line is broken at a condition without a value. The result has the height of each line's end.
    """
    ends = {}
    for number, (agent, look) in enumerate(styles.items()):
        rows_by_condition = {row["condition"]: row for row in averages.filter(agent=agent).iter_rows(named=True)}
        shift = SPREAD * (number / max(len(styles) - 1, 1) - 0.5)
        positions = [index + shift for index, name in enumerate(conditions) if name in rows_by_condition]
        rows = [rows_by_condition[name] for name in conditions if name in rows_by_condition]
        if not rows:
            continue
        all_positions = [index + shift for index in range(len(conditions))]
        values = [rows_by_condition[name]["value"] if name in rows_by_condition else math.nan for name in conditions]
        (line,) = axis.plot(all_positions, values, look.dash, color=look.colour, linewidth=to_scale(1), label=agent)
        points = axis.plot(
            positions, [row["value"] for row in rows], **{**marker(look), "markersize": to_scale(4)}, label="_"
        )
        bars = [
            axis.plot(
                [position, position], [row["low"], row["high"]], color=look.colour, linewidth=to_scale(0.8), label="_"
            )[0]
            for position, row in zip(positions, rows, strict=True)
            if row["low"] is not None
        ]
        for drawn in (line, *points, *bars):
            mark(drawn, agent)
        ends[agent] = (float(rows[-1]["value"]), look)
    return ends


def _name_lines(axis: Axes, ends: Mapping[str, tuple[float, AgentStyle]], gap: float) -> None:
    """Write the name of each line to the right of its panel, at the height of its end as far as the names leave room."""
    heights = spread_places([value for value, _ in ends.values()], gap, (0.0, 1.0))
    for (agent, (_, look)), height in zip(ends.items(), heights, strict=True):
        name = axis.annotate(
            agent,
            (1.02, height),
            xycoords=("axes fraction", "data"),
            color=look.colour,
            fontsize="small",
            va="center",
            annotation_clip=False,
        )
        mark(name, agent)


def _precision(averages: Averages, styles: Mapping[str, AgentStyle]) -> Figure:
    return by_task(averages, IN_BOTH_TASKS[0], styles)


def _rank_score(averages: Averages, styles: Mapping[str, AgentStyle]) -> Figure:
    return by_task(averages, IN_BOTH_TASKS[1], styles)


FIGURES = {"precision": _precision, "rank_score": _rank_score}
"""Name -> the figure of the page; the other ones are those of analyses."""
