"""The figures of the study: the accuracies of all agents, a panel per group of relations and probe."""

from collections.abc import Callable, Iterator, Mapping, Sequence

import polars as pl
from matplotlib.figure import Figure

from relprobe.report.agent_styles import AgentStyle, Styles
from relprobe.report.figures import (
    dots,
    family_key,
    panels,
    to_scale,
)
from relprobe.stats.schemas import Averages
from relprobe.studies.analogies.addresses import answers
from relprobe.studies.analogies.method import ALL, COLUMNS
from relprobe.studies.analogies.relations import GROUP_NAMES, group_order, relations_of
from relprobe.studies.analogies.results import FigureFiles
from relprobe.studies.analogies.schemas import SETTINGS, Tuples

CHANCE = 0.5
NAMES = {ALL: "all relations"} | GROUP_NAMES
"""Group of relations -> its name."""
INCOMPLETE = " °"
"""The mark of an agent whose values are not over the tuples of the other agents."""


def groups_of(tuples: Tuples) -> list[str]:
    """Return the groups of the relations, in the order of Table 1."""
    return group_order(relation.group for relation in relations_of(tuples))


def by_group(averages: Averages, setting: str, groups: Sequence[str], styles: Mapping[str, AgentStyle]) -> Figure:
    """Draw a panel per group and probe, with a bar per agent and its interval over the relations (Table 1)."""
    shown = [ALL, *(group for group in groups if group in set(averages["condition"]))]
    cells = [(group, probe) for group in shown for probe in COLUMNS]
    titles = [f"{NAMES.get(group, group)}: {probe}{_count(averages, setting, probe, group)}" for group, probe in cells]
    incomplete = set(
        averages.filter("own_units", pl.col("metric").is_in([f"{setting} {probe}" for probe in COLUMNS]))["agent"]
    )
    labels = [f"{agent}{INCOMPLETE}" if agent in incomplete else agent for agent in styles]
    figure, axes = panels(titles, len(styles))
    for axis, (group, probe) in zip(axes, cells, strict=True):
        rows = averages.filter(metric=f"{setting} {probe}", condition=group)
        values = {agent: (value, (low, high)) for agent, value, low, high in _bounds(rows)}
        in_order = [values.get(agent, (None, (None, None))) for agent in styles]
        spans = [span for _, span in in_order]
        links = [answers(agent, setting, probe) for agent in styles]
        accuracies = [value for value, _ in in_order]
        dots(axis, list(styles), accuracies, list(styles.values()), spans, labels=labels, links=links)
        axis.axvline(CHANCE, color="black", linewidth=to_scale(0.8), linestyle=":")
        axis.set_xlim(0, 1.02)
    figure.supxlabel(f"accuracy, {setting} (dotted: chance; n: tuples)")
    family_key(figure, styles.values())
    return figure


def _count(averages: Averages, setting: str, probe: str, group: str) -> str:
    """Return ", n = 20": the tuples that all agents are averaged over; "" without any."""
    rows = averages.filter(~pl.col("own_units"), metric=f"{setting} {probe}", condition=group)
    return f", n = {int(rows['units'].max()):,}" if rows.height else ""  # type: ignore[arg-type]


def _bounds(rows: pl.DataFrame) -> Iterator[tuple[str, float, float | None, float | None]]:
    return rows.select("agent", "value", "low", "high").iter_rows()


def _by_group(setting: str) -> Callable[[FigureFiles, Styles], Figure]:
    def draw(files: FigureFiles, styles: Styles) -> Figure:
        return by_group(files.averages, setting, groups_of(files.tuples), styles.agents)

    return draw


FIGURES = {f"groups_{setting}": _by_group(setting) for setting in SETTINGS}
"""Name -> what draws the figure of the page; the other ones are those of analyses."""
