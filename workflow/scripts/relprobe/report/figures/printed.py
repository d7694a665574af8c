"""Figures for print: at the width of a column or of a page, with text of 6 to 8 points, as PDF and PNG.

What draws figures for pages draws these, too. A width decides how many panels stand beside each other (`canvas.panels`);
then the figure is laid out again at this width.
"""

import textwrap
import warnings
from collections.abc import Sequence
from pathlib import Path

from matplotlib.artist import Artist
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.backends.backend_pdf import FigureCanvasPdf
from matplotlib.figure import Figure
from matplotlib.legend import Legend
from matplotlib.lines import Line2D
from matplotlib.text import Text

from relprobe.core.files import whole_file
from relprobe.report.widths import INCH

HIGHEST = 22.5
"""The greatest height in centimetres: a page of A4 without its margins and a caption of a line."""
PANEL = 7.5
"""The width of a panel, in centimetres."""
SMALLEST, LARGEST = 6.0, 8.0
"""The sizes of text in points."""
SMALLER = 0.75
"""The size of text, lines and markers in print, as a share of those on a page."""
DENSEST = 0.5
"""The height of a figure whose rows are as near to each other as text allows, as a share of that on a page."""
MARGIN = 0.02
"""The least space between what is drawn and the edge, in inches."""
DPI = 300
"""The dots per inch of PNG."""
ATTEMPTS = 6


def panel_columns(width: float) -> int:
    """Return how many panels stand beside each other at a width in centimetres.

    >>> panel_columns(8.4), panel_columns(16)
    (1, 2)
    """
    return max(1, int(width / PANEL))


def print_figure(figure: Figure, paths: Sequence[Path], width: float) -> None:
    """Save a figure as PDF and as PNG, by the suffixes of the paths, `width` centimetres wide.

    Text has 6 to 8 points, fonts are of Type 42, and nothing that is drawn touches an edge. A figure that would be higher
    than a page is made lower, as far as its rows have room.
    """
    lay_out(figure, width / INCH)
    for path in paths:
        with whole_file(path) as partial:
            if path.suffix == ".pdf":
                FigureCanvasPdf(figure).print_pdf(partial, metadata={"CreationDate": None})
            else:
                figure.dpi = DPI
                FigureCanvasAgg(figure).print_png(partial)


def lay_out(figure: Figure, width: float) -> None:
    """Lay out a figure, which was drawn for a page, at a width in inches; its layout is final then."""
    for artist in figure.findobj():
        _make_smaller(artist)
    height = min(figure.get_figheight() * SMALLER, max(HIGHEST / INCH, figure.get_figheight() * DENSEST))
    figure.set_size_inches(width, height)
    figure.set_layout_engine("constrained")
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "constrained_layout not applied")  # what is too wide is mended here
        arrange(figure)
        _break_lines(figure)
        for legend in list(figure.legends):
            _narrow(legend, width - 2 * MARGIN)
    left = below = right = above = MARGIN
    for _ in range(ATTEMPTS):
        figure.get_layout_engine().set(  # type: ignore[union-attr, call-arg]
            rect=(left / width, below / height, 1 - (left + right) / width, 1 - (below + above) / height)
        )
        arrange(figure)
        ink = figure.get_tightbbox()
        beyond = [MARGIN - ink.x0, MARGIN - ink.y0, ink.x1 + MARGIN - width, ink.y1 + MARGIN - height]
        if max(beyond) < 0.001:
            break
        left, below, right, above = (
            old + max(0.0, more) for old, more in zip((left, below, right, above), beyond, strict=True)
        )
    figure.set_layout_engine("none")


def arrange(figure: Figure) -> None:
    """Compute the places of all parts of a figure once, as its layout engine does before a drawing, without the drawing."""
    engine = figure.get_layout_engine()
    if figure.axes and engine is not None:
        engine.execute(figure)


def _break_lines(figure: Figure) -> None:
    """Break titles that are wider than their panels, and the labels of axes and figure that are wider than the figure."""
    whole = figure.get_figwidth() - 2 * MARGIN
    widest = {text: whole for text in (*figure.texts, figure._supxlabel) if text is not None}  # type: ignore[attr-defined]
    for axis in figure.axes:
        place = axis.get_subplotspec()
        columns = 1 if place is None else place.get_gridspec().ncols
        extent = axis.get_window_extent()
        to_the_right = whole - extent.x0 / figure.dpi
        titles = to_the_right if columns == 1 else extent.width / figure.dpi
        widest |= dict.fromkeys((axis.title, axis._left_title), titles)  # type: ignore[attr-defined]
        widest[axis.xaxis.label] = whole if columns == 1 else extent.width / figure.dpi
    for text, room in widest.items():
        needed = text.get_window_extent().width / figure.dpi
        if needed > room > 0 and text.get_text():
            text.set_text(textwrap.fill(text.get_text(), max(8, int(len(text.get_text()) * room / needed))))


def _narrow(legend: Legend, room: float) -> None:
    """Put the entries of a key into fewer columns, so that it is no wider than the room, in inches."""
    figure = legend.get_figure(root=True)
    handles, names = legend.legend_handles, [text.get_text() for text in legend.get_texts()]
    size = legend.get_texts()[0].get_fontsize() if names else SMALLEST
    columns = len(names)
    while columns > 1 and legend.get_window_extent().width / figure.dpi > room:  # type: ignore[union-attr]
        columns -= 1
        legend.remove()
        shown = [handle for handle in handles if handle is not None]
        legend = figure.legend(  # type: ignore[union-attr]
            shown, names, loc="outside upper left", ncols=columns, frameon=False, fontsize=size, handletextpad=0.1
        )
        figure.draw_without_rendering()  # type: ignore[union-attr]


def _make_smaller(artist: Artist) -> None:
    """Make the text, the line or the marker of an artist as small as print has it."""
    if isinstance(artist, Text):
        size = float(artist.get_fontsize()) * SMALLER
        artist.set_fontsize(min(LARGEST, max(SMALLEST, size)))
    elif isinstance(artist, Line2D):
        artist.set_linewidth(artist.get_linewidth() * SMALLER)
        artist.set_markersize(artist.get_markersize() * SMALLER)
