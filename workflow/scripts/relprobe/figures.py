"""Drawing: what every figure of every study shares."""

from collections.abc import Sequence
from pathlib import Path

import matplotlib as mpl

mpl.use("agg")
import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure

Bounds = tuple[float | None, float | None]

COLOURS = {"humans": "#000000", "masked": "#0072B2", "causal": "#D55E00", "baseline": "#999999"}
"""Kind of agent -> colour (Okabe and Ito: distinct to the colour-blind, and in grey)."""
PALETTE = ("#0072B2", "#56B4E9", "#009E73", "#F0E442", "#D55E00", "#CC79A7")
"""Six more of the same, for parts of a whole."""
DASHES = ("-", "--", "-.", ":")

mpl.rcParams.update(
    {
        "svg.hashsalt": "relprobe",  # the same figure is the same file
        "svg.fonttype": "none",  # text stays text: searchable, in the reader's font
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
    """Save a figure as SVG and, beside it, PNG."""
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path.with_suffix(".svg"), metadata={"Date": None})
    figure.set_layout_engine("none")  # it has been laid out, which takes as long as drawing
    figure.savefig(path.with_suffix(".png"), dpi=150)
    plt.close(figure)


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
        axis.barh(row, value or 0, color=COLOURS[kind], height=0.7)
        if low is not None and high is not None:
            axis.plot([low, high], [row, row], color="#444444", linewidth=1, solid_capstyle="butt")
        end = max(value or 0, high or 0)
        said = "missing" if value is None else f"{value:.2f}"
        axis.annotate(said, (end, row), xytext=(3, 0), textcoords="offset points", va="center", fontsize=7)
    axis.set_yticks(range(len(names)), names)
    axis.set_ylim(len(names) - 0.4, -0.6)
    axis.grid(axis="y", visible=False)


def colour_key(figure: Figure, kinds: Sequence[str]) -> None:
    """Say above the figure which colour is which kind of agent."""
    handles = [plt.Rectangle((0, 0), 1, 1, color=COLOURS[kind]) for kind in dict.fromkeys(kinds)]
    figure.legend(handles, list(dict.fromkeys(kinds)), loc="outside upper right", ncols=3, frameon=False, fontsize=8)


def matrix(axis: Axes, values: Sequence[Sequence[float | None]], labels: Sequence[str]) -> None:
    """Draw a square matrix of values from 0 to 1 in greys, each written in its cell; None stays white."""
    axis.imshow([[0.0 if v is None else v for v in row] for row in values], cmap="Greys", vmin=0, vmax=1)
    for i, row in enumerate(values):
        for j, value in enumerate(row):
            if value is not None:
                shade = "white" if value > 0.5 else "black"
                axis.text(j, i, f"{value:.2f}".lstrip("0") or "0", ha="center", va="center", fontsize=7, color=shade)
    axis.set_xticks(range(len(labels)), labels, fontsize=7)
    axis.set_yticks(range(len(labels)), labels, fontsize=7)
    axis.grid(visible=False)
