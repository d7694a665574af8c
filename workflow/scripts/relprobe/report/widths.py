"""The widths of figures in print, as a configuration and the names of folders write them: 8.4cm, 84mm or 3.3in."""

import re

from relprobe.core.errors import DataError

INCH = 2.54
"""Centimetres."""
WIDTHS = (4.0, 60.0)
"""The least and the greatest width, in centimetres."""
WIDTH = re.compile(r"(\d+(?:\.\d+)?) ?(cm|mm|in)\Z")
UNITS = {"cm": 1.0, "mm": 0.1, "in": INCH}

LEFT_OUT = "left-out.txt"
"""The file beside figures for print that names those which could not be drawn."""


def width_of(text: str) -> float:
    """Return a width in centimetres. DataError: the text is no width, or not one of a page.

    >>> width_of("8.4cm"), width_of("84 mm"), width_of("3.5in")
    (8.4, 8.4, 8.89)
    """
    match = WIDTH.match(text)
    if not match:
        raise DataError(f"{text!r} is no width: write a number with its unit, such as 8.4cm, 84mm or 3.3in.")
    width = round(float(match[1]) * UNITS[match[2]], 6)
    least, most = WIDTHS
    if not least <= width <= most:
        raise DataError(f"{text} is no width of a figure: it should be between {least:g} and {most:g} cm.")
    return width
