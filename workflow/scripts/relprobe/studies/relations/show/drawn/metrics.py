"""The figures of the metrics: a panel per relation, a row per agent."""

from collections.abc import Mapping, Sequence

import polars as pl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from relprobe.core.metric import Metric, by_name
from relprobe.report.figures import (
    dot,
    dots,
    family_key,
    label_rows,
    marker,
    panels,
)
from relprobe.report.looks import OWN_CONTROL, Look
from relprobe.stats.controls import owner
from relprobe.stats.schemas import Inference
from relprobe.studies.relations.measure.measures import MEASURES
from relprobe.studies.relations.show.addresses import answers
from relprobe.studies.relations.show.drawn.results import Results
from relprobe.studies.relations.show.drawn.significance import partings

OWN = " *"
"""The mark of an agent that is averaged over targets of its own."""


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
    titles = [panel_title(relations.names[code], main.filter(relation=code)) for code in codes]
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
        family_key(figure, [styles[agent] for agent in agents], own_controls=not own.is_empty())
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


def panel_title(relation: str, rows: pl.DataFrame) -> str:
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
