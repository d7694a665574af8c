"""Figures for print: at the width of a column or of a page, with text of 6 to 8 points, as PDF and PNG.

What draws figures for pages draws these, too: with the settings of print (`STYLE`), at the size of print (`size_in_print`),
and with as many panels beside each other as the width has room for (`canvas.panels`).
"""

import itertools
import logging
import textwrap
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path

from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.backends.backend_pdf import FigureCanvasPdf
from matplotlib.figure import Figure
from matplotlib.legend import Legend
from matplotlib.text import Text

from relprobe.core.files import whole_file
from relprobe.report.widths import INCH

HIGHEST = 22.5
"""The greatest height in centimetres: a page of A4 without its margins and a caption of a line."""
PANEL = 7.5
"""The width of a panel, in centimetres."""
SMALLEST = 6.0
"""The least size of text in points."""
SMALLER = 0.75
"""The size of lines, markers and rows in print, as a share of those on a page."""
STYLE: dict[str, object] = {
    "font.size": 7.25,  # text is of this size or "small", which is 0.833 of it: 6 points
    "lines.linewidth": 1.2 * SMALLER,
    "grid.linewidth": 0.8 * SMALLER,
    "xtick.major.size": 3.5 * SMALLER,
    "ytick.major.size": 3.5 * SMALLER,
    "legend.handletextpad": 0.1,
}
"""The settings of matplotlib that figures in print are drawn with."""
DENSEST = 0.55
"""The height of a figure whose rows are as near to each other as text allows, as a share of that on a page."""
MARGIN = 0.02
"""The least space between what is drawn and the edge, in inches."""
DPI = 300
"""The dots per inch of PNG."""
ATTEMPTS = 6
PLAIN_LEFT, PLAIN_EDGE = 0.35, 0.08
"""What a plain layout leaves free on the left, as a share of the width, and above and below, as shares of the height."""
WIDEST = 0.75
"""The greatest width of a name in a key, as a share of the figure's: its marker stands beside it."""
EDGES = 0.8
"""The share of a figure that may be left free at its edges for texts; beyond it no panel would have room."""
GROWTH = (1.0, 1.25, 1.5)
"""How much higher a figure becomes for its texts not to overlap."""
ACROSS = 20.0
"""The greatest width of two columns, in centimetres."""
WIDE = "across two columns"
"""The mark (gid) of a figure that is drawn for twice the width."""
ROOM = (1.0, 2.0)
"""By how much the boxes of two texts may overlap to the side and in height, in points: a box has room below its letters."""
CLOSE = 1e-10
"""By how much, as a share of an axis, a tick beyond its end is still drawn, as at its end."""
logger = logging.getLogger("relprobe")


def panel_columns(width: float) -> int:
    """Return how many panels stand beside each other at a width in centimetres.

    >>> panel_columns(8.4), panel_columns(16)
    (1, 2)
    """
    return max(1, int(width / PANEL))


def is_too_high(height: float) -> bool:
    """Return whether a figure is higher than a page, however near its rows are. `height`: on a page of HTML, in inches."""
    return height * DENSEST > HIGHEST / INCH


def size_in_print(width: float, height: float) -> tuple[float, float]:
    """Return the size in inches of a figure in print. `width`: in print, in centimetres. `height`: on a page, in inches."""
    return width / INCH, min(height * SMALLER, max(HIGHEST / INCH, height * DENSEST))


def print_figure(figure: Figure, paths: Sequence[Path], width: float) -> None:
    """Save a figure as PDF and as PNG, by the suffixes of the paths, `width` centimetres wide.

    The figure was drawn for print (`canvas.in_print_at`). Text has 6 to 8 points, fonts are of Type 42, and nothing that is
    drawn touches an edge. A figure that would be higher than a page is lower, as far as its rows have room; beyond that it
    was drawn with two columns (`canvas.subplots`), and is twice as wide. One whose texts overlap becomes higher and, if that
    does not help, twice as wide. The log says what is wider.
    """
    name, across = paths[0].stem, 2 * width
    if figure.get_gid() == WIDE:
        logger.warning("%s is %g cm wide, as it would be higher than a page in one column", name, across)
        width = across
    if not _has_room(figure, width) and width < across <= ACROSS:
        logger.warning("%s is %g cm wide, as its texts have no room in one column", name, across)
        width = across
        _has_room(figure, width)
    for first_text, second_text in overlaps(figure)[:1]:
        logger.warning(
            "texts of %s overlap at %g cm, such as %r and %r: take a greater width",
            name,
            width,
            first_text,
            second_text,
        )
    _write_files(figure, paths)


def print_plainly(figure: Figure, paths: Sequence[Path], width: float) -> None:
    """Save a figure that cannot be laid out at a width in centimetres, as `print_figure` does, in a plain way.

    Each panel has a row of its own between margins that are shares of the width, and all that is written below, above and
    beside it is cut at the edges of the figure.
    """
    figure.set_layout_engine("none")
    shown = [axis for axis in figure.axes if axis.get_visible()]
    figure.set_size_inches(width / INCH, min(HIGHEST / INCH, max(1.0, float(figure.get_figheight()))))
    for number, axis in enumerate(shown):
        share = (1 - 2 * PLAIN_EDGE) / len(shown)
        axis.set_position((PLAIN_LEFT, 1 - PLAIN_EDGE - (number + 0.8) * share, 0.95 - PLAIN_LEFT, 0.6 * share))
    _write_files(figure, paths)


def _write_files(figure: Figure, paths: Sequence[Path]) -> None:
    """Write a figure that is laid out as PDF and as PNG, by the suffixes of the paths."""
    for path in paths:
        with whole_file(path) as partial:
            if path.suffix == ".pdf":
                FigureCanvasPdf(figure).print_pdf(partial, metadata={"CreationDate": None})
            else:
                figure.dpi = DPI
                FigureCanvasAgg(figure).print_png(partial)


def _has_room(figure: Figure, width: float) -> bool:
    """Lay out a figure at a width in centimetres, higher if its texts overlap otherwise; say whether none overlaps then."""
    first = figure.get_figheight()
    for growth in GROWTH:
        if first * growth > max(HIGHEST / INCH, first):
            break
        figure.set_figheight(first * growth)
        lay_out(figure, width / INCH)
        if not overlaps(figure):
            return True
    figure.set_figheight(first)
    lay_out(figure, width / INCH)
    return False


def overlaps(figure: Figure) -> list[tuple[str, str]]:
    """Return the pairs of texts of a figure that was laid out whose letters overlap.

    Texts that are turned by other than right angles have boxes larger than their ink, and do not count.
    """
    renderer = FigureCanvasAgg(figure).get_renderer()
    figure.draw_without_rendering()  # a key has its place only when it is drawn
    hidden: set[Text] = set(_undrawn(figure))
    shown = [text for text in figure.findobj(Text) if text.get_visible() and text.get_text().strip()]
    boxes = [
        (text.get_text(), text.get_window_extent(renderer))
        for text in shown
        if text not in hidden and not text.get_rotation() % 90
    ]
    aside, above = (room * figure.dpi / 72 for room in ROOM)
    return [
        (first, second)
        for (first, box), (second, second_box) in itertools.combinations(boxes, 2)
        if min(box.x1, second_box.x1) - max(box.x0, second_box.x0) > aside
        and min(box.y1, second_box.y1) - max(box.y0, second_box.y0) > above
    ]


def _undrawn(figure: Figure) -> Iterator[Text]:
    """Yield the texts of panels that are not drawn, such as the labels of ticks beyond the ends of an axis."""
    for axis in figure.axes:
        if not axis.get_visible():
            yield from axis.findobj(Text)
        for line in (axis.xaxis, axis.yaxis):
            shown = axis.axison and line.get_visible()
            low, high = sorted(line.get_transform().transform(line.get_view_interval()))
            for tick in (*line.get_major_ticks(), *line.get_minor_ticks()):
                position = line.get_transform().transform(tick.get_loc())
                if not shown or not low - CLOSE * (high - low) <= position <= high + CLOSE * (high - low):
                    yield from (tick.label1, tick.label2)


def lay_out(figure: Figure, width: float) -> None:
    """Lay out a figure that was drawn for print at a width in inches; its layout is final then."""
    figure.set_figwidth(width)
    figure.set_layout_engine("constrained")
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "constrained_layout not applied")  # what is too wide or low is mended here
        _break_names(figure, width - 2 * MARGIN)
        arrange(figure)
        _break_lines(figure)
        for legend in list(figure.legends):
            _narrow(legend, width - 2 * MARGIN)
        _keep_off_edges(figure)
        if _break_lines(figure):  # what was moved off an edge has less room
            _keep_off_edges(figure)
    figure.set_layout_engine("none")


def _keep_off_edges(figure: Figure) -> None:
    """Arrange the parts of a figure so that nothing touches an edge."""
    width, height = figure.get_size_inches()
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
        wider = [old + max(0.0, more) for old, more in zip((left, below, right, above), beyond, strict=True)]
        if wider[0] + wider[2] > EDGES * width or wider[1] + wider[3] > EDGES * height:
            logger.warning("a name is too long for a figure %.1f cm wide, and is cut off: shorten it", width * INCH)
            break
        left, below, right, above = wider


def arrange(figure: Figure) -> None:
    """Compute the places of all parts of a figure once, as its layout engine does before a drawing, without the drawing."""
    engine = figure.get_layout_engine()
    if figure.axes and engine is not None:
        engine.execute(figure)


def _break_names(figure: Figure, room: float) -> None:
    """Break the names in keys that alone would take most of the room, in inches: the layout has no place for wider ones."""
    for text in itertools.chain.from_iterable(legend.get_texts() for legend in figure.legends):
        needed = text.get_window_extent().width / figure.dpi
        if needed > WIDEST * room:
            text.set_text(_filled(text.get_text(), WIDEST * room / needed))


def _filled(text: str, share: float) -> str:
    """Return a text in lines of this share of its length."""
    return textwrap.fill(text, max(8, int(len(text) * share)))


def _break_lines(figure: Figure) -> bool:
    """Break titles that are wider than their panels, and the labels of axes and figure that are wider than the figure.

    Return whether one was broken.
    """
    texts = [text.get_text() for text in figure.findobj(Text)]
    full_width = figure.get_figwidth() - 2 * MARGIN
    widest = dict.fromkeys(figure.texts, full_width)  # with the labels of the whole figure
    for axis in figure.axes:
        spec = axis.get_subplotspec()
        columns = 1 if spec is None else spec.get_gridspec().ncols
        extent = axis.get_window_extent()
        titles = _room_to_the_right(axis, full_width) if columns == 1 else extent.width / figure.dpi
        widest |= dict.fromkeys(_titles(axis), titles)
        widest[axis.xaxis.label] = full_width if columns == 1 else extent.width / figure.dpi
    for text, room in widest.items():
        needed = text.get_window_extent().width / figure.dpi
        if needed > room > 0 and text.get_text():
            text.set_text(_filled(text.get_text(), room / needed))
    return texts != [text.get_text() for text in figure.findobj(Text)]


def _room_to_the_right(axis: Axes, full_width: float) -> float:
    """Return the room in inches from the left of a panel to what stands to its right, or to the edge."""
    extent = axis.get_window_extent()
    boxes = [neighbour.get_window_extent() for neighbour in axis.figure.axes if neighbour.get_visible()]
    neighbours = [box.x0 for box in boxes if box.x0 >= extent.x1 and box.y0 < extent.y1 and box.y1 > extent.y0]
    return (min([full_width * axis.figure.dpi, *neighbours]) - extent.x0) / axis.figure.dpi


def _titles(axis: Axes) -> list[Text]:
    """Return the titles of a panel: what it draws of text that is no label, and that no study has put into it."""
    return [child for child in axis.get_children() if isinstance(child, Text) and child not in axis.texts]


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
            shown, names, loc="outside upper left", ncols=columns, fontsize=size, handletextpad=0.1
        )
