"""The size and settings of figures, their panels, and the files that they are saved in. Importing it imports matplotlib."""

import io
import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import matplotlib as mpl

mpl.use("agg")
import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure

from relprobe.core.errors import DataError
from relprobe.core.files import Format, ShownTables, whole_file, write_text
from relprobe.core.unmade import REFUSED, in_words
from relprobe.report.figures.fonts import no_glyph_warnings, set_fonts
from relprobe.report.figures.printed import (
    ACROSS,
    SMALLER,
    STYLE,
    WIDE,
    arrange,
    is_too_high,
    panel_columns,
    print_figure,
    print_plainly,
    size_in_print,
)
from relprobe.report.page import FAILED, NOTHING, UNDRAWN
from relprobe.report.widths import LEFT_OUT, width_of

ROW = 0.21
"""The height of a row of agents, in inches."""
WIDTH = 9.6
"""The width of a figure in inches: what a page shows on a laptop without making it smaller."""
MARGIN = 0.04
"""The least space between what is drawn and the edge of the figure, in inches."""
SINGLE = 0.6
"""The width of a figure with panels in one column, as a share of WIDTH: its long labels need more than a third."""
DPI = 150
"""The dots per inch of PNG."""
PRINT_WIDTHS: list[float] = []
"""The widths in centimetres of figures for print, of which the last one counts (`in_print_at`); none: they are for pages."""
logger = logging.getLogger("relprobe")
ATTEMPTS = 4
"""How often a figure is laid out at most, until it holds all that is drawn."""
mpl.rcParams.update(
    {
        "svg.hashsalt": "relprobe",  # the ids are not random, so that equal figures are equal files
        "svg.fonttype": "none",  # text stays text, so that a reader can search it
        "pdf.fonttype": 42,  # publishers refuse fonts of Type 3
        "ps.fonttype": 42,
        "font.size": 9,  # text is of this size or "small"
        "axes.titlesize": "medium",
        "axes.titlelocation": "left",
        "figure.labelsize": "medium",
        "legend.fontsize": "small",
        "legend.frameon": False,
        "lines.linewidth": 1.2,
        "text.parse_math": False,  # a name may have two dollar signs
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

    The suffixes .svg and .png take the place of that of `path`; its folder is made. A figure that is too small for its
    labels and keys becomes larger, so that none is cut off. One that cannot be laid out is saved as it was drawn, and one
    that cannot be saved either is a sentence on that.
    """
    _save_somehow(figure, path.stem, [partial(_laid_out, path=path), partial(_without_layout, path=path)])


def _laid_out(figure: Figure, path: Path) -> None:
    """Write a figure that holds all that is drawn."""
    hold_all(figure)
    _write(figure, path)


def _without_layout(figure: Figure, path: Path) -> None:
    """Write a figure as it was drawn."""
    figure.set_layout_engine("none")
    _write(figure, path)


def _save_somehow(figure: Figure, name: str, savers: Sequence[Callable[[Figure], None]]) -> bool:
    """Save a figure in the first of some ways that does not fail, and else a sentence in its place; close it.

    Say whether the figure itself is saved. What the system refuses, such as a write on a full disk, ends the step.
    """
    with no_glyph_warnings():
        for save in savers:
            try:
                set_fonts(figure)
                save(figure)
            except REFUSED:
                raise
            except Exception as error:
                logger.warning("the figure %s is laid out plainly (%s)", name, in_words(error))
                last = error
            else:
                plt.close(figure)
                return True
        plt.close(figure)
        sentence = _undrawn(name, last)
        set_fonts(sentence)
        savers[0](sentence)
        plt.close(sentence)
    return False


def try_to_draw(name: str, draw: Callable[[], Figure]) -> Figure:
    """Return the figure that `draw` makes; one whose drawing fails is a sentence on that.

    The other figures of a page, and the page, do not wait for it; the page names it, and the run ends with a status that is
    not 0. What the system refuses ends the step.
    """
    open_before = plt.get_fignums()
    try:
        return draw()
    except REFUSED:
        raise
    except Exception as error:
        for number in set(plt.get_fignums()) - {*open_before}:
            plt.close(number)
        return _undrawn(name, error)


def _undrawn(name: str, error: Exception) -> Figure:
    """Return a figure that says why another one is missing, which the log says in full."""
    logger.error("the figure %s cannot be drawn", name, exc_info=error)
    return nothing_to_draw(f"{UNDRAWN} ({in_words(error)}).", FAILED)


def _write(figure: Figure, path: Path) -> None:
    """Write a figure that is laid out as SVG and as PNG."""
    drawn = io.StringIO()
    FigureCanvasSVG(figure).print_svg(drawn, metadata={"Date": None})
    write_text(drawn.getvalue(), path.with_suffix(".svg"))
    figure.dpi = DPI
    with whole_file(path.with_suffix(".png")) as partial:
        FigureCanvasAgg(figure).print_png(partial)


def hold_all(figure: Figure) -> None:
    """Lay out a figure, and make it larger by what is drawn beyond its edges, less MARGIN; its layout is final then.

    The layout keeps the labels of panels inside, but not the labels and keys of the whole figure.
    """
    figure.dpi = DPI  # the widths of letters are rounded to dots
    for _ in range(ATTEMPTS):
        arrange(figure)
        ink, (width, height) = figure.get_tightbbox(), figure.get_size_inches()
        beyond = [MARGIN - ink.x0, MARGIN - ink.y0, ink.x1 + MARGIN - width, ink.y1 + MARGIN - height]
        left, below, right, above = (max(0.0, part) for part in beyond)
        if left + below + right + above < 0.001:
            break
        figure.set_size_inches(width + left + right, height + below + above)
    figure.set_layout_engine("none")  # computing it again takes as long as drawing


def save_all(figures: Iterable[tuple[str, Callable[[], Figure]]], paths: Sequence[Path]) -> None:
    """Draw each named figure, and save it into the file NAME.svg among `paths`, and NAME.png beside it.

    Where `paths` has PDF files, the figures are for print: they have the width that their folder is called by, such as
    8.4cm, and NAME.png is one of the paths or is not made (printed.py). DataError: a path has no figure, or a folder is
    called by no width. KeyError: a figure for a page has no path; one for print is not drawn then.
    """
    unused: dict[str, list[Path]] = {}
    for path in paths:
        unused.setdefault(path.stem, []).append(path)
    all_figures = _with_undrawn(figures, unused)
    if any(path.suffix == ".pdf" for path in paths):
        _print_all(all_figures, unused, paths[0].parent)
    else:
        for name, draw in all_figures:
            save(try_to_draw(name, draw), unused.pop(name)[0])  # which writes the SVG file and the PNG file
    if unused:
        files = ", ".join(str(path) for files in unused.values() for path in files)
        raise DataError(f"there is no figure for {files}: name the same figures in the rule and in the study.")


def _with_undrawn(
    figures: Iterable[tuple[str, Callable[[], Figure]]], unused: Mapping[str, object]
) -> Iterator[tuple[str, Callable[[], Figure]]]:
    """Yield what draws figures; where what lists it fails, a sentence on that for each that is left, by its name."""
    try:
        yield from figures
    except REFUSED:
        raise
    except Exception as error:
        yield from ((name, partial(_undrawn, name, error)) for name in [*unused])


def _print_all(
    figures: Iterable[tuple[str, Callable[[], Figure]]], unused: dict[str, list[Path]], folder: Path
) -> None:
    """Draw and save figures for print, take their names out of `unused`, and list those that cannot be drawn in a file."""
    width, missing = width_of(folder.name), []
    with in_print_at(width):
        for name, draw in figures:
            if name not in unused:  # a manuscript takes some of them
                continue
            figure = try_to_draw(name, draw)
            files = unused.pop(name)
            savers = [partial(save, paths=files, width=width) for save in (print_figure, print_plainly)]
            if not _save_somehow(figure, name, savers) or is_undrawn(figure):
                missing.append(name)
    if missing:
        write_text("\n".join(missing) + "\n", folder / LEFT_OUT)


def is_undrawn(figure: Figure) -> bool:
    """Return whether a figure is the sentence on one that cannot be drawn."""
    return any(text.get_gid() == FAILED for text in figure.texts)


Figures = Annotated[Iterator[tuple[str, Callable[[], Figure]]], Format(write_all=save_all)]
"""Name -> the function that draws a figure; each is drawn, saved and closed before the next one."""


class Exhibits(NamedTuple):
    """The tables and the figures of a page, as the step `show` of a study writes them: the tables, then the figures."""

    tables: ShownTables
    figures: Figures


@contextmanager
def in_print_at(width: float) -> Iterator[None]:
    """Let the figures that are drawn in the block be for print at a width in centimetres."""
    PRINT_WIDTHS.append(width)
    try:
        with mpl.rc_context(STYLE):
            yield
    finally:
        PRINT_WIDTHS.pop()


def panels_in_row(most: int) -> int:
    """Return how many panels of a figure stand beside each other: `most`, or fewer in print, as many as have room."""
    return min(most, panel_columns(PRINT_WIDTHS[-1])) if in_print() else most


def in_print() -> bool:
    """Return whether a figure is drawn for print, where it is less wide than on a page."""
    return bool(PRINT_WIDTHS)


def to_scale(size: float) -> float:
    """Return the width of a line or the size of a marker, in points on a page, at the scale of the figure that is drawn."""
    return size * SMALLER if in_print() else size


def drawn_size(width: float, height: float, columns: int = 1) -> tuple[float, float]:
    """Return the width and the height in inches at which a figure is drawn. `width`, `height`: on a page of HTML.

    In print it is as wide as so many columns of text, of which `in_print_at` says the width.
    """
    return size_in_print(columns * PRINT_WIDTHS[-1], height) if in_print() else (width, height)


def subplots(
    panels: int, columns: int, size: Callable[[int, int], tuple[float, float]], **shared: bool
) -> tuple[Figure, Any]:
    """Return a figure with a grid of panels, and their axes, (lines, columns), of which spare ones are not seen.

    In print it goes across two columns of a page where it would be higher than the page in one. `columns`: panels beside
    each other, at most. `size`: lines, columns -> width and height in inches. `shared`: the arguments sharex and sharey.
    """
    columns = panels_in_row(min(columns, panels))
    in_one_column = columns == 1 < panels and in_print() and 2 * PRINT_WIDTHS[-1] <= ACROSS
    is_wide = in_one_column and is_too_high(size(panels, 1)[1])
    columns = 2 if is_wide else columns
    lines = -(-panels // columns)
    figsize = drawn_size(*size(lines, columns), columns=2 if is_wide else 1)
    figure, axes = plt.subplots(lines, columns, figsize=figsize, squeeze=False, **shared)
    figure.set_gid(WIDE if is_wide else None)
    for axis in axes.flat[panels:]:
        axis.set_visible(False)
    return figure, axes


def nothing_to_draw(sentence: str, kind: str = NOTHING) -> Figure:
    """Return a figure that holds only a sentence: the reason why there is nothing to draw. `kind`: NOTHING or FAILED."""
    figure = plt.figure(figsize=drawn_size(6.4, 0.6))
    figure.text(0.01, 0.5, sentence, va="center").set_gid(kind)
    return figure


def panels(
    titles: Sequence[str], rows_each: int, columns: int = 3, same_rows: bool = True, same_columns: bool = True
) -> tuple[Figure, list[Axes]]:
    """Return a figure of one small panel per title, and the axes of the panels.

    `rows_each`: the number of labelled rows that the height of a panel has room for. `columns`: panels beside each other, at
    most. `same_rows`: do all panels have the same rows? Then only the panels on the left have labels. `same_columns`: have
    they the same horizontal axis?
    """

    def size(lines: int, columns: int) -> tuple[float, float]:
        width = WIDTH / 3 * columns if columns > 1 else SINGLE * WIDTH
        return width, 0.3 + lines * (0.8 + ROW * rows_each)

    figure, axes = subplots(len(titles), columns, size, sharex=same_columns, sharey=same_rows)
    columns = axes.shape[1]
    for column in range(columns):  # the last panel of a column may stand above an empty place
        axes[(len(titles) - 1 - column) // columns, column].tick_params(labelbottom=True)
    for axis, title in zip(axes.flat, titles, strict=False):
        axis.set_title(title)
    return figure, list(axes.flat[: len(titles)])
