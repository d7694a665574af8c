"""A picture of what a paper prints: its models and people as grey marks behind the agents of this run."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

import polars as pl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from relprobe.report.agent_styles import CONTROL_FAMILY, AgentStyle, agent_styles
from relprobe.report.figures import WIDTH, dot, marker, panels
from relprobe.report.page import cell
from relprobe.report.published import decimals

PEOPLE = ("humans", "annotator")
"""The agents that are people."""
GREY, PALE = "#808080", "#b0b0b0"
OWN_CONTROL = "#444444"
"""The colour of this run's controls, which are outlines, as grey is the paper's."""
POINT = {"color": PALE, "linestyle": "none", "alpha": 0.75, "markeredgecolor": GREY, "markeredgewidth": 0.6}
MODEL_MARK, PEOPLE_MARK, RANGE_MARK = "paper: model or baseline", "paper: people", "paper: people, a range"
PAPER_MARKS: Mapping[str, dict[str, Any]] = {
    MODEL_MARK: {**POINT, "marker": "o", "markersize": 8},
    PEOPLE_MARK: {**POINT, "marker": "D", "markersize": 9},
    RANGE_MARK: {"color": PALE, "linewidth": 9, "solid_capstyle": "butt"},
}
"""What a paper's mark is of -> how it looks."""
ROOM = 0.6
"""The share of the height of a condition that its agents lie in."""
ROWS = 3.2
"""The height of a condition, in rows of other figures."""


def shown_conditions(table: pl.DataFrame, quantities: Mapping[str, str]) -> dict[str, list[str]]:
    """Return what a picture shows: quantity -> its conditions for which both the paper and this run have agents.

    `table`: what `published.compare_published` returns. `quantities`: quantity -> title. Of a quantity that the paper prints
    in several places, the conditions are those of the first of them.
    """
    shown = {}
    for quantity in quantities:
        rows = table.filter(pl.col("quantity") == quantity, pl.col("agent").is_not_null())
        printed = rows.filter(_is_printed())
        if printed.is_empty():
            continue
        first = printed.filter(pl.col("where") == printed["where"][0])["condition"].unique(maintain_order=True)
        ours = set(rows.drop_nulls("ours")["condition"])
        if conditions := [condition or "" for condition in first if condition in ours]:
            shown[quantity] = conditions
    return shown


def picture(
    table: pl.DataFrame, quantities: Mapping[str, str], families: Mapping[str, str], names: Mapping[str, str]
) -> Figure | None:
    """Draw a panel per quantity, in it a row per condition; None if the paper and this run have none in common.

    `families`: agent -> family of the models of this run (`agent_styles.families`). `names`: code -> name of a condition.
    """
    shown = shown_conditions(table, quantities)
    if not shown:
        return None
    ours = table.drop_nulls(["ours", "agent"]).filter(pl.col("quantity").is_in(list(shown)))
    agents = [agent for agent in ours["agent"].unique(maintain_order=True) if "+" not in agent]
    kinds = {agent: _kind(agent, families) for agent in agents}
    styles = {agent: _agent_style(style) for agent, style in agent_styles(kinds, families).items() if agent in agents}
    figure, axes = panels(
        [quantities[quantity] for quantity in shown], round(ROWS * max(map(len, shown.values()))), same_rows=False,
        same_columns=False,
    )  # fmt: skip
    printed = []
    for axis, (quantity, conditions) in zip(axes, shown.items(), strict=True):
        rows = table.filter(pl.col("quantity") == quantity)
        for row, condition in enumerate(conditions):
            condition_rows = rows.filter(pl.col("condition").fill_null("") == condition)
            printed += _printed(axis, condition_rows.filter(_is_printed()), row)
            _ours(axis, condition_rows.drop_nulls("ours"), styles, row)
        axis.set_ylim(len(conditions) - 0.5, -0.5)
        axis.set_yticks(range(len(conditions)), [names.get(condition, condition) for condition in conditions])
        axis.grid(axis="y", visible=False)
        axis.set_xlim(left=min(0.0, axis.get_xlim()[0]))
    _key(figure, styles, printed)
    return figure


def _is_printed() -> pl.Expr:
    return pl.col("where").is_not_null() & (pl.col("value").is_not_null() | pl.col("low").is_not_null())


def _kind(agent: str, families: Mapping[str, str]) -> str:
    if families.get(agent):
        return "causal"  # the look of a model does not depend on its type
    return "humans" if agent in PEOPLE else "control"


def _agent_style(style: AgentStyle) -> AgentStyle:
    """Return the look of an agent beside the paper's grey marks: a control is a dark outline."""
    return replace(style, colour=OWN_CONTROL, hollow=True) if style.family == CONTROL_FAMILY else style


def _printed(axis: Axes, rows: pl.DataFrame, height: int) -> list[str]:
    """Draw the paper's marks of a condition, behind those of this run; return what they are (PAPER_MARKS)."""
    names = []
    for row in rows.drop_nulls("agent").iter_rows(named=True):
        is_range = row["value"] is None
        names.append(RANGE_MARK if is_range else PEOPLE_MARK if row["agent"] in PEOPLE else MODEL_MARK)
        ends = [row["low"], row["high"]] if is_range else [row["value"]]
        axis.plot(ends, [height] * len(ends), **PAPER_MARKS[names[-1]], zorder=1)
    return names


def _ours(axis: Axes, rows: pl.DataFrame, styles: Mapping[str, AgentStyle], height: int) -> None:
    rows_by_agent = {row["agent"]: row for row in rows.iter_rows(named=True)}
    present = [agent for agent in styles if agent in rows_by_agent]
    for number, agent in enumerate(present):
        row = rows_by_agent[agent]
        shift = ROOM * (number / (len(present) - 1) - 0.5) if len(present) > 1 else 0.0
        dot(axis, agent, styles[agent], row["ours"], height + shift, (row["ours_low"], row["ours_high"]))


def _key(figure: Figure, styles: Mapping[str, AgentStyle], printed: Collection[str]) -> None:
    """Draw a legend of what is drawn: the paper's marks, of which these are `printed`, and the agents of this run."""
    theirs = {name: style for name, style in PAPER_MARKS.items() if name in printed}
    handles = [Line2D([], [], **style) for style in [*theirs.values(), *map(marker, styles.values())]]
    names = [f"{agent} (control)" if style.family == CONTROL_FAMILY else agent for agent, style in styles.items()]
    texts = [*theirs, *names]
    columns = max(2, int(WIDTH / 2.2))
    figure.legend(
        handles,
        texts,
        loc="outside upper left",
        ncols=columns,
        handletextpad=0.4,
    )


def in_words(table: pl.DataFrame, quantities: Mapping[str, str], names: Mapping[str, str]) -> str:
    """Return in words what a picture shows, for those who do not see it."""
    sentences = []
    with_decimals = table.with_columns(decimals=pl.Series(decimals(table), dtype=pl.UInt8))
    for quantity, conditions in shown_conditions(table, quantities).items():
        for condition in conditions:
            rows = with_decimals.filter(pl.col("quantity") == quantity, pl.col("condition").fill_null("") == condition)
            named = rows.drop_nulls("agent")
            paper = [_value_in_words(row, "value") for row in named.filter(_is_printed()).iter_rows(named=True)]
            ours = [_value_in_words(row, "ours") for row in named.drop_nulls("ours").iter_rows(named=True)]
            title = ", ".join(filter(None, [quantities[quantity], names.get(condition, condition)]))
            sentences.append(f"{title}: paper {', '.join(paper)}; this run {', '.join(ours)}.")
    return " ".join(sentences)


def _value_in_words(row: Mapping[str, Any], column: str) -> str:
    """Return in words an agent's value in a column or, where it is missing, the paper's range, with the paper's decimals."""
    ends = [row["low"], row["high"]] if row[column] is None else [row[column]]
    return f"{row['agent']} {' to '.join(cell(float(end), decimals=row['decimals']) for end in ends)}"
