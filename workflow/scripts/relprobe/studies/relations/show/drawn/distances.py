"""The figures of distances between relations: how many are told apart, and which."""

from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt
import polars as pl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from relprobe.core.relation import Relations
from relprobe.report.figures import (
    ROW,
    WIDTH,
    cells,
    count_label,
    dots,
    label_columns,
    label_rows,
    mark,
    marker,
    nothing_to_draw,
    panels,
    short,
)
from relprobe.report.looks import Look
from relprobe.studies.relations.measure.distances import curve
from relprobe.studies.relations.measure.measures import AUDC, DISTINGUISHABILITY
from relprobe.studies.relations.measure.relation_pairs import audc_label, counted_pairs
from relprobe.studies.relations.show.addresses import answers

FEW_TARGETS = 10
"""A distance over fewer targets is grey and hatched in a heat map."""
CURVES = 4
"""The panels of curves beside each other."""


def distinguishability_curves(averages: pl.DataFrame, styles: Mapping[str, Look], *, relations: Relations) -> Figure:
    """Draw η(p), the relation pairs distinguished at threshold p, and the area under it per agent (Figure 8).

    Each family has a panel, in which the curves of the others are grey; agents without values are not shown.
    """
    areas, pairs = averages.filter(metric=AUDC.name), counted_pairs(averages, relations)
    agents = [agent for agent in styles if agent in set(areas["agent"])]
    families = list(dict.fromkeys(styles[agent].family for agent in agents))
    lines = -(-len(families) // CURVES)
    heights = [2.3] * lines + [0.4 + ROW * len(agents)]
    figure = plt.figure(figsize=(WIDTH, 0.6 * (lines + 1) + sum(heights)))
    grid = figure.add_gridspec(lines + 1, min(CURVES, len(families)), height_ratios=heights)
    steps = {agent: rows for (agent,), rows in curve(averages).group_by("agent", maintain_order=True)}
    for number, family in enumerate(families):
        axis = figure.add_subplot(grid[number // CURVES, number % CURVES])
        _curves(axis, steps, {agent: styles[agent] for agent in agents}, family)
        axis.set(xlim=(0, 1), ylim=(0, pairs + 1))
        axis.set_title(family, fontsize=9, loc="left")
        if number % CURVES == 0:
            axis.set_ylabel("relation pairs with D > p", fontsize=8)
        if number >= len(families) - CURVES:
            axis.set_xlabel("threshold p", fontsize=8)
    below = figure.add_subplot(grid[lines, :])
    of_agents = {row["agent"]: row for row in areas.iter_rows(named=True)}
    values = [of_agents[agent]["value"] for agent in agents]
    bounds = [(of_agents[agent]["low"], of_agents[agent]["high"]) for agent in agents]
    links = [answers(agent) for agent in agents]
    dots(below, agents, values, [styles[agent] for agent in agents], bounds, links=links)
    below.set(xlabel=audc_label(averages, relations), xlim=(min(0, *(low or 0 for low, _ in bounds)), pairs))
    return figure


def _curves(axis: Axes, steps: Mapping[str, pl.DataFrame], styles: Mapping[str, Look], family: str) -> None:
    """Draw the curves of a family's agents, and those of all others in grey behind them."""
    own = [agent for agent in styles if styles[agent].family == family]
    for agent in [*(agent for agent in styles if agent not in own), *own]:
        look, rows = styles[agent], steps[agent]
        shown: dict[str, object] = {"color": "#cccccc", "linewidth": 0.7}
        if agent in own:
            # A marker in every eighth of the curve, each agent's at another place of it.
            start = own.index(agent) / max(len(own), 1) / 8
            shown = marker(look) | {"linestyle": look.dash, "markevery": (start, 0.125), "label": agent}
        (line,) = axis.step(rows["p"], rows["pairs"], where="post", **shown)
        mark(line, agent, answers(agent) if agent in own else None)
    axis.legend(loc="upper right", frameon=False, fontsize=7, handlelength=2.2, borderaxespad=0.1, labelspacing=0.2)


def by_kind(averages: pl.DataFrame, kinds: Mapping[str, str]) -> tuple[pl.DataFrame, dict[str, str]]:
    """Average the D(r, s) of all agents of a kind (Figure 9), in the form of AVERAGES, with the kind as agent.

    `units` is the number of targets of the agent that has the fewest.
    """
    kind_of = pl.DataFrame({"agent": list(kinds), "kind": list(kinds.values())})
    rows = averages.filter(metric=DISTINGUISHABILITY.name).join(kind_of, on="agent")
    grouped = rows.group_by("metric", "relation", "versus", agent="kind", maintain_order=True)
    means = grouped.agg(pl.col("value").mean(), pl.col("units").min())
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
        of_kind = {(r, s): (d, n) for a, r, s, d, n in _distances(means) if a == kind}
        rows = [[of_kind.get((r, s), (None, None)) for s in codes] for r in codes]
        texts = [["" if d is None else f"{short(d)}\n{'' if n is None else n}" for d, n in row] for row in rows]
        values = [[None if d is None else max(d, 0.0) for d, _ in row] for row in rows]
        drawn = cells(axis, values, "Greys", (0, 1), texts, [[_few(n) for _, n in row] for row in rows])
        for r, row in zip(codes, drawn, strict=True):
            for s, cell in zip(codes, row, strict=True):
                cell.set_url(answers(group=r, other=s))
        names = [relations.names[code] for code in codes]
        label_columns(axis, names)
        axis.set_yticks(range(len(codes)), names, fontsize=7)
        axis.tick_params(labelbottom=True, labelleft=True)
    figure.supylabel("prompted relation", fontsize=9)
    figure.supxlabel("relation it is told from; below a distance: the number of targets", fontsize=9)
    return figure


def _few(targets: int | None) -> bool:
    return targets is not None and targets < FEW_TARGETS


def _distances(table: pl.DataFrame) -> list[tuple[str, str, str, float, int | None]]:
    return table.select("agent", "relation", "versus", "value", "units").rows()


def distances_of_agents(averages: pl.DataFrame, styles: Mapping[str, Look], *, relations: Relations) -> Figure:
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
    for number, (axis, code) in enumerate(zip(axes, codes, strict=True)):
        _told_from(axis, rows.filter(relation=code), agents, [s for s in relations.codes if s != code], relations)
        label_rows(axis, agents)
        axis.tick_params(labelbottom=True, labelleft=number % columns == 0)
    return figure


def _told_from(
    axis: Axes, rows: pl.DataFrame, agents: Sequence[str], others: Sequence[str], relations: Relations
) -> None:
    of_agent = {(row["agent"], row["versus"]): row for row in rows.iter_rows(named=True)}
    table = [[of_agent.get((agent, other)) for other in others] for agent in agents]
    common = {s: max((row["units"] or 0 for row in of_agent.values() if row["versus"] == s), default=0) for s in others}
    texts = [["" if row is None else _distance_text(row, common) for row in line] for line in table]
    values = [[None if row is None else max(row["value"], 0.0) for row in line] for line in table]
    faint = [[row is not None and _few(row["units"]) for row in line] for line in table]
    drawn = cells(axis, values, "Greys", (0, 1), texts, faint)
    relation = rows["relation"][0]
    for agent, line in zip(agents, drawn, strict=True):
        for other, cell in zip(others, line, strict=True):
            mark(cell, agent, answers(agent, relation, other=other))
    label_columns(axis, [count_label(relations.names[s], common[s]) for s in others])


def _distance_text(row: Mapping[str, object], common: Mapping[str, int]) -> str:
    own = row["units"] is not None and row["units"] != common[str(row["versus"])]
    return short(float(str(row["value"]))) + (f" ({row['units']})" if own else "")
