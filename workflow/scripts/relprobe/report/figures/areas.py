"""Coloured areas in a figure: the parts of bars, and the cells of heat maps, each with a text that can be read on it."""

import colorsys
from collections.abc import Mapping, Sequence

import matplotlib as mpl
import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.patches import Patch, Rectangle
from matplotlib.typing import ColorType

from relprobe.report.agent_styles import SCHEMES
from relprobe.report.figures.canvas import to_scale
from relprobe.report.figures.rows import label_rows, mark
from relprobe.report.words.readable import in_digits

PALETTE = ("#0072B2", "#56B4E9", "#009E73", "#F0E442", "#D55E00", "#CC79A7")
"""Six colours of Okabe and Ito for the parts of a whole; `part_colours` has more."""
GOLDEN_RATIO = 0.618034
"""The step from hue to hue, in turns of the colour wheel: hues at its multiples lie far apart, however many there are."""
LIGHTNESS = (0.3, 0.55, 0.8)
LIGHT, DARKER = 0.6, 0.7
"""The luminance from which on a line is hard to see on white, and the share of its colour that it has then."""
ON_COLOUR = {"black": "#010101", "white": "#fefefe"}
"""The inks of text on a coloured cell. A page swaps black and white in the dark scheme, but not these."""
FAINT = {"facecolor": "#fdfdfd", "edgecolor": "#d8d8d8", "hatch": "////"}
"""The look of a cell over few units. A page keeps it in the dark scheme, where a cell without colour would be dark."""
FAINT_INK = "#767676"
"""The ink of the text of such a cell."""


def part_colours(count: int) -> list[str]:
    """Return `count` distinct colours for the parts of a whole: those of PALETTE first, then further hues as "#rrggbb".

    >>> part_colours(6) == list(PALETTE), part_colours(8)[6:]
    (True, ['#7a1f1f', '#4770d1'])
    """
    further = range(count - len(PALETTE))
    hues = [(number * GOLDEN_RATIO % 1, LIGHTNESS[number % len(LIGHTNESS)], 0.6) for number in further]
    return [*PALETTE[:count], *(mpl.colors.to_hex(colorsys.hls_to_rgb(*hue)) for hue in hues)]


def label_columns(axis: Axes, labels: Sequence[str]) -> None:
    """Label the columns of cells from left to right, with whole words, which stand at an angle."""
    axis.set_xticks(range(len(labels)), labels, rotation=40, ha="right", rotation_mode="anchor", fontsize="small")


def count_label(name: str, count: int) -> str:
    """Return the label of what a number of things are behind, if any are: "antonymy, 42"."""
    return f"{name}, {count:,}" if count else name


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
        rows = axis.barh(
            range(len(names)), widths, left=left, color=fixed_colour(colour), edgecolor="#fefefe", label=part
        )
        for name, bar in zip(names, rows, strict=True):
            if (name, part) in links:
                mark(bar, name, links[name, part])
        for row, (start, width) in enumerate(zip(left, widths, strict=True)):
            if width >= 0.06:
                axis.text(start + width / 2, row, part, ha="center", va="center", fontsize="small", color=ink(colour))
        left = [start + width for start, width in zip(left, widths, strict=True)]
    label_rows(axis, names, marked={name for name, _ in links})


def fixed_colour(colour: ColorType) -> str:
    """Return a colour that means a value or a part as "#rrggbb", one step beside those that a page swaps when it is dark.

    >>> fixed_colour("#ffffff"), fixed_colour("#0072B2"), fixed_colour("#123456")
    ('#fffffe', '#0072b3', '#123456')
    """
    code = str(mpl.colors.to_hex(colour)).lower()
    if code not in SCHEMES:
        return code
    blue = int(code[5:], 16)
    return f"{code[:5]}{blue + (1 if blue < 255 else -1):02x}"


def ink(colour: ColorType) -> str:
    """Return the ink that is easier to read on a colour: one of ON_COLOUR."""
    return ON_COLOUR["black" if luminance(colour) > 0.18 else "white"]


def luminance(colour: ColorType) -> float:
    """Return the relative luminance of a colour (WCAG 2): 0 for black, 1 for white."""
    red, green, blue = (part**2.2 for part in mpl.colors.to_rgb(colour))
    return float(0.2126 * red + 0.7152 * green + 0.0722 * blue)


def line_colour(colour: ColorType) -> str:
    """Return a colour that a line can have on white: one as light as the yellow of PALETTE is mixed with black.

    >>> line_colour("#0072B2"), line_colour("#F0E442")
    ('#0072b2', '#a8a02e')
    """
    parts = mpl.colors.to_rgb(colour)
    share = DARKER if luminance(colour) > LIGHT else 1.0
    return str(mpl.colors.to_hex([share * part for part in parts]))


def short(value: float) -> str:
    """Write a value from -1 to 1 with two decimals and without the zero before the point.

    >>> short(0.347), short(-0.031), short(-0.001), short(1.0)
    ('.35', '−.03', '.00', '1.00')
    """
    return in_digits(value, 2).replace("0.", ".", 1)


def cells(
    axis: Axes,
    values: Sequence[Sequence[float | None]],
    colours: str,
    limits: tuple[float, float],
    texts: Sequence[Sequence[str]],
    faint: Sequence[Sequence[bool]] | None = None,
) -> list[list[Patch]]:
    """Draw a table of coloured cells with a text in each, and return the cells, by rows, for `mark`.

    `colours`: the name of a colour map from the lower to the upper limit. A cell of None has no colour. One that is `faint`
    is light and hatched, with a grey text, in both schemes of a page: no value of the map looks like it.
    """
    shades = mpl.colormaps[colours]
    low, high = limits
    drawn: list[list[Patch]] = []
    for i, row in enumerate(values):
        drawn.append([])
        for j, value in enumerate(row):
            if value is None:
                patch, colour = {"facecolor": "none", "edgecolor": "#fefefe"}, "black"
            elif faint is not None and faint[i][j]:
                patch, colour = FAINT, FAINT_INK
            else:
                face = fixed_colour(shades((value - low) / (high - low)))
                patch, colour = {"facecolor": face, "edgecolor": "#fefefe"}, ink(face)
            cell = axis.add_patch(Rectangle((j - 0.5, i - 0.5), 1, 1, linewidth=to_scale(0.5), **patch))  # type: ignore[arg-type]
            axis.text(j, i, texts[i][j], ha="center", va="center", fontsize="small", color=colour)
            drawn[-1].append(cell)
    columns = max(map(len, values), default=0)
    axis.set(xlim=(-0.5, columns - 0.5), ylim=(len(values) - 0.5, -0.5))
    axis.tick_params(length=0)
    axis.grid(visible=False)
    plt.setp(axis.spines.values(), visible=False)
    return drawn
