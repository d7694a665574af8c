"""The figures of the study: its metrics, distances between relations, first related words, and human entropies."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import matplotlib.pyplot as plt
import polars as pl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from relprobe.core.inference_schemas import Inference
from relprobe.core.metric import by_name
from relprobe.core.relation import Relations
from relprobe.report.figures import (
    COLOURS,
    bars,
    colour_key,
    line_styles,
    matrix,
    nothing_to_draw,
    panels,
    part_colours,
    parts,
    short,
)
from relprobe.studies.relations import comparison_figures
from relprobe.studies.relations.comparisons import Models
from relprobe.studies.relations.distances import curve
from relprobe.studies.relations.measures import AUDC, DISTINGUISHABILITY, MEASURES
from relprobe.studies.relations.relatedness import by_family
from relprobe.studies.relations.significance import partings

OWN = " *"
"""The mark of an agent that is averaged over targets of its own."""


@dataclass(frozen=True)
class Results:
    """What the figures show.

    `averages` and `tests`: AVERAGES and TESTS; `first_related`, `correlations` and `entropies`: the tables first_related,
    frequency (CORRELATIONS) and, where there are human responses, response_entropies. `kinds`: agent -> masked, causal or
    humans, in the order to draw the agents in; `models`: the entries of the config; `k`: the cut-off of symmetry and
    asymmetry where a figure shows only one; `relations`: those of the study; `inference`: whose tests draw the dotted lines.
    """

    averages: pl.DataFrame
    tests: pl.DataFrame
    first_related: pl.DataFrame
    correlations: pl.DataFrame
    entropies: pl.DataFrame | None
    kinds: Mapping[str, str]
    models: Models
    k: int
    relations: Relations
    inference: Inference = "clusters"


FEW_TARGETS = 10
"""A distance over fewer targets is grey on white in a heat map."""
GREY = "#999999"
ABOVE = 0.22
"""How far above the middle of its cell a distance stands, and how far below it the number of targets, in cells."""


def draw(name: str, results: Results) -> Figure:
    """Draw the figure of this name (`measures.figure_names`); one without data is a sentence that says so."""
    if name.startswith(("size_", "training_", "frequency_")):
        return comparison_figures.draw(
            name, results.averages, results.correlations, results.models, results.k, relations=results.relations
        )
    if results.entropies is not None and name == "response_entropy":
        return entropy_boxes(results.entropies, relations=results.relations)
    averages, kinds, relations = results.averages, results.kinds, results.relations
    metric, _, k = name.rpartition("_") if name[-1].isdigit() else (name, "", "")
    own = {
        "distinguishability_curves": lambda: distinguishability_curves(averages, kinds, relations=relations),
        "distinguishability_matrices": lambda: distinguishability_matrices(averages, kinds, relations=relations),
        "distinguishability_kinds": lambda: distinguishability_matrices(*by_kind(averages, kinds), relations=relations),
        "first_related_families": lambda: first_related_bars(
            by_family(results.first_related, results.models), relations=relations
        ),
        "first_related": lambda: first_related_bars(results.first_related, relations=relations),
    }
    starts = (DISTINGUISHABILITY.name, "first_related")
    values_of = next((start for start in starts if name.startswith(start)), metric)
    if averages.filter(metric=values_of).is_empty():
        return nothing_to_draw(f"No agent has values of {values_of} on the tuples of this study.")
    if name in own:
        return own[name]()
    cutoff = int(k) if k else None
    return by_relation(averages, results.tests, metric, kinds, cutoff, results.inference, relations=relations)


def by_relation(
    averages: pl.DataFrame,
    tests: pl.DataFrame,
    metric: str,
    kinds: Mapping[str, str],
    k: int | None = None,
    inference: Inference = "clusters",
    *,
    relations: Relations,
) -> Figure:
    """Draw one panel per relation with a bar per agent (Figures 4 to 7, B1 and B2), the best on top.

    Lines on the bars are 95 % intervals; dotted lines part agents that differ significantly by the test of `inference`. A
    star marks an agent that is averaged over targets of its own. `kinds`: agent -> kind.
    """
    rows = averages.filter(metric=metric).filter(pl.col("k").eq_missing(k))
    tested = tests.filter(metric=metric).filter(pl.col("k").eq_missing(k))
    codes = [code for code in relations.codes if code in set(rows["relation"])]
    agents = [agent for agent in kinds if agent in set(rows["agent"])]
    figure, axes = panels([relations.names[code] for code in codes], len(agents), same_rows=False)
    for axis, relation in zip(axes, codes, strict=True):
        best_first = rows.filter(relation=relation).sort("value", descending=True, nulls_last=True, maintain_order=True)
        bounds = list(best_first.select("low", "high").iter_rows())
        order = best_first["agent"].to_list()
        labels = [
            f"{agent}{OWN}" if own else agent for agent, own in best_first.select("agent", "own_units").iter_rows()
        ]
        bars(axis, labels, best_first["value"].to_list(), [kinds[agent] for agent in order], bounds)
        for place in partings(order, tested.filter(relation=relation), inference):
            axis.axhline(place - 0.5, color="#444444", linestyle=":", linewidth=1)
        axis.set_ylim(len(agents) - 0.4, -0.6)
        axis.set_xlim(0, 1.12)
    name = metric if k is None else f"{metric} (k = {k})"
    measure = by_name(MEASURES)[metric]
    test = f"{measure.test}'s test" if inference == "paper" else f"sign flips over {measure.cluster_noun}"
    figure.supxlabel(f"{name}; dotted lines: p < 0.05, {test}", fontsize=9)
    colour_key(figure, [kinds[agent] for agent in agents])
    return figure


def entropy_boxes(values: pl.DataFrame, *, relations: Relations) -> Figure:
    """Draw the distribution of the human response entropies above 0 per relation, its mean in orange (Figure 2)."""
    figure, axis = plt.subplots(figsize=(6.4, 3.2))
    above = values.filter(pl.col("entropy") > 0)
    groups = [above.filter(relation=code)["entropy"] for code in relations.codes]
    axis.boxplot(
        [group.to_numpy() for group in groups],
        tick_labels=list(relations.names.values()),
        showmeans=True,
        meanline=True,
        meanprops={"color": COLOURS["causal"], "linestyle": "-"},
        medianprops={"color": COLOURS["masked"]},
        flierprops={"markersize": 2},
    )
    axis.set(ylabel="response entropy", ylim=(None, 1.02))
    return figure


def first_related_bars(shares: pl.DataFrame, *, relations: Relations) -> Figure:
    """Draw, per agent, the relations that the first related words stand in, beside the prompted ones (Figure 3)."""
    agents = shares["agent"].unique(maintain_order=True).to_list()
    figure, axis = plt.subplots(figsize=(7.2, 0.9 + 0.3 * len(agents)))
    share = {(agent, relation): part for relation, part, agent in shares.rows()}
    widths = {relation: [share.get((agent, relation), 0.0) for agent in agents] for relation in relations.codes}
    parts(axis, agents, widths, part_colours(len(relations.codes)))
    axis.set(xlim=(0, 1), xlabel="share of the first related words")
    figure.legend(
        labels=[f"{code} ({name})" for code, name in relations.names.items()],
        loc="outside upper center",
        ncols=3,
        frameon=False,
        fontsize=8,
    )
    return figure


def distinguishability_curves(averages: pl.DataFrame, kinds: Mapping[str, str], *, relations: Relations) -> Figure:
    """Draw η(p), the relation pairs distinguished at threshold p, and the area under it per agent (Figure 8)."""
    agents = [agent for agent in kinds if agent in set(averages.filter(metric=AUDC.name)["agent"])]
    size = (9.6, max(3.6, 1.4 + 0.24 * len(agents)))
    figure, (left, right) = plt.subplots(1, 2, figsize=size, width_ratios=[3, 2])
    steps = curve(averages)
    for agent, style in zip(agents, line_styles([kinds[agent] for agent in agents]), strict=True):
        rows = steps.filter(agent=agent)
        left.step(rows["p"], rows["pairs"], where="post", label=agent, **style)
    left.set(xlabel="threshold p", ylabel="relation pairs with D > p", xlim=(0, 1), ylim=(0, relations.pairs + 1))
    figure.legend(loc="outside lower center", ncols=6, frameon=False, fontsize=8, handlelength=3.5)
    areas = averages.filter(metric=AUDC.name)
    area = dict(areas.select("agent", "value").iter_rows())
    bounds = {agent: (low, high) for agent, low, high in areas.select("agent", "low", "high").iter_rows()}
    spans = [bounds[agent] for agent in agents]
    bars(right, agents, [area[agent] for agent in agents], [kinds[agent] for agent in agents], spans)
    right.set(xlabel=f"AuDC (of {relations.pairs} pairs)", xlim=(0, 1.1 * relations.pairs))
    return figure


def by_kind(averages: pl.DataFrame, kinds: Mapping[str, str]) -> tuple[pl.DataFrame, dict[str, str]]:
    """Average the D(r, s) of all agents of a kind (Figure 9), in the form of AVERAGES, with the kind as agent.

    `units` is the number of targets of the agent that has the fewest.
    """
    kind_of = pl.DataFrame({"agent": list(kinds), "kind": list(kinds.values())})
    rows = averages.filter(metric=DISTINGUISHABILITY.name).join(kind_of, on="agent")
    grouped = rows.group_by("metric", "relation", "versus", agent="kind", maintain_order=True)
    means = grouped.agg(pl.col("value").mean(), pl.col("units").min())
    order = [kind for kind in ("masked", "causal", "humans") if kind in set(means["agent"])]
    return means, {kind: kind for kind in order}


def distinguishability_matrices(averages: pl.DataFrame, kinds: Mapping[str, str], *, relations: Relations) -> Figure:
    """Draw D(r, s) for every agent: row the prompted relation, column the one it is told from (Figures 9, C3 and C4)."""
    rows = averages.filter(metric=DISTINGUISHABILITY.name)
    agents = [agent for agent in kinds if agent in set(rows["agent"])]
    figure, axes = panels(agents, 11)
    for axis, agent in zip(axes, agents, strict=True):
        _distances(axis, rows.filter(agent=agent), relations.codes)
        axis.tick_params(labelbottom=True, labelleft=True)
    figure.supylabel("prompted relation", fontsize=9)
    figure.supxlabel("relation it is told from", fontsize=9)
    return figure


def _distances(axis: Axes, rows: pl.DataFrame, codes: Sequence[str]) -> None:
    """Draw the distances of one agent with the number of targets below each; those over few targets are grey on white."""
    cells = {(r, s): (d, n) for r, s, d, n in rows.select("relation", "versus", "value", "units").iter_rows()}
    many = {pair: d for pair, (d, n) in cells.items() if n is None or n >= FEW_TARGETS}
    matrix(axis, [[many.get((r, s)) for s in codes] for r in codes], codes)
    inks = {}
    for text in axis.texts:
        column, row = map(round, text.get_position())
        inks[column, row] = text.get_color()
        text.set_y(row - ABOVE)
    for (r, s), (distance, n) in cells.items():
        column, row = codes.index(s), codes.index(r)
        ink = inks.get((column, row), GREY)
        if (r, s) not in many:
            axis.text(column, row - ABOVE, short(distance), ha="center", va="center", fontsize=7, color=ink)
        if n is not None:
            axis.text(column, row + ABOVE, f"{n}", ha="center", va="center", fontsize=7, color=ink, style="italic")
