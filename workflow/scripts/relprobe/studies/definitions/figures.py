"""The figures of the definitions study, drawn from the averages alone."""

from collections.abc import Collection, Iterator, Mapping, Sequence

import matplotlib.pyplot as plt
import polars as pl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from relprobe.report.figures import COLOURS, DASHES, bars, colour_key, panels
from relprobe.studies.definitions.conditions import BANDS, depth_names, frequency_names
from relprobe.studies.definitions.metrics import MEASURES, METRICS, Measure, metric_name
from relprobe.studies.definitions.prompts import POS
from relprobe.studies.definitions.schemas import TASKS

Kinds = Mapping[str, str]
"""Agent -> humans, masked, causal or baseline, in the order of drawing."""
NAMES = (*(measure.figure for measure in MEASURES), "frequency", "depth")
"""The names of all figures."""


def draw(averages: pl.DataFrame, kinds: Kinds, names: Collection[str] = NAMES) -> Iterator[tuple[str, Figure]]:
    """Yield the figures of these names: one per measure, and two by properties of the target.

    Agents are drawn in the order of the averages; those without any follow. Frequency is that of nouns or, where there are
    none, of the first part of speech; depth is that of nouns.
    """
    kinds = {agent: kinds[agent] for agent in [*averages["agent"].unique(maintain_order=True), *kinds]}
    for measure in MEASURES:
        if measure.figure in names:
            yield measure.figure, by_task(averages, measure, kinds)
    pos = shown_parts(averages)[0]
    bands = [frequency_names(pos)[band] for band in BANDS]
    if "frequency" in names:
        yield "frequency", by_condition(averages, bands, f"frequency of the {pos}", kinds)
    if "depth" in names:
        yield "depth", by_condition(averages, depth_names(), "depth of the noun's synset", kinds)


def shown_parts(averages: pl.DataFrame) -> list[str]:
    """Return the parts of speech that the averages are about.

    >>> shown_parts(pl.DataFrame({"condition": ["verb", "noun", "noun, rare"]}))
    ['noun', 'verb']
    """
    return [pos for pos in POS if pos in averages["condition"]] or [POS[0]]


def by_task(averages: pl.DataFrame, measure: Measure, kinds: Kinds) -> Figure:
    """Draw a panel per task and part of speech with a bar per agent and its interval (Tables 4 and 5)."""
    parts = shown_parts(averages)
    shown = [(task, pos) for task in TASKS for pos in parts]
    figure, axes = panels([f"{task.upper()}, {pos}s" for task, pos in shown], len(kinds), columns=len(parts))
    for axis, (task, pos) in zip(axes, shown, strict=True):
        of_panel = averages.filter(metric=metric_name(task, measure.name), condition=pos)
        of_agents = {row["agent"]: row for row in of_panel.iter_rows(named=True)}
        rows = [of_agents.get(agent, {}) for agent in kinds]
        intervals = [(row.get("low"), row.get("high")) for row in rows]
        bars(axis, list(kinds), [row.get("value") for row in rows], list(kinds.values()), intervals)
        axis.set_xlim(0, 1.12)  # the values at the ends of the bars need some room
    figure.supxlabel(measure.axis, fontsize=9)
    colour_key(figure, list(kinds.values()))
    return figure


def by_condition(averages: pl.DataFrame, conditions: Sequence[str], what: str, kinds: Kinds) -> Figure:
    """Draw a panel per metric, with a line per agent over bands of nouns (Tables 6, 7 and 10). `what`: the bands' label."""
    rows, columns = len(TASKS), len(MEASURES)
    figure, axes = plt.subplots(
        rows, columns, figsize=(4.2 * columns, 2.8 * rows), sharex=True, sharey=True, squeeze=False
    )
    for axis, metric in zip(axes.flat, METRICS, strict=True):
        _lines(axis, averages.filter(metric=metric.name), conditions, kinds)
        axis.set_title(metric.name, fontsize=9, loc="left")
        axis.set_xticks(range(len(conditions)), [name.split()[-1] for name in conditions], fontsize=8)
    axes.flat[0].set(ylim=(-0.03, 1.03))
    figure.supxlabel(what, fontsize=9)
    handles, labels = axes.flat[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper center", ncols=4, frameon=False, fontsize=8)
    return figure


def _lines(axis: Axes, averages: pl.DataFrame, conditions: Sequence[str], kinds: Kinds) -> None:
    """Draw the line of each agent, and its intervals, over the conditions that it has values under."""
    for number, (agent, kind) in enumerate(kinds.items()):
        of_agent = {row["condition"]: row for row in averages.filter(agent=agent).iter_rows(named=True)}
        shift = 0.08 * (number - (len(kinds) - 1) / 2)  # so that the intervals stand side by side
        places = [place + shift for place, name in enumerate(conditions) if name in of_agent]
        rows = [of_agent[name] for name in conditions if name in of_agent]
        dash = DASHES[number % len(DASHES)]
        axis.plot(places, [row["value"] for row in rows], dash, color=COLOURS[kind], marker=".", label=agent)
        for place, row in zip(places, rows, strict=True):
            if row["low"] is not None:
                axis.plot([place, place], [row["low"], row["high"]], color=COLOURS[kind], linewidth=0.8)
