"""The figures that only this study has."""

import textwrap
from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib.pyplot as plt
import polars as pl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from relprobe.core.relation import Relations
from relprobe.core.sums import ordered_mean
from relprobe.report.agent_styles import OWN_CONTROL, AgentStyle
from relprobe.report.figures import (
    ROW,
    WIDTH,
    cells,
    count_label,
    dot,
    dots,
    drawn_size,
    family_key,
    in_print,
    label_columns,
    label_rows,
    mark,
    marker,
    nothing_to_draw,
    panels,
    panels_in_row,
    short,
    subplots,
    to_scale,
)
from relprobe.report.figures.printed import HIGHEST, SMALLER
from relprobe.report.widths import INCH
from relprobe.stats.controls import owner
from relprobe.studies.relations.addresses import answers
from relprobe.studies.relations.distances import audc_label, counted_pairs, curve
from relprobe.studies.relations.measures import AUDC, DISTINGUISHABILITY, RECIPROCITY, with_figures

# The figure at the top of the page: all agents, relations and metrics with their intervals.


NARROW = 3
"""The relations that stand beside each other in a figure of one column; one of many agents goes across two, and has all."""
LETTERS = 44
"""The letters of the titles of all relations beside each other in a figure of one column; one of two has twice as many."""
GAP = 0.15
"""The gap between two relations, as a share of the width of one."""
OWN_CONTROL_NAME = "same model without target"
"""What an outline in a model's row is."""
HEIGHT = 0.14
"""The height of a row, in inches: less than in other figures, so that a screen shows most of this one."""


def overview(averages: pl.DataFrame, agent_styles: Mapping[str, AgentStyle], k: int, *, relations: Relations) -> Figure:
    """Draw a panel per metric, in it a block per relation, in this a row per agent: its value and its 95 % interval.

    A grey outline in a model's row is its own control. The blocks of a panel have one scale, from 0 to the highest bound of
    the metric. Symmetry and asymmetry, which no relation has both of, share a panel, at the cut-off k.
    """
    shown = averages.filter(pl.col("k").is_null() | (pl.col("k") == k)).drop_nulls("value")
    metrics = {name: shown.filter(pl.col("metric").is_in(members)) for name, members in _panels(k).items()}
    metrics = {name: rows for name, rows in metrics.items() if rows.height}
    if not metrics:
        return nothing_to_draw("No agent has values of any metric on the tuples of this study.")
    agents = [agent for agent in agent_styles if agent in set(shown["agent"])]
    drawn = _blocks(metrics, relations, NARROW if panels_in_row(2) == 1 else None)
    if _height(len(drawn), len(agents)) * SMALLER > HIGHEST / INCH and panels_in_row(2) == 1:
        drawn = _blocks(metrics, relations, None)  # it goes across two columns (report/figures/printed.py)
    figure, axes = subplots(len(drawn), 1, lambda lines, _: (WIDTH, _height(lines, len(agents))))
    for axis, (name, rows, codes) in zip(axes.flat, drawn, strict=False):
        titles = [_block_title(rows.filter(relation=code), relations.names[code], len(codes)) for code in codes]
        _panel(axis, rows, {agent: agent_styles[agent] for agent in agents}, dict(zip(codes, titles, strict=True)))
        lines = max(title.count("\n") for title in titles)
        axis.set_title(name, pad=14 + 8 * lines)
    controls = {agent for agent in shown["agent"] if owner(agent) in agents}
    family_key(figure, [agent_styles[agent] for agent in agents], OWN_CONTROL_NAME if controls else "")
    return figure


def _panels(k: int) -> dict[str, list[str]]:
    """Return the title of each panel, and the metrics whose values it shows."""
    panels: dict[str, list[str]] = {}
    for measure in with_figures():
        title = f"{'Symmetry and asymmetry' if measure.compared_as == RECIPROCITY else measure.title}"
        panels.setdefault(f"{title} (k = {k})" if measure.cutoffs else title, []).append(measure.name)
    return panels


def _blocks(
    metrics: Mapping[str, pl.DataFrame], relations: Relations, most: int | None
) -> list[tuple[str, pl.DataFrame, list[str]]]:
    """Return the panels: a metric, its rows, and its relations, at most so many in a panel; None: all of them."""
    panels = []
    for name, rows in metrics.items():
        codes = [code for code in relations.codes if code in set(rows["relation"])]
        size = most or len(codes)
        panels += [(name, rows, codes[start : start + size]) for start in range(0, len(codes), size)]
    return panels


def _height(panels: int, agents: int) -> float:
    """Return the height of the figure on a page, in inches."""
    return 0.4 + panels * (0.7 + HEIGHT * agents)


def _block_title(rows: pl.DataFrame, name: str, blocks: int) -> str:
    """Return the name of a relation and the number of units; in print in as many lines as one of so many blocks has room."""
    units = max((count or 0 for count in rows["units"]), default=0)
    parts = [name, f"n = {units:,}"] if units else [name]
    if not in_print():
        return ", ".join(parts)
    room = LETTERS * (1 if blocks <= NARROW and panels_in_row(2) == 1 else 2) // blocks
    return "\n".join(line for part in parts for line in textwrap.wrap(part, max(room, 6)))


def _panel(axis: Axes, rows: pl.DataFrame, agent_styles: Mapping[str, AgentStyle], titles: Mapping[str, str]) -> None:
    top = float(rows.select(pl.max_horizontal("value", "high").max()).item()) or 1.0
    starts = {code: number * (1 + GAP) for number, code in enumerate(titles)}
    for code, start in starts.items():
        rows_by_agent = {row["agent"]: row for row in rows.filter(relation=code).iter_rows(named=True)}
        for index, (agent, look) in enumerate(agent_styles.items()):
            row = rows_by_agent.get(agent)
            if row is not None:
                value, low, high = (
                    None if row[name] is None else start + row[name] / top for name in ("value", "low", "high")
                )
                dot(axis, agent, look, value or start, index, (low, high), answers(agent, code, row["k"] or 1))
            for control in (name for name in rows_by_agent if owner(name) == agent):
                control_row = rows_by_agent[control]
                link = answers(control, code, control_row["k"] or 1)
                dot(axis, control, OWN_CONTROL, start + control_row["value"] / top, index, link=link)
        offset: dict[str, Any] = {"xytext": (0, 3), "textcoords": "offset points", "va": "bottom", "fontsize": "small"}
        axis.annotate(titles[code], (start, 1), xycoords=("data", "axes fraction"), **offset)
    label_rows(axis, list(agent_styles))
    axis.tick_params(axis="y", labelsize="small", length=to_scale(2))
    steps = [step for step in MaxNLocator(2).tick_values(0, top) if 0 <= step <= 0.95 * top]
    ticks = [(start + step / top, f"{step:g}") for start in starts.values() for step in steps]
    axis.set_xticks([position for position, _ in ticks], [label for _, label in ticks], fontsize="small")
    axis.set_xlim(-0.02, len(titles) * (1 + GAP) - GAP + 0.04)


# The figures of what agents answer: the relations of their first related words, and how alike people's answers are.


# The figures of distances between relations: how many are told apart, and which.


FEW_TARGETS = 10
"""A distance over fewer targets is grey and hatched in a heat map."""
CURVES = 4
"""The panels of curves beside each other."""


def distinguishability_curves(
    averages: pl.DataFrame, styles: Mapping[str, AgentStyle], *, relations: Relations
) -> Figure:
    """Draw η(p), the relation pairs distinguished at threshold p, and the area under it per agent (Figure 8).

    Each family has a panel, in which the curves of the others are grey; agents without values are not shown.
    """
    areas, pairs = averages.filter(metric=AUDC.name), counted_pairs(averages, relations)
    agents = [agent for agent in styles if agent in set(areas["agent"])]
    families = list(dict.fromkeys(styles[agent].family for agent in agents))
    columns = panels_in_row(CURVES)
    lines = -(-len(families) // columns)
    heights = [2.3] * lines + [0.4 + ROW * len(agents)]
    figure = plt.figure(figsize=drawn_size(WIDTH, 0.6 * (lines + 1) + sum(heights)))
    grid = figure.add_gridspec(lines + 1, min(columns, len(families)), height_ratios=heights)
    steps = {agent: rows for (agent,), rows in curve(averages).group_by("agent", maintain_order=True)}
    for number, family in enumerate(families):
        axis = figure.add_subplot(grid[number // columns, number % columns])
        _curves(axis, steps, {agent: styles[agent] for agent in agents}, family)
        axis.set(xlim=(0, 1), ylim=(0, pairs + 1))
        axis.yaxis.set_major_locator(MaxNLocator(6, integer=True))  # of a count
        axis.set_title(family)
        if number % columns == 0:
            axis.set_ylabel("relation pairs with D > p", fontsize="small")
        if number >= len(families) - columns:
            axis.set_xlabel("threshold p", fontsize="small")
    below = figure.add_subplot(grid[lines, :])
    rows_by_agent = {row["agent"]: row for row in areas.iter_rows(named=True)}
    values = [rows_by_agent[agent]["value"] for agent in agents]
    bounds = [(rows_by_agent[agent]["low"], rows_by_agent[agent]["high"]) for agent in agents]
    links = [answers(agent) for agent in agents]
    dots(below, agents, values, [styles[agent] for agent in agents], bounds, links=links)
    below.set(xlabel=audc_label(averages, relations), xlim=(min(0, *(low or 0 for low, _ in bounds)), pairs))
    return figure


def _curves(axis: Axes, steps: Mapping[str, pl.DataFrame], styles: Mapping[str, AgentStyle], family: str) -> None:
    """Draw the curves of a family's agents, and those of all others in grey behind them."""
    family_agents = [agent for agent in styles if styles[agent].family == family]
    for agent in [*(agent for agent in styles if agent not in family_agents), *family_agents]:
        look, rows = styles[agent], steps[agent]
        shown: dict[str, object] = {"color": "#cccccc", "linewidth": to_scale(0.7)}
        if agent in family_agents:
            # A marker in every eighth of the curve, each agent's at another place of it.
            start = family_agents.index(agent) / max(len(family_agents), 1) / 8
            shown = marker(look) | {"linestyle": look.dash, "markevery": (start, 0.125), "label": agent}
        (line,) = axis.step(rows["p"], rows["pairs"], where="post", **shown)
        mark(line, agent, answers(agent) if agent in family_agents else None)
    axis.legend(loc="upper right", handlelength=2.2, borderaxespad=0.1, labelspacing=0.2)


def by_kind(averages: pl.DataFrame, kinds: Mapping[str, str]) -> tuple[pl.DataFrame, dict[str, str]]:
    """Average the D(r, s) of all agents of a kind (Figure 9), in the form of AVERAGES, with the kind as agent.

    `units` is the number of targets of the agent that has the fewest.
    """
    kind_of = pl.DataFrame({"agent": list(kinds), "kind": list(kinds.values())})
    rows = averages.filter(metric=DISTINGUISHABILITY.name).join(kind_of, on="agent")
    grouped = rows.group_by("metric", "relation", "versus", agent="kind", maintain_order=True)
    means = grouped.agg(ordered_mean("value"), pl.col("units").min())
    order = [kind for kind in ("masked", "causal", "encoder-decoder", "humans") if kind in set(means["agent"])]
    return means, {kind: kind for kind in order}


def distances_of_kinds(means: pl.DataFrame, kinds: Mapping[str, str], *, relations: Relations) -> Figure:
    """Draw D(r, s) for every kind of agent: row the prompted relation, column the one it is told from (Figure 9).

    Below a distance stands the number of targets; where these are few, both are grey and hatched.
    """
    if not kinds:
        return nothing_to_draw("No agent of a kind, such as a masked or a causal model, has a distance.")
    codes = relations.codes
    figure, axes = panels(list(kinds), round(0.42 / ROW * len(codes)))
    for axis, kind in zip(axes, kinds, strict=True):
        kind_distances = {(r, s): (d, n) for a, r, s, d, n in _distances(means) if a == kind}
        rows = [[kind_distances.get((r, s), (None, None)) for s in codes] for r in codes]
        texts = [["" if d is None else f"{short(d)}\n{'' if n is None else n}" for d, n in row] for row in rows]
        values = [[None if d is None else max(d, 0.0) for d, _ in row] for row in rows]
        drawn = cells(axis, values, "Greys", (0, 1), texts, [[_few(n) for _, n in row] for row in rows])
        for r, row in zip(codes, drawn, strict=True):
            for s, cell in zip(codes, row, strict=True):
                cell.set_url(answers(group=r, other=s))
        names = [relations.names[code] for code in codes]
        label_columns(axis, names)
        axis.set_yticks(range(len(codes)), names, fontsize="small")
        axis.tick_params(labelbottom=True, labelleft=True)
    figure.supylabel("prompted relation")
    figure.supxlabel("relation it is told from; below a distance: the number of targets")
    return figure


def _few(targets: int | None) -> bool:
    return targets is not None and targets < FEW_TARGETS


def _distances(table: pl.DataFrame) -> list[tuple[str, str, str, float, int | None]]:
    return table.select("agent", "relation", "versus", "value", "units").rows()


def distances_of_agents(averages: pl.DataFrame, styles: Mapping[str, AgentStyle], *, relations: Relations) -> Figure:
    """Draw D(r, s) for every agent: a panel per prompted relation r, a row per agent, a column per other relation s.

    It has what Figures C3 and C4 of the paper show as a matrix per agent. The number of targets stands after the name of s;
    distances over few targets are grey and hatched. An agent on targets of its own has their number in the cell.
    """
    rows = averages.filter(metric=DISTINGUISHABILITY.name).drop_nulls("value")
    agents = [agent for agent in styles if agent in set(rows["agent"])]
    codes = [code for code in relations.codes if code in set(rows["relation"])]
    titles = [f"asked for {relations.names[code]}, told from …" for code in codes]
    columns = max(1, min(3, 18 // max(len(relations.codes) - 1, 1)))
    figure, axes = panels(titles, len(agents) + 1, columns=columns, same_columns=False)
    for axis, code in zip(axes, codes, strict=True):
        _told_from(axis, rows.filter(relation=code), agents, [s for s in relations.codes if s != code], relations)
        label_rows(axis, agents)
        spec = axis.get_subplotspec()
        axis.tick_params(labelbottom=True, labelleft=spec is None or spec.is_first_col())
    return figure


def _told_from(
    axis: Axes, rows: pl.DataFrame, agents: Sequence[str], codes: Sequence[str], relations: Relations
) -> None:
    rows_by_cell = {(row["agent"], row["versus"]): row for row in rows.iter_rows(named=True)}
    table = [[rows_by_cell.get((agent, code)) for code in codes] for agent in agents]
    common = {
        s: max((row["units"] or 0 for row in rows_by_cell.values() if row["versus"] == s), default=0) for s in codes
    }
    texts = [["" if row is None else _distance_text(row, common) for row in line] for line in table]
    values = [[None if row is None else max(row["value"], 0.0) for row in line] for line in table]
    faint = [[row is not None and _few(row["units"]) for row in line] for line in table]
    drawn = cells(axis, values, "Greys", (0, 1), texts, faint)
    relation = rows["relation"][0]
    for agent, line in zip(agents, drawn, strict=True):
        for code, cell in zip(codes, line, strict=True):
            mark(cell, agent, answers(agent, relation, other=code))
    label_columns(axis, [count_label(relations.names[s], common[s]) for s in codes])


def _distance_text(row: Mapping[str, object], common: Mapping[str, int]) -> str:
    differs = row["units"] is not None and row["units"] != common[str(row["versus"])]
    return short(float(str(row["value"]))) + (f" ({row['units']})" if differs else "")


# The figures of word frequency (Figure E5).


# The figures along series: over training, over the sizes of models (section 8.6), and over layers.
