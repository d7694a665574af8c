"""The pages of the report. Each page is one self-contained HTML file, which opens without a connection."""

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
"""The links from a study's page to the pages above it: text -> address. The first one is the index."""
SHOWN_ROWS = 10_000
"""The rows of a table that a page shows at most. A browser sorts so many in two seconds."""
PRINTED_ROWS = 100
"""The rows of a table that are printed at most."""
SENTENCE = 40
"""From this number of characters on, a text in a table cell is broken into lines."""


@dataclass(frozen=True)
class Drawing:
    """A figure: its SVG element, and the SVG file that it was read from. The PNG file lies beside that file."""

    element: str
    path: Path


@dataclass(frozen=True)
class Section:
    """A section of a page: a title, a caption, and a figure or a table."""

    id: str  # unique on the page
    title: str
    caption: str  # what to see in the figure or table
    data: str | None  # the CSV file behind the figure or table, relative to the page
    svg: Drawing | None = None
    table: pl.DataFrame | None = None
    link: str | None = None  # the page that the title leads to, relative to the page


def figure(path: Path) -> Drawing:
    """Read an SVG file. The ids in it get the file's name as a prefix, so that figures of one page have different ids."""
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
    """Write a page.

    `lead`: the paragraph below the title. `template`: the Jinja template of all pages. `page`: the HTML file. `links`: the
    links to other pages, text -> address; the first one is the index.
    """
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
    """Return the text of a table cell: numbers with three decimals, tiny ones with an exponent, a dash for None.

    >>> [cell(value) for value in (0.5, 1.2e-9, 10546, None, True)]
    ['0.500', '1.2e-09', '10,546', '–', 'yes']
    """
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.3f}" if value == 0 or abs(value) >= 0.0005 else f"{value:.1e}"
    return f"{value:,}" if isinstance(value, int) else str(value)


def kind(value: object) -> str:
    """Return the CSS class of a table cell, which decides its alignment and how the page sorts it.

    >>> [kind(value) for value in (0.5, None, "robin")]
    ['number', 'missing', 'word']
    """
    if value is None:
        return "missing"
    if isinstance(value, int | float) and not isinstance(value, bool):
        return "number"
    return "word sentence" if len(str(value)) >= SENTENCE else "word"
