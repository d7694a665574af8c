"""Rows of agents in a figure: a marker, an interval, a value and a label each, and what names them to a page."""

import itertools
import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import quote
from weakref import WeakKeyDictionary

import matplotlib as mpl
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from relprobe.report.agent_styles import OWN_CONTROL, AgentStyle
from relprobe.report.figures.canvas import to_scale
from relprobe.report.words.readable import in_digits

VALUE_OFFSET = (4.0, 0.0)
"""Where the text of a value begins, in points from the right end of its row: it covers no marker and no line."""
Bounds = tuple[float | None, float | None]


def dots(
    axis: Axes,
    agents: Sequence[str],
    values: Sequence[float | None],
    styles: Sequence[AgentStyle],
    intervals: Sequence[Bounds] | None = None,
    *,
    labels: Sequence[str] | None = None,
    links: Sequence[str | None] | None = None,
) -> None:
    """Draw a row per agent: its marker at its value, the line of its interval, and the value as text, or "missing".

    All arguments are in the order of the rows, from top to bottom. `intervals`: (None, None) draws no line. `labels`: of the
    rows, if they are not the agents' names. `links`: the addresses that a click on a row leads to. The values are a column
    at the right of the axis, where they cover no marker, no interval and no line.
    """
    bounds = intervals or [(None, None)] * len(agents)
    addresses = links or [None] * len(agents)
    rows = zip(agents, values, styles, bounds, addresses, strict=True)
    for row, (agent, value, style, (low, high), link) in enumerate(rows):
        if value is not None:
            dot(axis, agent, style, value, row, (low, high), link)
        note = axis.annotate(
            "missing" if value is None else in_digits(value, 2),
            xy=(1, row),
            xycoords=("axes fraction", "data"),
            xytext=VALUE_OFFSET,
            textcoords="offset points",
            va="center",
            fontsize="small",
            annotation_clip=False,
        )
        mark(note, agent, link)
    label_rows(axis, agents, labels)


def dot(
    axis: Axes,
    agent: str,
    style: AgentStyle,
    value: float,
    row: float,
    bounds: Bounds = (None, None),
    link: str | None = None,
    fill: float = 1.0,
) -> None:
    """Draw an agent's marker at (value, row), with the line of its interval. `fill`: 1 a full marker, 0 an outline."""
    low, high = bounds
    if low is not None and high is not None:
        (line,) = axis.plot([low, high], [row, row], color=style.colour, solid_capstyle="butt")
        mark(line, agent, link)
    (point,) = axis.plot(
        [value], [row], **marker(style, fill), clip_on=False, zorder=3
    )  # whole at the end of the axis, too
    mark(point, agent, link)


def marker(style: AgentStyle, fill: float = 1.0) -> dict[str, Any]:
    """Return the keyword arguments of `Axes.plot` for a marker. `fill`: 1 is full, 0 an outline, between them a tint."""
    face = "white" if style.hollow or fill == 0 else tint(style.colour, fill)
    return {
        "color": style.colour,
        "linestyle": "none",
        "marker": style.marker,
        "markersize": to_scale(5),
        "markerfacecolor": face,
        "markeredgewidth": to_scale(0.9),
    }


def tint(colour: str, share: float) -> str:
    """Mix a colour with white: 1 is the colour itself.

    >>> tint("#000000", 1.0), tint("#000000", 0.5)
    ('#000000', '#808080')
    """
    return mpl.colors.to_hex([share * part + 1 - share for part in mpl.colors.to_rgb(colour)])


def mark(artist: Artist, agent: str, link: str | None = None) -> None:
    """Name the agent of something drawn, so that a page can fade it, and the address that a click on it leads to.

    The name of the SVG group is "agent=NAME=NUMBER", where the number makes it unique in the figure.
    """
    number = next(_NUMBERS.setdefault(artist.get_figure(root=True), itertools.count()))
    artist.set_gid(f"agent={quote(agent, safe='')}={number}")
    if link is not None:
        artist.set_url(link)


_NUMBERS: "WeakKeyDictionary[Any, Iterator[int]]" = WeakKeyDictionary()
"""Figure -> the numbers of what is marked in it."""


def label_rows(
    axis: Axes, agents: Sequence[str], labels: Sequence[str] | None = None, marked: Collection[str] | None = None
) -> None:
    """Label the rows of an axis from top to bottom.

    `labels`: if they are not the agents' names. `marked`: those that are agents, if not all are.
    """
    axis.set_ylim(len(agents) - 0.4, -0.6)
    axis.set_yticks(range(len(agents)), agents if labels is None else labels)
    for agent, tick in zip(agents, axis.yaxis.get_major_ticks(len(agents)), strict=True):
        if marked is None or agent in marked:
            mark(tick.label1, agent)
    axis.grid(axis="y", visible=False)


def family_key(
    figure: Figure, styles: Iterable[AgentStyle], own_controls: str = "", further: Mapping[str, Line2D] | None = None
) -> None:
    """Draw a legend above the figure: the colour of each family. The labels of the rows name the agents themselves.

    `own_controls`: what the models' own controls are called, which are outlines in their rows; empty: none is drawn.
    `further`: name -> a mark that the legend has as well.
    """
    families = {style.family: AgentStyle(style.colour, "o", style.dash, style.family) for style in styles}
    if own_controls:
        families[own_controls] = OWN_CONTROL
    marks = {name: Line2D([], [], **marker(style)) for name, style in families.items()} if len(families) > 1 else {}
    if marks := {**marks, **(further or {})}:
        columns = max(1, min(len(marks), int(figure.get_figwidth() / to_scale(1.2))))
        figure.legend(list(marks.values()), list(marks), loc="outside upper left", ncols=columns, handletextpad=0.1)


def spread_places(positions: Sequence[float], gap: float, limits: tuple[float, float] | None = None) -> list[float]:
    """Move places on an axis as little as needed for all to be `gap` apart, in their order; for labels at lines' ends.

    `limits`: the ends of the axis, between which the places stay if there is room for all.

    >>> spread_places([0.0, 0.1, 1.0], 0.5)
    [-0.2, 0.3, 1.0]
    >>> spread_places([0.0, 0.1, 1.0], 0.4, (0.0, 1.0))
    [0.0, 0.4, 1.0]
    """
    low, high = limits or (-math.inf, math.inf)
    order = sorted(range(len(positions)), key=lambda i: positions[i])
    groups: list[
        list[float]
    ] = []  # of each block of neighbours: the sum of their wishes less their offsets, their number
    for i in order:
        groups.append([positions[i], 1])
        while len(groups) > 1 and _start(groups[-2]) + gap * groups[-2][1] > _start(groups[-1]):
            total, count = groups.pop()
            previous = groups[-1]
            previous[0] += total - gap * previous[1] * count
            previous[1] += count
    moved = [_start(block) + gap * n for block in groups for n in range(int(block[1]))]
    result = [0.0] * len(positions)
    for rank, (i, target) in enumerate(zip(order, moved, strict=True)):
        above = len(positions) - 1 - rank
        result[i] = round(max(min(target, high - gap * above), low + gap * rank), 9)
    return result


def _start(block: Sequence[float]) -> float:
    return block[0] / block[1]
