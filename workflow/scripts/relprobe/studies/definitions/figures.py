"""The figures of the definitions study, drawn from the averages alone."""

from collections.abc import Iterator, Mapping, Sequence

import matplotlib.pyplot as plt
import polars as pl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from relprobe.report.figures import COLOURS, DASHES, bars, colour_key, panels
from relprobe.studies.definitions.conditions import depth_names, frequency_names
from relprobe.studies.definitions.metrics import METRICS
from relprobe.studies.definitions.prompts import POS

Kinds = Mapping[str, str]
"""Agent -> masked, causal or baseline, in the order of drawing."""


def draw(averages: pl.DataFrame, kinds: Kinds) -> Iterator[tuple[str, Figure]]:
    """Yield the name and the figure of everything that is drawn."""
    yield "precision", by_task(averages, "P@1", kinds)
    yield "rank_score", by_task(averages, "RS", kinds)
    yield "frequency", by_condition(averages, list(frequency_names("noun").values()), "frequency of the noun", kinds)
    yield "depth", by_condition(averages, depth_names(), "depth of the noun's synset", kinds)


def by_task(averages: pl.DataFrame, measure: str, kinds: Kinds) -> Figure:
    """Draw a panel per task and part of speech with a bar per agent and its interval (Tables 4 and 5)."""
    shown = [(metric, pos) for metric in METRICS if metric.endswith(measure) for pos in POS]
    figure, axes = panels([f"{metric.split()[0]}, {pos}s" for metric, pos in shown], len(kinds), columns=2)
    for axis, (metric, pos) in zip(axes, shown, strict=True):
        rows = {row["agent"]: row for row in averages.filter(metric=metric, condition=pos).iter_rows(named=True)}
        found = [rows.get(agent, {}) for agent in kinds]
        intervals = [(row.get("low"), row.get("high")) for row in found]
        bars(axis, list(kinds), [row.get("value") for row in found], list(kinds.values()), intervals)
        axis.set_xlim(0, 1.12)
    names = {"P@1": "precision at 1", "RS": "rank score (a guess: 0.5)"}
    figure.supxlabel(names[measure], fontsize=9)
    colour_key(figure, list(kinds.values()))
    return figure


def by_condition(averages: pl.DataFrame, conditions: Sequence[str], what: str, kinds: Kinds) -> Figure:
    """Draw both measures of both tasks against bands of nouns, a line per agent (Tables 6, 7 and 10)."""
    figure, axes = plt.subplots(2, 2, figsize=(8.4, 5.6), sharex=True, sharey=True)
    for axis, metric in zip(axes.flat, METRICS, strict=True):
        _lines(axis, averages.filter(metric=metric), conditions, kinds)
        axis.set_title(metric, fontsize=9, loc="left")
        axis.set_xticks(range(len(conditions)), [name.split()[-1] for name in conditions], fontsize=8)
    axes.flat[0].set(ylim=(-0.03, 1.03))
    figure.supxlabel(what, fontsize=9)
    handles, labels = axes.flat[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper center", ncols=4, frameon=False, fontsize=8)
    return figure


def _lines(axis: Axes, averages: pl.DataFrame, conditions: Sequence[str], kinds: Kinds) -> None:
    for number, (agent, kind) in enumerate(kinds.items()):
        rows = {row["condition"]: row for row in averages.filter(agent=agent).iter_rows(named=True)}
        present = [place for place, name in enumerate(conditions) if name in rows]
        found = [rows[conditions[place]] for place in present]
        shift = 0.08 * (number - (len(kinds) - 1) / 2)  # so that the intervals stand side by side
        places = [place + shift for place in present]
        dash = DASHES[number % len(DASHES)]
        axis.plot(places, [row["value"] for row in found], dash, color=COLOURS[kind], marker=".", label=agent)
        for place, row in zip(places, found, strict=True):
            if row["low"] is not None:
                axis.plot([place, place], [row["low"], row["high"]], color=COLOURS[kind], linewidth=0.8)
