"""The pages of the report: each one self-contained HTML file that opens offline."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import jinja2
import polars as pl

from relprobe.files import whole_file


@dataclass(frozen=True)
class Section:
    """A part of the page: a title, a caption that says what to see, and a figure or a table with the file behind it.

    `data` and `link`, the page that the title leads to, are relative to the page.
    """

    id: str
    title: str
    caption: str
    data: str
    svg: str | None = None
    table: pl.DataFrame | None = None
    link: str | None = None


def figure(path: Path) -> str:
    """Return an SVG file as an element to put into the page, its ids made unique by the file's name."""
    text = path.read_text(encoding="utf-8")
    text = text[text.index("<svg") :]
    return (
        text.replace('id="', f'id="{path.stem}-')
        .replace('"#', f'"#{path.stem}-')
        .replace("url(#", f"url(#{path.stem}-")
    )


def write(title: str, lead: str, sections: Sequence[Section], template: Path, page: Path) -> None:
    """Render the sections into one page."""
    environment = jinja2.Environment(
        autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters["cell"] = cell
    html = environment.from_string(template.read_text(encoding="utf-8")).render(
        title=title, lead=lead, sections=sections
    )
    with whole_file(page) as partial:
        partial.write_text(html, encoding="utf-8")


def cell(value: object) -> str:
    """Write a table cell: numbers to three decimals or, if tiny, in powers of ten; a missing value is a dash."""
    if value is None:
        return "–"
    if isinstance(value, float):
        return f"{value:.3f}" if value == 0 or abs(value) >= 0.0005 else f"{value:.1e}"
    return f"{value:,}" if isinstance(value, int) else str(value)
