"""The figures of the analogies study, drawn from the averages."""

from collections.abc import Iterator, Mapping, Sequence

import matplotlib.pyplot as plt
import polars as pl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from relprobe.report.figures import COLOURS, bars, colour_key, panels
from relprobe.studies.analogies.metrics import ALL, COLUMNS
from relprobe.studies.analogies.relations import GROUP_NAMES, Relation, group_order
from relprobe.studies.analogies.schemas import SETTINGS

CHANCE = 0.5
OWN = " °"
"""The mark of an agent whose values are not over the tuples of the other agents."""
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")


def draw(
    averages: pl.DataFrame, relations: Sequence[Relation], kinds: Mapping[str, str]
) -> Iterator[tuple[str, Figure]]:
    """Yield the name and figure of each setting's accuracies by group and by relation.

    `averages`: AVERAGES, in whose order the agents stand; `relations`: in the order of the rows; `kinds`: agent -> masked,
    causal or baseline.
    """
    agents = dict.fromkeys([*averages["agent"].unique(maintain_order=True), *kinds])
    ordered = {agent: kinds[agent] for agent in agents}
    for setting in SETTINGS:
        yield f"groups_{setting}", by_group(averages, setting, group_order(one.group for one in relations), ordered)
        yield f"relations_{setting}", by_relation(averages, setting, relations, ordered)


def by_group(averages: pl.DataFrame, setting: str, groups: Sequence[str], kinds: Mapping[str, str]) -> Figure:
    """Draw a panel per group and probe, with a bar per agent and its interval over the relations (Table 1)."""
    shown = [ALL, *(group for group in groups if group in set(averages["condition"]))]
    cells = [(group, probe) for group in shown for probe in COLUMNS]
    titles = [f"{({ALL: 'all relations'} | GROUP_NAMES).get(group, group)}: {probe}" for group, probe in cells]
    own = set(
        averages.filter("own_units", pl.col("metric").is_in([f"{setting} {probe}" for probe in COLUMNS]))["agent"]
    )
    names = [f"{agent}{OWN}" if agent in own else agent for agent in kinds]
    figure, axes = panels(titles, len(kinds))
    for axis, (group, probe) in zip(axes, cells, strict=True):
        rows = averages.filter(metric=f"{setting} {probe}", condition=group)
        values = {agent: (value, (low, high)) for agent, value, low, high in _bounds(rows)}
        in_order = [values.get(agent, (None, (None, None))) for agent in kinds]
        bars(axis, names, [value for value, _ in in_order], list(kinds.values()), [span for _, span in in_order])
        axis.axvline(CHANCE, color="black", linewidth=0.8, linestyle=":")
        axis.set_xlim(0, 1.15)
    figure.supxlabel(f"accuracy, {setting} (dotted: chance)", fontsize=9)
    colour_key(figure, list(kinds.values()))
    return figure


def _bounds(rows: pl.DataFrame) -> Iterator[tuple[str, float, float | None, float | None]]:
    return rows.select("agent", "value", "low", "high").iter_rows()


def by_relation(
    averages: pl.DataFrame, setting: str, relations: Sequence[Relation], kinds: Mapping[str, str]
) -> Figure:
    """Draw a row per relation and a column per probe, with a point per agent (Table 2)."""
    codes = [one.code for one in relations]
    figure, axes = plt.subplots(1, len(COLUMNS), figsize=(9.6, 1.2 + 0.2 * len(codes)), sharey=True)
    for axis, probe in zip(axes, COLUMNS, strict=True):
        rows = averages.filter(metric=f"{setting} {probe}")
        _points(axis, rows, codes, kinds)
        axis.set_title(probe, fontsize=9, loc="left")
    labels = [f"{one.label} {one.marks}".rstrip() for one in relations]
    axes[0].set_yticks(range(len(codes)), labels, fontsize=7)
    axes[0].set_ylim(len(codes) - 0.5, -0.5)
    figure.supxlabel(f"accuracy, {setting} (dotted: chance; ∗ one/many-to-many, † bidirectional)", fontsize=9)
    handles, agents = axes[0].get_legend_handles_labels()
    figure.legend(handles, agents, loc="outside upper center", ncols=6, frameon=False, fontsize=8)
    return figure


def _points(axis: Axes, rows: pl.DataFrame, codes: Sequence[str], kinds: Mapping[str, str]) -> None:
    for number, (agent, kind) in enumerate(kinds.items()):
        value = dict(rows.filter(agent=agent).select("condition", "value").iter_rows())
        places = [(value[code], row) for row, code in enumerate(codes) if code in value]
        marker = MARKERS[number % len(MARKERS)]
        if places:
            x, y = zip(*places, strict=True)
            axis.scatter(x, y, s=16, color=COLOURS[kind], marker=marker, label=agent, alpha=0.8, linewidths=0)
    axis.axvline(CHANCE, color="black", linewidth=0.8, linestyle=":")
    axis.set_xlim(0, 1.02)
