"""The figures of the study: its metrics, distances between relations, first related words, and human entropies."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import matplotlib.pyplot as plt
import polars as pl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from relprobe.core.files import Parquet
from relprobe.core.metric import Metric, by_name
from relprobe.core.relation import Relations
from relprobe.report.figures import (
    PALETTE,
    ROW,
    WIDTH,
    Figures,
    cells,
    dot,
    dots,
    family_key,
    label_rows,
    mark,
    marker,
    nothing_to_draw,
    panels,
    part_colours,
    parts,
    short,
)
from relprobe.report.looks import OWN_CONTROL, Look, looks
from relprobe.sources.relations import RelationsFile
from relprobe.stats.controls import owner
from relprobe.stats.schemas import Inference
from relprobe.studies.relations.compare.frequency import Correlations
from relprobe.studies.relations.compare.models.pairs import Models
from relprobe.studies.relations.compare.relatedness import by_family
from relprobe.studies.relations.measure.distances import curve
from relprobe.studies.relations.measure.measures import AUDC, DISTINGUISHABILITY, MEASURES
from relprobe.studies.relations.measure.relation_pairs import audc_label, counted_pairs
from relprobe.studies.relations.schemas import Averages, Tests
from relprobe.studies.relations.show import comparison_figures
from relprobe.studies.relations.show.addresses import answers
from relprobe.studies.relations.show.overview_figure import overview
from relprobe.studies.relations.show.significance import partings

OWN = " *"
"""The mark of an agent that is averaged over targets of its own."""


@dataclass(frozen=True)
class Results:
    """What the figures show.

    `averages` and `tests`: AVERAGES and TESTS; `first_related`, `correlations` and `entropies`: the tables first_related,
    frequency (CORRELATIONS) and, where there are human responses, response_entropies. `kinds`: agent -> masked, causal or
    humans; `models`: the entries of the config; `k`: the cut-off of symmetry and asymmetry where a figure shows only one;
    `relations`: those of the study; `inference`: whose tests draw the dotted lines; `families`: model -> family for all
    models of the config, which decides the colours.
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
    inference: Inference = "linked"
    families: Mapping[str, str] = field(default_factory=dict)

    @property
    def looks(self) -> dict[str, Look]:
        """Agent -> its look, in the order of the figures; a model's own control has no place of its own in them."""
        return {agent: look for agent, look in looks(self.kinds, self.families).items() if owner(agent) is None}


FEW_TARGETS = 10
"""A distance over fewer targets is grey on white in a heat map."""


def figures(
    averages: Averages,
    tests: Tests,
    first_related: Parquet,
    frequency: Correlations,
    relations: RelationsFile,
    response_entropies: Parquet | None = None,
    *,
    names: list[str],
    agents: list[str],
    models: dict[str, Any],
    k: int,
    inference: Inference = "linked",
    families: dict[str, Any] | None = None,
    controls: list[str] | None = None,
) -> Figures:
    """Draw the figures `names`: metrics, distances between relations, and what they depend on.

    `models`: model -> type, family and size; `controls`: agents without an entry that are no people. `inference`: whose
    tests draw the dotted lines. `families`: model -> family for all models of the config, which decides the colours.
    """
    others = {agent: "control" if agent in (controls or []) else "humans" for agent in agents}
    entries = {agent: models[agent] for agent in agents if agent in models}
    kinds = others | {agent: entry["type"] for agent, entry in entries.items()}
    known = averages.drop_nulls("value")
    tables = known, tests, first_related, frequency, response_entropies
    results = Results(*tables, kinds, entries, k, relations, inference, families or {})
    yield from ((name, draw(name, results)) for name in names)


def draw(name: str, results: Results) -> Figure:
    """Draw the figure of this name (`show/declared/figures.py`); one without data is a sentence that says so."""
    averages, relations = results.averages, results.relations
    if name.startswith(("size_", "training_", "frequency_")):
        return comparison_figures.draw(
            name, averages, results.correlations, results.models, results.k, relations=relations, looks=results.looks
        )
    if results.entropies is not None and name == "response_entropy":
        return entropy_boxes(results.entropies, relations=relations)
    starts = (DISTINGUISHABILITY.name, "first_related")
    values_of = next((start for start in starts if name.startswith(start)), name)
    if name != "overview" and averages.filter(metric=values_of).is_empty():
        return nothing_to_draw(f"No agent has values of {values_of} on the tuples of this study.")
    if name == "distinguishability_curves" and averages.filter(metric=AUDC.name).is_empty():
        return nothing_to_draw("No pair of relations has as many targets as AuDC needs (choices.minimum_targets).")
    own = {
        "overview": lambda: overview(averages, results.looks, results.k, relations=relations),
        "distinguishability_curves": lambda: distinguishability_curves(averages, results.looks, relations=relations),
        "distinguishability_matrices": lambda: distances_of_agents(averages, results.looks, relations=relations),
        "distinguishability_kinds": lambda: distances_of_kinds(*by_kind(averages, results.kinds), relations=relations),
        "first_related_families": lambda: first_related_bars(
            by_family(results.first_related, results.models), relations=relations
        ),
        "first_related": lambda: first_related_bars(
            results.first_related, relations=relations, agents=["gold", *results.looks]
        ),
    }
    return own[name]() if name in own else by_relation(name, results)


def by_relation(metric: str, results: Results) -> Figure:
    """Draw one panel per relation with a row per agent (Figures 4 to 7, B1 and B2), the best on top.

    Lines are 95 % intervals; dotted lines part agents that differ significantly by the test of `inference`. A metric with
    cut-offs has a marker per k in each row, the fuller the larger k, and its order and dotted lines are those of
    `results.k`. A star marks an agent that is averaged over targets of its own, whose number stands beside it. A grey
    outline in a model's row is its own control.
    """
    measure, relations, styles = by_name(MEASURES)[metric], results.relations, results.looks
    rows = results.averages.filter(metric=metric)
    k = results.k if measure.cutoffs else None
    main, tested = (table.filter(pl.col("k").eq_missing(k)) for table in (rows, results.tests.filter(metric=metric)))
    codes = [code for code in relations.codes if code in set(main["relation"])]
    agents = [agent for agent in styles if agent in set(main["agent"])]
    own, main = (main.filter(pl.col("agent").is_in(agents) == in_rows) for in_rows in (False, True))
    titles = [_title(relations.names[code], main.filter(relation=code)) for code in codes]
    figure, axes = panels(titles, len(agents), same_rows=False)
    for axis, relation in zip(axes, codes, strict=True):
        ordered = main.filter(relation=relation).sort("value", descending=True, nulls_last=True, maintain_order=True)
        if measure.cutoffs:
            _cutoff_rows(axis, ordered, rows.filter(relation=relation), styles)
        else:
            _rows(axis, ordered, styles)
        _own_controls(axis, ordered["agent"].to_list(), own.filter(relation=relation), relation)
        of_relation = tested.filter(relation=relation)
        for place in partings(ordered["agent"].to_list(), of_relation, results.inference):
            axis.axhline(place - 0.5, color="#444444", linestyle=":", linewidth=1)
        axis.set_ylim(len(agents) - 0.4, -0.6)
    axes[0].set_xlim(0, _limit(rows))
    test = tested_by(measure, results.inference)
    at = f" at k = {k}" if measure.cutoffs else ""
    figure.supxlabel(f"{metric}; dotted lines: p < 0.05{at}, {test}", fontsize=9)
    if measure.cutoffs:
        _cutoff_key(figure, sorted(rows["k"].unique()))
    else:
        family_key(figure, [styles[agent] for agent in agents])
    return figure


def tested_by(measure: Metric, inference: Inference) -> str:
    """Return the test of a metric in words.

    >>> tested_by(by_name(MEASURES)["symmetry"], "linked"), tested_by(by_name(MEASURES)["symmetry"], "paper")
    ('pairs that share a word are linked', "McNemar's test")
    """
    if inference == "paper":
        return f"{measure.test}'s test"
    if inference == "clusters" or not measure.links:
        return f"sign flips over {measure.cluster_noun}"
    return f"{measure.items} that share {measure.linked_by} are linked"


def _title(relation: str, rows: pl.DataFrame) -> str:
    """Return the title of a relation's panel, with the number of units that the agents are averaged over."""
    units = rows.filter(~pl.col("own_units").fill_null(value=False)).select(pl.col("units").max()).item()
    return relation if units is None else f"{relation}, n = {units:,}"


def _label(row: Mapping[str, object]) -> str:
    return f"{row['agent']}{OWN} ({row['units']})" if row["own_units"] else str(row["agent"])


def _limit(rows: pl.DataFrame) -> float:
    """Return the upper end of an axis of values from 0 to 1: beyond all of them, with room for their labels."""
    top = rows.select(pl.max_horizontal("value", "high").max()).item() or 1
    return float(min(1.15, 1.3 * max(top, 0.05)))


def _rows(axis: Axes, ordered: pl.DataFrame, styles: Mapping[str, Look]) -> None:
    agents = ordered["agent"].to_list()
    dots(
        axis,
        agents,
        ordered["value"].to_list(),
        [styles[agent] for agent in agents],
        list(ordered.select("low", "high").iter_rows()),
        labels=[_label(row) for row in ordered.iter_rows(named=True)],
        links=[answers(agent, ordered["relation"][0], k=1) for agent in agents],
    )


def _own_controls(axis: Axes, agents: Sequence[str], own: pl.DataFrame, relation: str) -> None:
    """Draw the value of a model's own control into the model's row."""
    for agent, value, k in own.drop_nulls("value").select("agent", "value", "k").iter_rows():
        if (model := owner(agent)) in agents:
            dot(axis, agent, OWN_CONTROL, value, agents.index(model), link=answers(agent, relation, k=k or 1))


def _cutoff_rows(axis: Axes, ordered: pl.DataFrame, rows: pl.DataFrame, styles: Mapping[str, Look]) -> None:
    """Draw a row per agent with a marker and an interval per cut-off, one below the other."""
    agents = ordered["agent"].to_list()
    cutoffs = sorted(rows["k"].unique())
    for place, agent in enumerate(agents):
        for row in rows.filter(agent=agent).drop_nulls("value").iter_rows(named=True):
            number = cutoffs.index(row["k"])
            link = answers(agent, row["relation"], k=row["k"])
            dot(
                axis,
                *(agent, styles[agent], row["value"]),
                place + _shift(number, len(cutoffs)),
                (row["low"], row["high"]),
                link,
                fill=_fill(number, len(cutoffs)),
            )
    label_rows(axis, agents, [_label(row) for row in ordered.iter_rows(named=True)])


def _shift(number: int, cutoffs: int) -> float:
    return 0.5 * (number - (cutoffs - 1) / 2) / max(cutoffs, 2)


def _fill(number: int, cutoffs: int) -> float:
    """Return how full the marker of a cut-off is: the largest is full, the smallest of several an outline."""
    return number / (cutoffs - 1) if cutoffs > 1 else 1.0


def _cutoff_key(figure: Figure, cutoffs: Sequence[int]) -> None:
    look = Look("#444444", "o", "-", "")
    handles = [Line2D([], [], **marker(look, _fill(i, len(cutoffs)))) for i in range(len(cutoffs))]
    figure.legend(handles, [f"k = {k}" for k in cutoffs], loc="outside upper right", ncols=8, frameon=False, fontsize=8)


def entropy_boxes(values: pl.DataFrame, *, relations: Relations) -> Figure:
    """Draw the distribution of the human response entropies above 0 per relation, its mean in orange (Figure 2)."""
    figure, axis = plt.subplots(figsize=(6.4, 3.2))
    above = values.filter(pl.col("entropy") > 0)
    groups = [above.filter(relation=code)["entropy"] for code in relations.codes]
    axis.boxplot(
        [group.to_numpy() for group in groups],
        tick_labels=[
            f"{relations.names[r]}\nn = {len(group)}" for r, group in zip(relations.codes, groups, strict=True)
        ],
        showmeans=True,
        meanline=True,
        meanprops={"color": PALETTE[4], "linestyle": "-"},
        medianprops={"color": PALETTE[0]},
        flierprops={"markersize": 2},
    )
    axis.set(ylabel="response entropy", ylim=(None, 1.02))
    return figure


def first_related_bars(shares: pl.DataFrame, *, relations: Relations, agents: Sequence[str] | None = None) -> Figure:
    """Draw, per agent, the relations that the first related words stand in, beside the prompted ones (Figure 3).

    `agents`: their order; without it, that of the table, whose rows are no single agents then.
    """
    present = shares["agent"].unique(maintain_order=True).to_list()
    names = present if agents is None else [agent for agent in agents if agent in present]
    figure, axis = plt.subplots(figsize=(WIDTH, 0.9 + 0.27 * len(names)))
    share = {(agent, relation): part for relation, part, agent in shares.select("relation", "share", "agent").rows()}
    widths = {relation: [share.get((agent, relation), 0.0) for agent in names] for relation in relations.codes}
    links = {(a, r): answers(a, other=r) for a in names if a != "gold" for r in relations.codes}
    parts(axis, names, widths, part_colours(len(relations.codes)), None if agents is None else links)
    axis.set(xlim=(0, 1), xlabel="share of the first related words")
    figure.legend(
        labels=[f"{code} ({name})" for code, name in relations.names.items()],
        loc="outside upper center",
        ncols=3,
        frameon=False,
        fontsize=8,
    )
    return figure


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

    Below a distance stands the number of targets; where these are few, both are grey on white.
    """
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
        axis.set_xticks(range(len(codes)), codes, fontsize=7)
        axis.set_yticks(range(len(codes)), codes, fontsize=7)
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

    It has what Figures C3 and C4 of the paper show as a matrix per agent. The number of targets stands below the name of s;
    distances over few targets are grey on white. An agent on targets of its own has their number in the cell.
    """
    rows = averages.filter(metric=DISTINGUISHABILITY.name).drop_nulls("value")
    agents = [agent for agent in styles if agent in set(rows["agent"])]
    codes = [code for code in relations.codes if code in set(rows["relation"])]
    titles = [f"asked for {relations.names[code]}, told from …" for code in codes]
    columns = max(1, min(3, 18 // max(len(relations.codes) - 1, 1)))
    figure, axes = panels(titles, len(agents) + 1, columns=columns, same_columns=False)
    for number, (axis, code) in enumerate(zip(axes, codes, strict=True)):
        _told_from(axis, rows.filter(relation=code), agents, [s for s in relations.codes if s != code])
        label_rows(axis, agents)
        axis.tick_params(labelbottom=True, labelleft=number % columns == 0)
    return figure


def _told_from(axis: Axes, rows: pl.DataFrame, agents: Sequence[str], others: Sequence[str]) -> None:
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
    axis.set_xticks(range(len(others)), [f"{s}\n{common[s]}" if common[s] else s for s in others], fontsize=7)


def _distance_text(row: Mapping[str, object], common: Mapping[str, int]) -> str:
    own = row["units"] is not None and row["units"] != common[str(row["versus"])]
    return short(float(str(row["value"]))) + (f" ({row['units']})" if own else "")
