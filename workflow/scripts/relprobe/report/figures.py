"""Drawing: what every figure of every study shares."""

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
"""Kind of agent -> colour (Okabe and Ito: distinct to the colour-blind, and in grey)."""
PALETTE = ("#0072B2", "#56B4E9", "#009E73", "#F0E442", "#D55E00", "#CC79A7")
"""Six more of the same, for parts of a whole."""
HATCHES = {"humans": "", "masked": "", "causal": "////", "baseline": "...."}
"""Kind of agent -> hatching of its bars, so that kinds are told apart without colour."""
DASHES = ("-", "--", "-.", ":")
MARKERS = ("", "o", "s", "^", "D", "v", "x")

mpl.rcParams.update(
    {
        "svg.hashsalt": "relprobe",  # the same figure is the same file
        "svg.fonttype": "none",  # text stays text: searchable, in the reader's font
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
    """Save a figure as SVG and, beside it, PNG."""
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path.with_suffix(".svg"), metadata={"Date": None})
    figure.set_layout_engine("none")  # it has been laid out, which takes as long as drawing
    figure.savefig(path.with_suffix(".png"), dpi=150)
    plt.close(figure)


def save_all(figures: Iterable[tuple[str, Figure]], paths: Sequence[Path]) -> None:
    """Save figures by their names; every path is the SVG file of one of them. DataError: a path without a figure."""
    missing = {path.stem: path for path in paths}
    for name, figure in figures:
        save(figure, missing.pop(name))
    if missing:
        raise DataError(f"there is no figure for {', '.join(map(str, missing.values()))}.")


def nothing_to_draw(sentence: str) -> Figure:
    """Return a figure that says why there is none."""
    figure = plt.figure(figsize=(6.4, 0.6))
    figure.text(0.01, 0.5, sentence, va="center", fontsize=9)
    return figure


def panels(
    titles: Sequence[str], rows_each: int, columns: int = 3, same_rows: bool = True
) -> tuple[Figure, list[Axes]]:
    """Start a figure of small panels whose height fits `rows_each` labelled rows, the same ones unless said otherwise."""
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
    """Draw one horizontal bar per agent, its value written at its end; a missing value is said to be missing.

    `intervals`, where there are any, are drawn as lines.
    """
    spans = intervals or [(None, None)] * len(names)
    for row, (value, kind, (low, high)) in enumerate(zip(values, kinds, spans, strict=True)):
        axis.barh(row, value or 0, height=0.7, **_fill(kind))
        if low is not None and high is not None:
            axis.plot([low, high], [row, row], color="#444444", linewidth=1, solid_capstyle="butt")
        end = max(value or 0, high or 0)
        said = "missing" if value is None else f"{value:.2f}"
        axis.annotate(said, (end, row), xytext=(3, 0), textcoords="offset points", va="center", fontsize=7)
    axis.set_yticks(range(len(names)), names)
    axis.set_ylim(len(names) - 0.4, -0.6)
    axis.grid(axis="y", visible=False)


def _fill(kind: str) -> dict[str, Any]:
    return {"facecolor": COLOURS[kind], "edgecolor": "white", "hatch": HATCHES[kind], "linewidth": 0}


def colour_key(figure: Figure, kinds: Sequence[str]) -> None:
    """Say above the figure which colour is which kind of agent."""
    handles = [plt.Rectangle((0, 0), 1, 1, **_fill(kind)) for kind in dict.fromkeys(kinds)]
    figure.legend(handles, list(dict.fromkeys(kinds)), loc="outside upper right", ncols=3, frameon=False, fontsize=8)


def line_styles(kinds: Sequence[str]) -> list[dict[str, Any]]:
    """Return how to draw one line per agent: its colour is its kind; up to 28 lines differ in dash or marker as well."""
    markers = [MARKERS[number // len(DASHES) % len(MARKERS)] for number in range(len(kinds))]
    return [
        {"color": COLOURS[kind], "linestyle": DASHES[number % len(DASHES)], "marker": marker, "markersize": 3}
        for number, (kind, marker) in enumerate(zip(kinds, markers, strict=True))
    ]


def parts(axis: Axes, names: Sequence[str], shares: Mapping[str, Sequence[float]], colours: Sequence[str]) -> None:
    """Draw one horizontal bar of shares per name, with the name of a part in it where there is room.

    `shares`: part -> its share in each bar, from left to right.
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
    """Return black or white, whichever is easier to read on the colour (its relative luminance, WCAG 2)."""
    red, green, blue = (part**2.2 for part in mpl.colors.to_rgb(colour))
    return "black" if 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.18 else "white"


def matrix(axis: Axes, values: Sequence[Sequence[float | None]], labels: Sequence[str]) -> None:
    """Draw a square matrix of values from 0 to 1 in greys, each written in its cell; None stays white."""
    axis.imshow([[0.0 if v is None else v for v in row] for row in values], cmap="Greys", vmin=0, vmax=1)
    for i, row in enumerate(values):
        for j, value in enumerate(row):
            if value is not None:
                ink = _ink(mpl.colormaps["Greys"](value))
                axis.text(j, i, f"{value:.2f}".lstrip("0") or "0", ha="center", va="center", fontsize=7, color=ink)
    axis.set_xticks(range(len(labels)), labels, fontsize=7)
    axis.set_yticks(range(len(labels)), labels, fontsize=7)
    axis.grid(visible=False)
