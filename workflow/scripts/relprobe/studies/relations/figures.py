"""The figures of the study: metrics by agent and relation, what they show, and those of analyses."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import polars as pl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from relprobe.core.files import Parquet
from relprobe.core.metric import Metric, by_name
from relprobe.core.relation import Relations
from relprobe.report.agent_styles import OWN_CONTROL, AgentStyle, agent_styles
from relprobe.report.analyses import draw_figures
from relprobe.report.figures import (
    Figures,
    dot,
    dots,
    family_key,
    label_rows,
    marker,
    nothing_to_draw,
    panels,
    to_scale,
)
from relprobe.sources.relations import RelationsFile
from relprobe.stats.controls import owner
from relprobe.stats.schemas import P_COLUMNS, Inference
from relprobe.studies.relations.addresses import answers
from relprobe.studies.relations.measures import AUDC, DISTINGUISHABILITY, MEASURES, with_figures
from relprobe.studies.relations.plots import (
    OWN_CONTROL_NAME,
    by_kind,
    distances_of_agents,
    distances_of_kinds,
    distinguishability_curves,
    overview,
)
from relprobe.studies.relations.results import Models
from relprobe.studies.relations.schemas import Averages, Tests


@dataclass(frozen=True)
class FigureData:
    """What the figures show.

    `averages` and `tests`: AVERAGES and TESTS; `values`: name of a table of the page -> the table, for figures that show
    other values, such as first_related. `kinds`: agent -> masked, causal or humans; `models`: the entries of the config;
    `k`: the cut-off of symmetry and asymmetry where a figure shows only one; `relations`: those of the study; `inference`:
    whose tests draw the dotted lines; `families`: model -> family for all models of the config, which decides the colours;
    `layered`: the agents that are asked layer by layer, as `kinds`; `ways`: the models that are asked in several ways
    (`core.prompting.prompting_by_model`).
    """

    averages: pl.DataFrame
    tests: pl.DataFrame
    values: Mapping[str, pl.DataFrame]
    kinds: Mapping[str, str]
    models: Models
    k: int
    relations: Relations
    inference: Inference = "linked"
    families: Mapping[str, str] = field(default_factory=dict)
    layered: Mapping[str, str] = field(default_factory=dict)
    ways: Mapping[str, Mapping[str, Mapping[str, Any]]] = field(default_factory=dict)

    @property
    def agent_styles(self) -> dict[str, AgentStyle]:
        """Agent -> its look, in the order of the figures; a model's own control has no place of its own in them."""
        return {agent: look for agent, look in agent_styles(self.kinds, self.families).items() if owner(agent) is None}

    @property
    def styles_of_series(self) -> dict[str, AgentStyle]:
        """The same with the agents that are asked layer by layer."""
        return agent_styles({**self.kinds, **self.layered}, self.families)


def panel_title(relation: str, rows: pl.DataFrame) -> str:
    """Return the title of a relation's panel, with the number of units that the agents are averaged over."""
    units = rows.filter(~pl.col("own_units").fill_null(value=False)).select(pl.col("units").max()).item()
    return relation if units is None else f"{relation}, n = {units:,}"


# What the figures of the study show: tables, agents and relations.


@dataclass(frozen=True)
class Drawing:
    """The files and settings that the figures are drawn from.

    `values`: the tables that figures show beside the averages. `names`: the figures. `agents`: in their order. `models`:
    model -> type, family and size; `controls`: agents without an entry that are no people. `k`, `inference`, `families`,
    `layered`, `ways`: as in `FigureData`.
    """

    averages: Averages
    tests: Tests
    relations: RelationsFile
    names: list[str]
    agents: list[str]
    models: dict[str, Any]
    k: int
    values: dict[str, Parquet] | None = None
    inference: Inference = "linked"
    families: dict[str, Any] | None = None
    controls: list[str] | None = None
    layered: dict[str, str] | None = None
    ways: dict[str, Any] | None = None

    def data(self, values: Mapping[str, pl.DataFrame] | None = None) -> FigureData:
        """Return what the figures show. `values`: tables in place of those of the files."""
        other_kinds = {agent: "control" if agent in (self.controls or []) else "humans" for agent in self.agents}
        entries = {agent: self.models[agent] for agent in self.agents if agent in self.models}
        return FigureData(
            self.averages.drop_nulls("value"),
            self.tests,
            values or self.values or {},
            other_kinds | {agent: entry["type"] for agent, entry in entries.items()},
            entries,
            self.k,
            self.relations,
            self.inference,
            self.families or {},
            self.layered or {},
            self.ways or {},
        )


# Where the agents of a figure part: the paper's dotted lines between those that differ significantly (section 8.1).


ALPHA = 0.05


def partings(order: Sequence[str], tests: pl.DataFrame, inference: Inference = "linked") -> list[int]:
    """Return after how many of the agents in `order` (best first) a line goes: all above differ from all below, p < 0.05.

    `tests`: the rows of TESTS of one metric, relation and k. `inference`: whose test decides. As in the paper p is not
    adjusted, and agents that no line parts may differ all the same (footnote 18). A pair without a p-value does not differ.
    A pair without a row, such as that of two controls, is not compared, so that a line need not part it.
    """
    raw, _ = P_COLUMNS[inference]
    rows = [(frozenset(pair), p) for *pair, p in tests.select("agent_a", "agent_b", raw).iter_rows()]
    compared, different = {pair for pair, _ in rows}, {pair for pair, p in rows if p is not None and p < ALPHA}
    crossing = [
        compared & {frozenset((a, b)) for a in order[:cut] for b in order[cut:]} for cut in range(1, len(order))
    ]
    return [cut for cut, across in enumerate(crossing, 1) if across and across <= different]


# The figures of the metrics: a panel per relation, a row per agent.


OWN = " *"
"""The mark of an agent that is averaged over targets of its own."""


def by_relation(metric: str, results: FigureData) -> Figure:
    """Draw one panel per relation with a row per agent (Figures 4 to 7, B1 and B2), the best on top.

    Lines are 95 % intervals; dotted lines part agents that differ significantly by the test of `inference`. A metric with
    cut-offs has a marker per k in each row, the fuller the larger k, and its order and dotted lines are those of
    `results.k`. A star marks an agent that is averaged over targets of its own, whose number stands beside it. A grey
    outline in a model's row is its own control.
    """
    measure, relations, styles = by_name(MEASURES)[metric], results.relations, results.agent_styles
    rows = results.averages.filter(metric=metric)
    k = results.k if measure.cutoffs else None
    main, tested = (table.filter(pl.col("k").eq_missing(k)) for table in (rows, results.tests.filter(metric=metric)))
    codes = [code for code in relations.codes if code in set(main["relation"])]
    agents = [agent for agent in styles if agent in set(main["agent"])]
    control_rows, main = (main.filter(pl.col("agent").is_in(agents) == in_rows) for in_rows in (False, True))
    titles = [panel_title(relations.names[code], main.filter(relation=code)) for code in codes]
    figure, axes = panels(titles, len(agents), same_rows=False)
    are_parted = False
    for axis, relation in zip(axes, codes, strict=True):
        ordered = main.filter(relation=relation).sort("value", descending=True, nulls_last=True, maintain_order=True)
        if measure.cutoffs:
            _cutoff_rows(axis, ordered, rows.filter(relation=relation), styles)
        else:
            _metric_rows(axis, ordered, styles)
        _own_controls(axis, ordered["agent"].to_list(), control_rows.filter(relation=relation), relation)
        relation_tests = tested.filter(relation=relation)
        between = partings(ordered["agent"].to_list(), relation_tests, results.inference)
        are_parted = are_parted or bool(between)
        for cut in between:
            axis.axhline(cut - 0.5, color="#444444", linestyle=":", linewidth=to_scale(1))
        axis.set_ylim(len(agents) - 0.4, -0.6)
    axes[0].set_xlim(0, _limit(rows))
    test = tested_by(measure, results.inference)
    at = f" at k = {k}" if measure.cutoffs else ""
    lines = f"; dotted lines: p < 0.05{at}, {test}" if are_parted else ""
    figure.supxlabel(f"{metric}{lines}")
    cutoffs = _cutoff_marks(sorted(rows["k"].unique())) if measure.cutoffs else {}
    own_controls = "" if control_rows.is_empty() else OWN_CONTROL_NAME
    family_key(figure, [styles[agent] for agent in agents], own_controls, cutoffs)
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


def _label(row: Mapping[str, object]) -> str:
    return f"{row['agent']}{OWN} ({row['units']})" if row["own_units"] else str(row["agent"])


def _limit(rows: pl.DataFrame) -> float:
    """Return the upper end of an axis of values from 0 to 1: a little beyond all of them."""
    top = rows.select(pl.max_horizontal("value", "high").max()).item() or 1
    return float(min(1.02, 1.05 * max(top, 0.05)))


def _metric_rows(axis: Axes, ordered: pl.DataFrame, styles: Mapping[str, AgentStyle]) -> None:
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


def _own_controls(axis: Axes, agents: Sequence[str], control_rows: pl.DataFrame, relation: str) -> None:
    """Draw the value of a model's own control into the model's row."""
    for agent, value, k in control_rows.drop_nulls("value").select("agent", "value", "k").iter_rows():
        if (model := owner(agent)) in agents:
            dot(axis, agent, OWN_CONTROL, value, agents.index(model), link=answers(agent, relation, k=k or 1))


def _cutoff_rows(axis: Axes, ordered: pl.DataFrame, rows: pl.DataFrame, styles: Mapping[str, AgentStyle]) -> None:
    """Draw a row per agent with a marker and an interval per cut-off, one below the other."""
    agents = ordered["agent"].to_list()
    cutoffs = sorted(rows["k"].unique())
    for index, agent in enumerate(agents):
        for row in rows.filter(agent=agent).drop_nulls("value").iter_rows(named=True):
            number = cutoffs.index(row["k"])
            link = answers(agent, row["relation"], k=row["k"])
            dot(
                axis,
                *(agent, styles[agent], row["value"]),
                index + _shift(number, len(cutoffs)),
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


def _cutoff_marks(cutoffs: Sequence[int]) -> dict[str, Line2D]:
    """Return the marks of the legend for the cut-offs, of which a fuller one is a larger k."""
    look = AgentStyle("#444444", "o", "-", "")
    return {f"k = {k}": Line2D([], [], **marker(look, _fill(i, len(cutoffs)))) for i, k in enumerate(cutoffs)}


# The figures of the study by name; the others are those of analyses.


PAGE_FIGURES: dict[str, Callable[[FigureData], Figure]] = {
    "overview": lambda shown: overview(shown.averages, shown.agent_styles, shown.k, relations=shown.relations),
    "distinguishability_curves": lambda shown: distinguishability_curves(
        shown.averages, shown.agent_styles, relations=shown.relations
    ),
    "distinguishability_matrices": lambda shown: distances_of_agents(
        shown.averages, shown.agent_styles, relations=shown.relations
    ),
    "distinguishability_kinds": lambda shown: distances_of_kinds(
        *by_kind(shown.averages, shown.kinds), relations=shown.relations
    ),
    **{measure.name: partial(by_relation, measure.name) for measure in with_figures()},
}


def figures(drawing: Drawing) -> Figures:
    """Draw the figures of the page: metrics, distances between relations, and those of analyses."""
    return draw_all(drawing.names, drawing.data())


def draw_all(names: Sequence[str], shown: FigureData) -> Figures:
    """Draw the figures of these names."""
    page_figures = {name: partial(draw, name) for name in PAGE_FIGURES}
    return draw_figures("relations", page_figures, names, shown)


def draw(name: str, shown: FigureData) -> Figure:
    """Draw the figure of the page of this name (PAGE_FIGURES); one without data is a sentence that says so."""
    reason = _absence(name, shown.averages)
    return PAGE_FIGURES[name](shown) if reason is None else nothing_to_draw(reason)


def _absence(name: str, averages: pl.DataFrame) -> str | None:
    """Return the reason why a figure of averages cannot be drawn; None if it can."""
    values_of = DISTINGUISHABILITY.name if name.startswith(DISTINGUISHABILITY.name) else name
    if name != "overview" and averages.filter(metric=values_of).is_empty():
        return f"No agent has values of {values_of} on the tuples of this study."
    if name == "distinguishability_curves" and averages.filter(metric=AUDC.name).is_empty():
        return "No pair of relations has as many targets as AuDC needs (choices.minimum_targets)."
    return None
