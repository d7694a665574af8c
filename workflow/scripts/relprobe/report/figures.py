"""The drawing functions, colours and settings that the figures of all studies share. Importing it imports matplotlib."""

import colorsys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import matplotlib as mpl

mpl.use("agg")
import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.typing import ColorType

from relprobe.core.errors import DataError

Bounds = tuple[float | None, float | None]

COLOURS = {"humans": "#000000", "masked": "#0072B2", "causal": "#D55E00", "baseline": "#999999"}
"""Kind of agent -> colour. The colours are those of Okabe and Ito, which colour-blind people can tell apart, and greys."""
PALETTE = ("#0072B2", "#56B4E9", "#009E73", "#F0E442", "#D55E00", "#CC79A7")
"""Six colours of Okabe and Ito for the parts of a whole; `part_colours` has more."""
GOLDEN_RATIO = 0.618034
"""The step from hue to hue, in turns of the colour wheel: hues at its multiples lie far apart, however many there are."""
LIGHTNESS = (0.3, 0.55, 0.8)
HATCHES = {"humans": "", "masked": "", "causal": "////", "baseline": "...."}
"""Kind of agent -> hatching of its bars, so that a reader can tell the kinds apart without colour."""
DASHES = ("-", "--", "-.", ":")
MARKERS = ("", "o", "s", "^", "D", "v", "x")

mpl.rcParams.update(
    {
        "svg.hashsalt": "relprobe",  # the ids are not random, so that equal figures are equal files
        "svg.fonttype": "none",  # text stays text, so that a reader can search it
        "font.size": 9,
        "hatch.linewidth": 0.6,
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


def nothing_to_draw(sentence: str) -> Figure:
    """Return a figure that holds only a sentence: the reason why there is nothing to draw."""
    figure = plt.figure(figsize=(6.4, 0.6))
    figure.text(0.01, 0.5, sentence, va="center", fontsize=9)
    return figure


def panels(
    titles: Sequence[str], rows_each: int, columns: int = 3, same_rows: bool = True
) -> tuple[Figure, list[Axes]]:
    """Return a figure of one small panel per title, and the axes of the panels.

    `rows_each`: the number of labelled rows that the height of a panel has room for. `columns`: panels beside each other, at
    most. `same_rows`: do all panels have the same rows? Then only the panels on the left have labels.
    """
    columns = min(columns, len(titles))
    lines = -(-len(titles) // columns)
    height = 0.3 + lines * (0.8 + 0.24 * rows_each)
    figure, axes = plt.subplots(
        lines, columns, figsize=(3.2 * columns, height), squeeze=False, sharex=True, sharey=same_rows
    )
    for axis in axes.flat[len(titles) :]:
        axis.set_visible(False)
    for axis, title in zip(axes.flat, titles, strict=False):
        axis.set_title(title, fontsize=9, loc="left")
    return figure, list(axes.flat[: len(titles)])


def bars(
    axis: Axes,
    names: Sequence[str],
    values: Sequence[float | None],
    kinds: Sequence[str],
    intervals: Sequence[Bounds] | None = None,
) -> None:
    """Draw a horizontal bar per agent with its value at the end, or the word "missing" where the value is None.

    `names`, `values`, `kinds`: per agent its label, its value and its kind (a key of COLOURS). `intervals`: per agent the
    bounds of a confidence interval, drawn as a line over the bar; (None, None) draws no line.
    """
    spans = intervals or [(None, None)] * len(names)
    for row, (value, kind, (low, high)) in enumerate(zip(values, kinds, spans, strict=True)):
        axis.barh(row, value or 0, height=0.7, **_fill(kind))
        if low is not None and high is not None:
            axis.plot([low, high], [row, row], color="#444444", linewidth=1, solid_capstyle="butt")
        end = max(value or 0, high or 0)
        text = "missing" if value is None else f"{value:.2f}"
        axis.annotate(text, (end, row), xytext=(3, 0), textcoords="offset points", va="center", fontsize=7)
    axis.set_yticks(range(len(names)), names)
    axis.set_ylim(len(names) - 0.4, -0.6)
    axis.grid(axis="y", visible=False)


def _fill(kind: str) -> dict[str, Any]:
    return {"facecolor": COLOURS[kind], "edgecolor": "white", "hatch": HATCHES[kind], "linewidth": 0}


def colour_key(figure: Figure, kinds: Sequence[str]) -> None:
    """Draw a legend above the figure: the colour and hatching of each kind of agent."""
    handles = [plt.Rectangle((0, 0), 1, 1, **_fill(kind)) for kind in dict.fromkeys(kinds)]
    figure.legend(handles, list(dict.fromkeys(kinds)), loc="outside upper right", ncols=3, frameon=False, fontsize=8)


def line_styles(kinds: Sequence[str]) -> list[dict[str, Any]]:
    """Return the keyword arguments of `Axes.plot` for a line per agent.

    The colour shows the kind of agent (a key of COLOURS). Up to 28 lines differ in dashes or marker, from the 29th on these
    repeat.
    """
    markers = [MARKERS[number // len(DASHES) % len(MARKERS)] for number in range(len(kinds))]
    return [
        {"color": COLOURS[kind], "linestyle": DASHES[number % len(DASHES)], "marker": marker, "markersize": 3}
        for number, (kind, marker) in enumerate(zip(kinds, markers, strict=True))
    ]


def part_colours(count: int) -> list[str]:
    """Return `count` distinct colours for the parts of a whole: those of PALETTE first, then further hues as "#rrggbb".

    >>> part_colours(6) == list(PALETTE), part_colours(8)[6:]
    (True, ['#7a1f1f', '#4770d1'])
    """
    further = range(count - len(PALETTE))
    hues = [(number * GOLDEN_RATIO % 1, LIGHTNESS[number % len(LIGHTNESS)], 0.6) for number in further]
    return [*PALETTE[:count], *(mpl.colors.to_hex(colorsys.hls_to_rgb(*hue)) for hue in hues)]


def parts(axis: Axes, names: Sequence[str], shares: Mapping[str, Sequence[float]], colours: Sequence[str]) -> None:
    """Draw a horizontal bar per name that consists of parts, each with its name inside where there is room.

    `shares`: part -> its share of the bar of each name, from 0 to 1; the parts stand from left to right. `colours`: a
    colour per part (`part_colours`).
    """
    left = [0.0] * len(names)
    for (part, widths), colour in zip(shares.items(), colours, strict=True):
        axis.barh(range(len(names)), widths, left=left, color=colour, edgecolor="white", label=part)
        for row, (start, width) in enumerate(zip(left, widths, strict=True)):
            if width >= 0.06:
                axis.text(start + width / 2, row, part, ha="center", va="center", fontsize=7, color=_ink(colour))
        left = [start + width for start, width in zip(left, widths, strict=True)]
    axis.set_yticks(range(len(names)), names)
    axis.set_ylim(len(names) - 0.4, -0.6)
    axis.grid(axis="y", visible=False)


def _ink(colour: ColorType) -> str:
    """Return black or white, whichever is easier to read on the colour, by its relative luminance (WCAG 2)."""
    red, green, blue = (part**2.2 for part in mpl.colors.to_rgb(colour))
    return "black" if 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.18 else "white"


def short(value: float) -> str:
    """Write a value from -1 to 1 with two decimals and without the zero before the point.

    >>> short(0.347), short(-0.031), short(-0.001), short(1.0)
    ('.35', '-.03', '.00', '1.00')
    """
    return f"{round(value, 2) + 0.0:.2f}".replace("0.", ".", 1)


def matrix(axis: Axes, values: Sequence[Sequence[float | None]], labels: Sequence[str]) -> None:
    """Draw a square matrix of values from 0 to 1: grey cells with the values written in them. A cell of None stays white.

    `values`: of shape (labels, labels), by rows. `labels`: those of the rows, which are also those of the columns.
    """
    axis.imshow([[0.0 if v is None else v for v in row] for row in values], cmap="Greys", vmin=0, vmax=1)
    for i, row in enumerate(values):
        for j, value in enumerate(row):
            if value is not None:
                ink = _ink(mpl.colormaps["Greys"](value))
                axis.text(j, i, short(value), ha="center", va="center", fontsize=7, color=ink)
    axis.set_xticks(range(len(labels)), labels, fontsize=7)
    axis.set_yticks(range(len(labels)), labels, fontsize=7)
    axis.grid(visible=False)
