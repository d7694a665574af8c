"""The figures of the analogies study, drawn from the averages."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import matplotlib.pyplot as plt
import polars as pl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from relprobe.core.files import Parquet
from relprobe.report.figures import WIDTH, Figures, dots, family_key, layer_figures, mark, panels
from relprobe.report.looks import Look, looks
from relprobe.stats.schemas import Averages
from relprobe.studies.analogies.data import GROUP_NAMES, Relation, group_order, relations_of
from relprobe.studies.analogies.measure import ALL, COLUMNS
from relprobe.studies.analogies.page import answers
from relprobe.studies.analogies.schemas import SETTINGS, Tuples

CHANCE = 0.5
NAMES = {ALL: "all relations"} | GROUP_NAMES
"""Group of relations -> its name."""
OWN = " °"
"""The mark of an agent whose values are not over the tuples of the other agents."""


def figures(
    averages: Averages,
    tuples: Tuples,
    series: Parquet | None = None,
    *,
    kinds: dict[str, str],
    families: dict[str, str] | None = None,
    layered: dict[str, str] | None = None,
) -> Figures:
    """Draw the accuracies per group and per relation, and along layers (`series`).

    `kinds`, `layered`: agent -> masked, causal or control, of agents without and with layers; `families`: model -> family
    for all models of the config (`looks.families`).
    """
    ordered, relations = looks(kinds, families or {}), relations_of(tuples)
    groups = group_order(one.group for one in relations)
    for setting in SETTINGS:
        yield f"groups_{setting}", by_group(averages, setting, groups, ordered)
        yield f"relations_{setting}", by_relation(averages, setting, relations, ordered)
    if series is not None:
        names = {group: NAMES.get(group, group) for group in (ALL, *groups)}
        labels = {probe: f"accuracy, {probe}" for probe in COLUMNS}
        yield from layer_figures(series, labels, names, looks(layered or {}, families or {}))


def by_group(averages: Averages, setting: str, groups: Sequence[str], styles: Mapping[str, Look]) -> Figure:
    """Draw a panel per group and probe, with a bar per agent and its interval over the relations (Table 1)."""
    shown = [ALL, *(group for group in groups if group in set(averages["condition"]))]
    cells = [(group, probe) for group in shown for probe in COLUMNS]
    titles = [f"{NAMES.get(group, group)}: {probe}{_count(averages, setting, probe, group)}" for group, probe in cells]
    own = set(
        averages.filter("own_units", pl.col("metric").is_in([f"{setting} {probe}" for probe in COLUMNS]))["agent"]
    )
    labels = [f"{agent}{OWN}" if agent in own else agent for agent in styles]
    figure, axes = panels(titles, len(styles))
    for axis, (group, probe) in zip(axes, cells, strict=True):
        rows = averages.filter(metric=f"{setting} {probe}", condition=group)
        values = {agent: (value, (low, high)) for agent, value, low, high in _bounds(rows)}
        in_order = [values.get(agent, (None, (None, None))) for agent in styles]
        spans = [span for _, span in in_order]
        links = [answers(agent, setting, probe) for agent in styles]
        accuracies = [value for value, _ in in_order]
        dots(axis, list(styles), accuracies, list(styles.values()), spans, labels=labels, links=links)
        axis.axvline(CHANCE, color="black", linewidth=0.8, linestyle=":")
        axis.set_xlim(0, 1.15)
    figure.supxlabel(f"accuracy, {setting} (dotted: chance; n: tuples)", fontsize=9)
    family_key(figure, styles.values())
    return figure


def _count(averages: Averages, setting: str, probe: str, group: str) -> str:
    """Return ", n = 20": the tuples that all agents are averaged over; "" without any."""
    rows = averages.filter(~pl.col("own_units"), metric=f"{setting} {probe}", condition=group)
    return f", n = {int(rows['units'].max()):,}" if rows.height else ""  # type: ignore[arg-type]


def _bounds(rows: pl.DataFrame) -> Iterator[tuple[str, float, float | None, float | None]]:
    return rows.select("agent", "value", "low", "high").iter_rows()


def by_relation(averages: Averages, setting: str, relations: Sequence[Relation], styles: Mapping[str, Look]) -> Figure:
    """Draw a row per relation and a column per probe, with a point per agent (Table 2)."""
    codes = [one.code for one in relations]
    figure, axes = plt.subplots(1, len(COLUMNS), figsize=(WIDTH, 1.2 + 0.2 * len(codes)), sharey=True)
    for axis, probe in zip(axes, COLUMNS, strict=True):
        rows = averages.filter(metric=f"{setting} {probe}")
        links = {one.code: {agent: answers(agent, setting, probe, one.label) for agent in styles} for one in relations}
        _points(axis, rows, codes, styles, links)
        axis.set_title(probe, fontsize=9, loc="left")
    labels = [f"{one.label} {one.marks}".rstrip() for one in relations]
    axes[0].set_yticks(range(len(codes)), labels, fontsize=7)
    axes[0].set_ylim(len(codes) - 0.5, -0.5)
    figure.supxlabel(f"accuracy, {setting} (dotted: chance; ∗ one/many-to-many, † bidirectional)", fontsize=9)
    handles, agents = axes[0].get_legend_handles_labels()
    figure.legend(handles, agents, loc="outside upper center", ncols=6, frameon=False, fontsize=8)
    return figure


def _points(
    axis: Axes,
    rows: pl.DataFrame,
    codes: Sequence[str],
    styles: Mapping[str, Look],
    links: Mapping[str, Mapping[str, str | None]],
) -> None:
    """Draw the points of all agents. `links`: relation -> agent -> the address that a click on the point leads to."""
    for agent, look in styles.items():
        value = dict(rows.filter(agent=agent).select("condition", "value").iter_rows())
        places = [(value[code], row, links[code][agent]) for row, code in enumerate(codes) if code in value]
        if places:
            x, y, urls = zip(*places, strict=True)
            # One face colour per point: matplotlib gives points of a single colour one address.
            faces = ["white" if look.hollow else look.colour] * len(places)
            style: dict[str, Any] = {
                "s": 16,
                "marker": look.marker,
                "facecolors": faces,
                "edgecolors": look.colour,
                "linewidths": 0.9,
            }
            points = axis.scatter(x, y, alpha=0.8, label=agent, **style)
            points.set_urls(urls)
            mark(points, agent)
    axis.axvline(CHANCE, color="black", linewidth=0.8, linestyle=":")
    axis.set_xlim(0, 1.02)
