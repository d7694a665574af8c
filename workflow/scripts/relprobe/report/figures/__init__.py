"""The drawing functions, colours and settings that the figures of all studies share. Importing it imports matplotlib."""

from relprobe.report.figures.along import Looks, layer_figures, lines_along
from relprobe.report.figures.areas import (
    ON_COLOUR,
    PALETTE,
    cells,
    count_label,
    label_columns,
    line_colour,
    part_colours,
    parts,
    short,
)
from relprobe.report.figures.canvas import ROW, WIDTH, Exhibits, Figures, nothing_to_draw, panels, save, save_all
from relprobe.report.figures.rows import Bounds, dot, dots, family_key, label_rows, mark, marker, spread_places

__all__ = [
    "ON_COLOUR",
    "PALETTE",
    "ROW",
    "WIDTH",
    "Bounds",
    "Exhibits",
    "Figures",
    "Looks",
    "cells",
    "count_label",
    "dot",
    "dots",
    "family_key",
    "label_columns",
    "label_rows",
    "layer_figures",
    "line_colour",
    "lines_along",
    "mark",
    "marker",
    "nothing_to_draw",
    "panels",
    "part_colours",
    "parts",
    "save",
    "save_all",
    "short",
    "spread_places",
]
