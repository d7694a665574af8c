"""The pages of the report: each one self-contained HTML file that opens offline."""

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import jinja2
import polars as pl

from relprobe.core.files import whole_file
from relprobe.core.software import made_with

ABOVE = {"All studies": "../report.html", "Published and reproduced": "../published.html"}
"""From a study's page to those above it: what a link says -> where it leads, the index first."""
SHOWN_ROWS = 10_000
"""Of a table, on the page: so many are sorted in some two seconds."""
PRINTED_ROWS = 100
"""Of a table, on paper."""
SENTENCE = 40
"""Letters from which a text in a table is broken into lines."""


@dataclass(frozen=True)
class Drawing:
    """A figure as an SVG element, and the file it came from; its PNG lies beside that."""

    element: str
    path: Path


@dataclass(frozen=True)
class Section:
    """A part of the page: a title, a caption that says what to see, and a figure or a table with the file behind it.

    `data` and `link`, the page that the title leads to, are relative to the page.
    """

    id: str
    title: str
    caption: str
    data: str | None
    svg: Drawing | None = None
    table: pl.DataFrame | None = None
    link: str | None = None


def figure(path: Path) -> Drawing:
    """Return an SVG file as an element to put into the page, its ids made unique by the file's name."""
    text = path.read_text(encoding="utf-8")
    text = text[text.index("<svg") :]
    unique = re.sub(r'(\bid="|\bhref="#|url\(#)', rf"\g<1>{path.stem}-", text)
    return Drawing(unique, path)


def write(
    title: str,
    lead: str,
    sections: Sequence[Section],
    template: Path,
    page: Path,
    links: Mapping[str, str] = ABOVE,
) -> None:
    """Render the sections into one page, with `links` to other pages, the index first."""
    environment = jinja2.Environment(
        autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters.update(cell=cell, kind=kind, from_page=lambda path: os.path.relpath(path, page.parent))
    html = environment.from_string(template.read_text(encoding="utf-8")).render(
        title=title,
        lead=lead,
        sections=sections,
        links=links,
        foot=made_with(),
        shown_rows=SHOWN_ROWS,
        printed_rows=PRINTED_ROWS,
    )
    with whole_file(page) as partial:
        partial.write_text(html, encoding="utf-8")


def cell(value: object) -> str:
    """Write a table cell: numbers to three decimals or, if tiny, in powers of ten; a missing value is a dash."""
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.3f}" if value == 0 or abs(value) >= 0.0005 else f"{value:.1e}"
    return f"{value:,}" if isinstance(value, int) else str(value)


def kind(value: object) -> str:
    """Return the class of a table cell, by which it is set and sorted."""
    if value is None:
        return "missing"
    if isinstance(value, int | float) and not isinstance(value, bool):
        return "number"
    return "word sentence" if len(str(value)) >= SENTENCE else "word"
