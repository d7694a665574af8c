"""The figures of the relations study, drawn from the summary table alone."""

from collections.abc import Iterator, Mapping

import matplotlib.pyplot as plt
import polars as pl
from matplotlib.figure import Figure

from relprobe.figures import COLOURS, PALETTE, bars, colour_key, line_styles, matrix, panels, parts
from relprobe.relation import NAMES, RELATIONS
from relprobe.relations.analyses import curve

BY_RELATION = ("soundness", "completeness", "symmetry", "asymmetry", "prototypicality")


def draw(summary: pl.DataFrame, first_related: pl.DataFrame, kinds: Mapping[str, str]) -> Iterator[tuple[str, Figure]]:
    """Yield the name and figure of everything that can be drawn of the agents in `kinds` (agent -> kind, in order)."""
    drawn = summary.filter(pl.col("metric").is_in(BY_RELATION)).select("metric", "k").unique()
    for metric, k in drawn.sort("metric", "k").iter_rows():
        yield (metric if k is None else f"{metric}_{k}"), by_relation(summary, metric, kinds, k)
    yield "distinguishability_curves", distinguishability_curves(summary, kinds)
    yield "distinguishability_matrices", distinguishability_matrices(summary, kinds)
    yield "first_related", first_related_bars(first_related)


def by_relation(summary: pl.DataFrame, metric: str, kinds: Mapping[str, str], k: int | None = None) -> Figure:
    """Draw one panel per relation with a bar per agent (Figures 4 to 7, B1 and B2). `kinds`: agent -> kind, in order."""
    rows = summary.filter(metric=metric).filter(pl.col("k").eq_missing(k))
    relations = [name for name in RELATIONS if name in set(rows["relation"])]
    agents = [agent for agent in kinds if agent in set(rows["agent"])]
    figure, axes = panels([NAMES[name] for name in relations], len(agents))
    for axis, relation in zip(axes, relations, strict=True):
        value = dict(rows.filter(relation=relation).select("agent", "value").iter_rows())
        bars(axis, agents, [value.get(agent) for agent in agents], [kinds[agent] for agent in agents])
        axis.set_xlim(0, 1.12)
    figure.supxlabel(metric if k is None else f"{metric} (k = {k})", fontsize=9)
    colour_key(figure, [kinds[agent] for agent in agents])
    return figure


def entropy_boxes(values: pl.DataFrame) -> Figure:
    """Draw the distribution of the human response entropies above 0 per relation, its mean in orange (Figure 2)."""
    figure, axis = plt.subplots(figsize=(6.4, 3.2))
    groups = [values.filter((pl.col("relation") == name) & (pl.col("entropy") > 0))["entropy"] for name in RELATIONS]
    axis.boxplot(
        [group.to_numpy() for group in groups],
        tick_labels=[NAMES[name] for name in RELATIONS],
        showmeans=True,
        meanline=True,
        meanprops={"color": COLOURS["causal"], "linestyle": "-"},
        medianprops={"color": COLOURS["masked"]},
        flierprops={"markersize": 2},
    )
    axis.set(ylabel="response entropy", ylim=(0, 1.02))
    return figure


def first_related_bars(shares: pl.DataFrame) -> Figure:
    """Draw, per agent, the relations that the first related words stand in, beside the prompted ones (Figure 3)."""
    agents = shares["agent"].unique(maintain_order=True).to_list()
    figure, axis = plt.subplots(figsize=(7.2, 0.9 + 0.3 * len(agents)))
    share = {(agent, relation): part for relation, part, agent in shares.rows()}
    widths = {relation: [share.get((agent, relation), 0.0) for agent in agents] for relation in RELATIONS}
    parts(axis, agents, widths, PALETTE)
    axis.set(xlim=(0, 1), xlabel="share of the first related words")
    figure.legend(
        labels=[f"{name} ({NAMES[name]})" for name in RELATIONS],
        loc="outside upper center",
        ncols=3,
        frameon=False,
        fontsize=8,
    )
    return figure


def distinguishability_curves(summary: pl.DataFrame, kinds: Mapping[str, str]) -> Figure:
    """Draw η(p), the relation pairs distinguished at threshold p, and the area under it per agent (Figure 8)."""
    agents = [agent for agent in kinds if agent in set(summary.filter(metric="audc")["agent"])]
    figure, (left, right) = plt.subplots(1, 2, figsize=(9.6, max(3.6, 1.4 + 0.24 * len(agents))), width_ratios=[3, 2])
    steps = curve(summary)
    for agent, style in zip(agents, line_styles([kinds[agent] for agent in agents]), strict=True):
        rows = steps.filter(agent=agent)
        left.step(rows["p"], rows["pairs"], where="post", label=agent, **style)
    left.set(xlabel="threshold p", ylabel="relation pairs with D > p", xlim=(0, 1), ylim=(0, 31))
    figure.legend(loc="outside lower center", ncols=6, frameon=False, fontsize=8, handlelength=3.5)
    area = dict(summary.filter(metric="audc").select("agent", "value").iter_rows())
    bars(right, agents, [area[agent] for agent in agents], [kinds[agent] for agent in agents])
    right.set(xlabel="AuDC (of 30 pairs)", xlim=(0, 33))
    return figure


def distinguishability_matrices(summary: pl.DataFrame, kinds: Mapping[str, str]) -> Figure:
    """Draw D(r, s) for every agent: row the prompted relation, column the one it is told from (Figures 9, C3 and C4)."""
    rows = summary.filter(metric="distinguishability")
    agents = [agent for agent in kinds if agent in set(rows["agent"])]
    figure, axes = panels(agents, 9)
    for axis, agent in zip(axes, agents, strict=True):
        cells = {(r, s): d for r, s, d in rows.filter(agent=agent).select("relation", "versus", "value").iter_rows()}
        matrix(axis, [[cells.get((r, s)) for s in RELATIONS] for r in RELATIONS], RELATIONS)
        axis.tick_params(labelbottom=True, labelleft=True)
    figure.supylabel("prompted relation", fontsize=9)
    figure.supxlabel("relation it is told from", fontsize=9)
    return figure
