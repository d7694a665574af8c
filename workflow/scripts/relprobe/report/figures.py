"""The drawing functions, colours and settings that the figures of all studies share. Importing it imports matplotlib."""

import colorsys
import itertools
import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import quote
from weakref import WeakKeyDictionary

import matplotlib as mpl

mpl.use("agg")
import matplotlib.pyplot as plt
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch, Rectangle
from matplotlib.typing import ColorType

from relprobe.core.errors import DataError
from relprobe.core.files import Format
from relprobe.report.looks import Look

Bounds = tuple[float | None, float | None]

PALETTE = ("#0072B2", "#56B4E9", "#009E73", "#F0E442", "#D55E00", "#CC79A7")
"""Six colours of Okabe and Ito for the parts of a whole; `part_colours` has more."""
GOLDEN_RATIO = 0.618034
"""The step from hue to hue, in turns of the colour wheel: hues at its multiples lie far apart, however many there are."""
LIGHTNESS = (0.3, 0.55, 0.8)
ON_COLOUR = {"black": "#010101", "white": "#fefefe"}
"""The inks of text on a coloured cell. A page swaps black and white in the dark scheme, but not these."""
ROW = 0.21
"""The height of a row of agents, in inches."""
WIDTH = 9.6
"""The width of a figure in inches: what a page shows on a laptop without making it smaller."""

mpl.rcParams.update(
    {
        "svg.hashsalt": "relprobe",  # the ids are not random, so that equal figures are equal files
        "svg.fonttype": "none",  # text stays text, so that a reader can search it
        "font.size": 9,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.grid": True,
        "axes.axisbelow": True,
        "grid.color": "#dddddd",
        "figure.constrained_layout.use": True,
    }
)


def save(figure: Figure, path: Path) -> None:
    """Save a figure as SVG and as PNG (150 dots per inch), and close it.

    The suffixes .svg and .png take the place of that of `path`; its folder is made.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path.with_suffix(".svg"), metadata={"Date": None})
    figure.set_layout_engine("none")  # the layout is final; computing it again takes as long as drawing
    figure.savefig(path.with_suffix(".png"), dpi=150)
    plt.close(figure)


def save_all(figures: Iterable[tuple[str, Figure]], paths: Sequence[Path]) -> None:
    """Save each named figure into the file NAME.svg among `paths`, and NAME.png beside it.

    DataError: a path has no figure. KeyError: a figure has no path.
    """
    unused = {path.stem: path for path in paths}
    for name, figure in figures:
        save(figure, unused.pop(name))
    if unused:
        files = ", ".join(map(str, unused.values()))
        raise DataError(f"there is no figure for {files}: name the same figures in the rule and in the study.")


Figures = Annotated[Iterator[tuple[str, Figure]], Format(write_all=save_all)]
"""Figures by name, each of which is drawn, saved and closed before the next one."""


def nothing_to_draw(sentence: str) -> Figure:
    """Return a figure that holds only a sentence: the reason why there is nothing to draw."""
    figure = plt.figure(figsize=(6.4, 0.6))
    figure.text(0.01, 0.5, sentence, va="center", fontsize=9)
    return figure


def panels(
    titles: Sequence[str], rows_each: int, columns: int = 3, same_rows: bool = True, same_columns: bool = True
) -> tuple[Figure, list[Axes]]:
    """Return a figure of one small panel per title, and the axes of the panels.

    `rows_each`: the number of labelled rows that the height of a panel has room for. `columns`: panels beside each other, at
    most. `same_rows`: do all panels have the same rows? Then only the panels on the left have labels. `same_columns`: have
    they the same horizontal axis?
    """
    columns = min(columns, len(titles))
    lines = -(-len(titles) // columns)
    height = 0.3 + lines * (0.8 + ROW * rows_each)
    figure, axes = plt.subplots(
        lines, columns, figsize=(WIDTH / 3 * columns, height), squeeze=False, sharex=same_columns, sharey=same_rows
    )
    for axis in axes.flat[len(titles) :]:
        axis.set_visible(False)
    for axis, title in zip(axes.flat, titles, strict=False):
        axis.set_title(title, fontsize=9, loc="left")
    return figure, list(axes.flat[: len(titles)])


def dots(
    axis: Axes,
    agents: Sequence[str],
    values: Sequence[float | None],
    looks: Sequence[Look],
    intervals: Sequence[Bounds] | None = None,
    *,
    labels: Sequence[str] | None = None,
    links: Sequence[str | None] | None = None,
    beyond: Sequence[float | None] | None = None,
) -> None:
    """Draw a row per agent: its marker at its value, the line of its interval, and the value as text, or "missing".

    All arguments are in the order of the rows, from top to bottom. `intervals`: (None, None) draws no line. `labels`: of the
    rows, if they are not the agents' names. `links`: the addresses that a click on a row leads to. `beyond`: what else is
    drawn in a row, so that its text stands behind it.
    """
    bounds = intervals or [(None, None)] * len(agents)
    addresses = links or [None] * len(agents)
    others = beyond or [None] * len(agents)
    rows = zip(agents, values, looks, bounds, addresses, others, strict=True)
    for row, (agent, value, look, (low, high), link, other) in enumerate(rows):
        if value is not None:
            dot(axis, agent, look, value, row, (low, high), link)
        text = "missing" if value is None else f"{value:.2f}"
        end = max((place for place in (value, high, other) if place is not None), default=0)
        note = axis.annotate(text, (end, row), xytext=(5, 0), textcoords="offset points", va="center", fontsize=7)
        mark(note, agent, link)
    label_rows(axis, agents, labels)


def dot(
    axis: Axes,
    agent: str,
    look: Look,
    value: float,
    row: float,
    bounds: Bounds = (None, None),
    link: str | None = None,
    fill: float = 1.0,
) -> None:
    """Draw an agent's marker at (value, row), with the line of its interval. `fill`: 1 a full marker, 0 an outline."""
    low, high = bounds
    if low is not None and high is not None:
        (line,) = axis.plot([low, high], [row, row], color=look.colour, linewidth=1.2, solid_capstyle="butt")
        mark(line, agent, link)
    (point,) = axis.plot([value], [row], **marker(look, fill))
    mark(point, agent, link)


def marker(look: Look, fill: float = 1.0) -> dict[str, Any]:
    """Return the keyword arguments of `Axes.plot` for a marker. `fill`: 1 is full, 0 an outline, between them a tint."""
    face = "white" if look.hollow or fill == 0 else tint(look.colour, fill)
    return {
        "color": look.colour,
        "linestyle": "none",
        "marker": look.marker,
        "markersize": 5,
        "markerfacecolor": face,
        "markeredgewidth": 0.9,
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


def family_key(figure: Figure, looks: Iterable[Look]) -> None:
    """Draw a legend above the figure: the colour of each family. The labels of the rows name the agents themselves."""
    families = {look.family: Look(look.colour, "o", look.dash, look.family) for look in looks}
    if len(families) > 1:
        _key(figure, list(families), list(families.values()))


def _key(figure: Figure, names: Sequence[str], looks: Sequence[Look]) -> None:
    handles = [Line2D([], [], **marker(look)) for look in looks]
    columns = max(1, min(len(names), int(figure.get_figwidth() / 1.2)))
    figure.legend(
        handles, names, loc="outside upper right", ncols=columns, frameon=False, fontsize=8, handletextpad=0.1
    )


def apart(places: Sequence[float], gap: float, limits: tuple[float, float] | None = None) -> list[float]:
    """Move places on an axis as little as needed for all to be `gap` apart, in their order; for labels at lines' ends.

    `limits`: the ends of the axis, between which the places stay if there is room for all.

    >>> apart([0.0, 0.1, 1.0], 0.5)
    [-0.2, 0.3, 1.0]
    >>> apart([0.0, 0.1, 1.0], 0.4, (0.0, 1.0))
    [0.0, 0.4, 1.0]
    """
    low, high = limits or (-math.inf, math.inf)
    order = sorted(range(len(places)), key=lambda i: places[i])
    groups: list[
        list[float]
    ] = []  # of each block of neighbours: the sum of their wishes less their offsets, their number
    for i in order:
        groups.append([places[i], 1])
        while len(groups) > 1 and _start(groups[-2]) + gap * groups[-2][1] > _start(groups[-1]):
            total, count = groups.pop()
            before = groups[-1]
            before[0] += total - gap * before[1] * count
            before[1] += count
    moved = [_start(block) + gap * n for block in groups for n in range(int(block[1]))]
    result = [0.0] * len(places)
    for rank, (i, place) in enumerate(zip(order, moved, strict=True)):
        above = len(places) - 1 - rank
        result[i] = round(max(min(place, high - gap * above), low + gap * rank), 9)
    return result


def _start(block: Sequence[float]) -> float:
    return block[0] / block[1]


def part_colours(count: int) -> list[str]:
    """Return `count` distinct colours for the parts of a whole: those of PALETTE first, then further hues as "#rrggbb".

    >>> part_colours(6) == list(PALETTE), part_colours(8)[6:]
    (True, ['#7a1f1f', '#4770d1'])
    """
    further = range(count - len(PALETTE))
    hues = [(number * GOLDEN_RATIO % 1, LIGHTNESS[number % len(LIGHTNESS)], 0.6) for number in further]
    return [*PALETTE[:count], *(mpl.colors.to_hex(colorsys.hls_to_rgb(*hue)) for hue in hues)]


def parts(
    axis: Axes,
    names: Sequence[str],
    shares: Mapping[str, Sequence[float]],
    colours: Sequence[str],
    links: Mapping[tuple[str, str], str] | None = None,
) -> None:
    """Draw a horizontal bar per name that consists of parts, each with its name inside where there is room.

    `shares`: part -> its share of the bar of each name, from 0 to 1; the parts stand from left to right. `colours`: a
    colour per part (`part_colours`). `links`: (name, part) -> the address that a click on the part leads to; a
    name without one is that of no agent.
    """
    links = links or {}
    left = [0.0] * len(names)
    for (part, widths), colour in zip(shares.items(), colours, strict=True):
        rows = axis.barh(range(len(names)), widths, left=left, color=colour, edgecolor="#fefefe", label=part)
        for name, bar in zip(names, rows, strict=True):
            if (name, part) in links:
                mark(bar, name, links[name, part])
        for row, (start, width) in enumerate(zip(left, widths, strict=True)):
            if width >= 0.06:
                axis.text(start + width / 2, row, part, ha="center", va="center", fontsize=7, color=ink(colour))
        left = [start + width for start, width in zip(left, widths, strict=True)]
    label_rows(axis, names, marked={name for name, _ in links})


def ink(colour: ColorType) -> str:
    """Return the ink that is easier to read on a colour, by its relative luminance (WCAG 2): one of ON_COLOUR."""
    red, green, blue = (part**2.2 for part in mpl.colors.to_rgb(colour))
    return ON_COLOUR["black" if 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.18 else "white"]


def short(value: float) -> str:
    """Write a value from -1 to 1 with two decimals and without the zero before the point.

    >>> short(0.347), short(-0.031), short(-0.001), short(1.0)
    ('.35', '-.03', '.00', '1.00')
    """
    return f"{round(value, 2) + 0.0:.2f}".replace("0.", ".", 1)


def cells(
    axis: Axes,
    values: Sequence[Sequence[float | None]],
    colours: str,
    limits: tuple[float, float],
    texts: Sequence[Sequence[str]],
    faint: Sequence[Sequence[bool]] | None = None,
) -> list[list[Patch]]:
    """Draw a table of coloured cells with a text in each, and return the cells, by rows, for `mark`.

    `colours`: the name of a colour map from the lower to the upper limit. A cell of None, or one that is `faint`, has no
    colour; a faint text is grey.
    """
    shades = mpl.colormaps[colours]
    low, high = limits
    drawn: list[list[Patch]] = []
    for i, row in enumerate(values):
        drawn.append([])
        for j, value in enumerate(row):
            pale = value is None or (faint is not None and faint[i][j])
            face = "none" if pale else mpl.colors.to_hex(shades((value - low) / (high - low)))  # type: ignore[operator]
            cell = axis.add_patch(
                Rectangle((j - 0.5, i - 0.5), 1, 1, facecolor=face, edgecolor="#fefefe", linewidth=0.5)
            )
            colour = "#999999" if value is not None and pale else "black" if pale else ink(face)
            axis.text(j, i, texts[i][j], ha="center", va="center", fontsize=7, color=colour)
            drawn[-1].append(cell)
    columns = max(map(len, values), default=0)
    axis.set(xlim=(-0.5, columns - 0.5), ylim=(len(values) - 0.5, -0.5))
    axis.tick_params(length=0)
    axis.grid(visible=False)
    plt.setp(axis.spines.values(), visible=False)
    return drawn
