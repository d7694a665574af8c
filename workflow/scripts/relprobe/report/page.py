"""The pages of the report. Each page is one self-contained HTML file, which opens without a connection."""

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from html import escape, unescape
from itertools import zip_longest
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import jinja2
import polars as pl

from relprobe.core.files import write_text
from relprobe.core.software import made_with
from relprobe.report.agent_styles import SCHEMES
from relprobe.report.columns import later
from relprobe.report.light import pack, slim, with_classes
from relprobe.report.words.headline import Headline
from relprobe.report.words.readable import in_digits, minus, readable

ABOVE = {"All studies": "../report.html", "The papers' values beside this run": "../published.html"}
"""The links from a study's page to the pages above it: text -> address. The first one is the index."""
SHOWN_ROWS = 10_000
"""The rows of a table that a page has at most. A browser sorts so many in two seconds."""
WHOLE_ROWS = 50
"""The rows of a table that a page shows at once; of a longer one it shows the FIRST_ROWS, and the others on request."""
FIRST_ROWS = 10
PRINTED_ROWS = 30
"""The rows of a table that are printed at most."""
DIGITS = 4
"""The digits of a number by which a page sorts: those of the data file are too many to be read."""
ROUNDING = 1e-12
LARGEST = 1e15
"""From this number on, a float is no exact number of things."""
P_COLUMN = r"(^|_)p(_|$)"
"""What the names of columns with p-values look like."""
SENTENCE = 40
"""From this number of characters on, a text in a table cell is broken into lines."""
VERBATIM = "text"
"""The column whose texts are shown as they were sent."""
NOTHING = "nothing-to-draw"
"""The id in an SVG file of a sentence that stands in place of a figure without values."""
FAILED = "not-drawn"
"""The id of such a sentence where the drawing of a figure failed."""
UNDRAWN = "This figure could not be drawn"
"""How that sentence begins."""
LISTS = ("lost", "top_")
"""How the names of columns begin whose texts hold codes among other words."""


@dataclass(frozen=True)
class Drawing:
    """A figure: its SVG element, and the SVG file that it was read from. The PNG file lies beside that file."""

    element: str
    path: Path
    absence: str | None = None  # why it has no values, or could not be drawn
    failed: bool = False  # whether it could not be drawn


Row = Mapping[str, Any]
Address = Callable[[Row, str], str | None]
"""The row of a table and the name of a column -> the address that its cell leads to, relative to the page."""


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
    part: str = ""  # the part of the page that it is folded away in; empty: it is to be seen at once
    words: str = ""  # what the figure shows, in words, for those who do not see it
    address: Address | None = None  # of the cells of the table
    notice: str = ""  # what is said below the caption, in a box
    more: str = ""  # what else is to be known, folded away below the caption
    links: Mapping[str, str] = field(default_factory=dict)  # text -> address, below the figure
    items: Sequence[str] = ()  # a list below the caption
    card: bool = False  # whether it stands for a page of its own, on the front page
    code_names: Mapping[str, str] = field(default_factory=dict)  # code -> name, of the cells of the table
    meanings: Mapping[str, str] = field(default_factory=dict)  # column of the table -> what it means
    decimals: Sequence[int | None] = ()  # those of the numbers of each row; None, or no entry: as `cell` has them
    tested: int | None = None  # the row of the table with the test behind the finding


@dataclass(frozen=True)
class Around:
    """What a page has around its sections.

    `run`: the title of the run in its configuration; empty: the name of its folder. `headline`: what came out, in place of
    the lead, which is folded away then. `reading`: how to read the page, paragraphs that are folded away. `columns`: what
    the columns of the tables mean, folded away at the end. `notice`: what is said below the finding, in a box. `left_out`:
    the title of what the page does not have -> why, at its end. `origins`: where models and data of the run are listed;
    empty: on the index.
    """

    run: str = ""
    headline: Headline | None = None
    reading: Sequence[str] = ()
    columns: Mapping[str, str] = field(default_factory=dict)
    notice: str = ""
    left_out: Mapping[str, str] = field(default_factory=dict)
    origins: str = ""
    verdicts_of: str = ""  # the id of the section with all tests behind the small table
    tested_in: str = ""  # the id of the section with the row of the test behind the finding
    names: Mapping[str, str] = field(default_factory=dict)  # code -> name, of what stands in the small table
    renew: int = 0  # after so many seconds a browser reads the page again; 0: never


def run_line(run: str) -> tuple[str, str]:
    """Return the title of a run, or of the folder that it is in, and the date of today, such as 27 November 2026."""
    day = datetime.now(tz=UTC).astimezone()
    return run or Path.cwd().name, f"{day.day} {day:%B %Y}"


USELESS = r"(?m)^ +|<!--.*?-->\n?|font-family: [^;\"]*; ?| transform=\"rotate\(-0 [^)]*\)\""
"""What a figure within a page does not need: indents, comments, and the names of fonts, as it has those of the page."""


def figure(path: Path, folder: str = "") -> Drawing:
    """Read an SVG file into an element of a page.

    `folder`: from the page to the folder of the study, such as "relations/", if the page is not in that folder itself.

    The ids in it get the file's name as a prefix, so that figures of one page have different ids. What belongs to an agent
    (`figures.rows.mark`) gets the attribute data-agent, links go from the folder of the page, and colours follow the scheme.
    """
    text = path.read_text(encoding="utf-8")
    text = text[text.index("<svg") :]
    prefix = f"{folder.replace('/', '-')}{path.stem}"
    unique = re.sub(r'(\bid="|\bhref="#|url\(#)', rf"\g<1>{prefix}-", text)
    named = re.sub(r'id="([^"=]*)agent=([^"=]*)=(\d+)"', _agent_address, unique)
    linked = re.sub(
        r'<a xlink:href="\.\./([^"]*)" target="_blank">', rf'<a tabindex="-1" xlink:href="{folder}\1">', named
    )
    colours = "|".join(SCHEMES)
    coloured = re.sub(rf": ({colours})\b", lambda match: f": var(--{SCHEMES[match[1]]}, {match[1]})", linked)
    absent = re.search(rf'<g id="({NOTHING}|{FAILED})">.*?<text[^>]*>(.*?)</text>', text, re.DOTALL)
    element = slim(re.sub(USELESS, "", coloured))
    return Drawing(element, path, unescape(absent[2]), absent[1] == FAILED) if absent else Drawing(element, path)


def _agent_address(match: re.Match[str]) -> str:
    return f'id="{match[1]}{match[3]}" data-agent="{escape(unquote(match[2]))}"'


def write(
    title: str,
    lead: str,
    sections: Sequence[Section],
    template: Path,
    page: Path,
    links: Mapping[str, str] = ABOVE,
    around: Around | None = None,
) -> None:
    """Write a page.

    `lead`: the paragraph below the title. `template`: the Jinja template of all pages. `page`: the HTML file. `links`: the
    links to other pages, text -> address; the first one is the index. `around`: what else it has around its sections. The
    sections of one part (`Section.part`) follow those without in one folded box.
    """
    surroundings = around or Around()
    run, date = run_line(surroundings.run)
    environment = jinja2.Environment(
        autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters.update(
        kind=kind,
        cell=cell,
        rows=rows,
        later=later,
        pack=pack,
        sorted_by=sorted_by,
        head=head,
        marked=markup,
        coded=with_columns_as_code,
        verdicts=_shown_verdicts,
        blanks=blanks,
        from_page=lambda path: os.path.relpath(path, page.parent),
    )
    html = environment.from_string(template.read_text(encoding="utf-8")).render(
        title=title,
        lead=lead,
        run=run,
        date=date,
        about=surroundings,
        origins=surroundings.origins or (f"{next(iter(links.values()))}#sources" if links else ""),
        parts=_parts(sections),
        links=links,
        foot=made_with(),
        shown_rows=SHOWN_ROWS,
        printed_rows=PRINTED_ROWS,
        whole_rows=WHOLE_ROWS,
        first_rows=FIRST_ROWS,
    )
    write_text(with_classes(html), page)


def _shown_verdicts(table: pl.DataFrame, names: Mapping[str, str]) -> pl.DataFrame:
    """Return the small table of a headline with names for codes, and without a column in which all rows say the same.

    The verdict stands beside what it is of, before the numbers: a narrow window shows the first columns alone.
    """
    spelled = table.with_columns(
        pl.col("condition", "best control").map_elements(lambda text: spell(text, names), return_dtype=pl.String)
    )
    spelled = spelled.drop("condition") if spelled["condition"].n_unique() == 1 else spelled
    subject = [name for name in ("agent", "condition") if name in spelled.columns]
    return spelled.select(*subject, "verdict", pl.exclude(*subject, "verdict", "kind"))


def _parts(sections: Sequence[Section]) -> dict[str, list[Section]]:
    """Return the sections by the part that they are folded away in; those that are not come first, under ""."""
    parts: dict[str, list[Section]] = {"": []}
    for section in sections:
        parts.setdefault(section.part, []).append(section)
    return parts


def rows(section: Section) -> Iterator[list[tuple[str, Any, str, str | None]]]:
    """Yield the rows of a section's table that a page shows: of each cell its column, value, text and address, if any.

    A code that has a name (`Section.code_names`) stands by its name, and tokens stand as a reader can read them.
    """
    assert section.table is not None
    shown = section.table.head(SHOWN_ROWS).iter_rows(named=True)
    for row, decimals in zip_longest(shown, section.decimals[:SHOWN_ROWS]):
        texts = {name: _text(value, name, section.code_names, decimals) for name, value in row.items()}
        yield [(name, value, texts[name], _address(section, row, name)) for name, value in row.items()]


def _text(value: object, column: str, names: Mapping[str, str], decimals: int | None) -> str:
    text = cell(value, column, decimals)
    if not isinstance(value, str) or column == VERBATIM:
        return text
    if column.startswith(LISTS):
        return re.sub(r"[A-Z]+", lambda match: names.get(match[0], match[0]), readable(text))
    return spell(readable(text), names)


def _address(section: Section, row: Mapping[str, Any], name: str) -> str | None:
    """Return the address of a cell from the study's page; those of studies are from the folder of its figures."""
    address = section.address(row, name) if section.address else None
    return None if address is None else address.removeprefix("../")


def spell(text: str, names: Mapping[str, str]) -> str:
    """Return the name of a code, or of the code that a text begins with.

    >>> [spell(text, {"ANT": "antonymy"}) for text in ("ANT", "ANT, k = 5", "ANTS")]
    ['antonymy', 'antonymy, k = 5', 'ANTS']
    """
    code, comma, detail = text.partition(",")
    return f"{names[code]}{comma}{detail}" if code in names else text


def head(column: str, names: Mapping[str, str]) -> str:
    """Return what stands above a column: its name with blanks, or the name of the code that it is."""
    return spell(column, names).replace("_", " ")


def cell(value: object, column: str = "", decimals: int | None = None) -> str:
    """Return the text of a table cell: whole numbers without decimals, others with three, tiny ones with an exponent.

    A float below 1e-12 is a zero that rounding has missed, unless the `column` holds a p, which may be as small.
    `decimals`: those of all floats, if they are given.

    >>> [cell(value) for value in (0.5, 7.0, 1.2e-9, -1e-17, -10546, None, True)]
    ['0.500', '7', '1.2e−09', '0', '−10,546', '–', 'yes']
    >>> cell(1e-17, "paper_p"), cell(22.5, decimals=2), cell(-0.001, decimals=2)
    ('1.0e−17', '22.50', '0.00')
    """
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return minus(_decimal(value, column)) if decimals is None else in_digits(value, decimals)
    return minus(f"{value:,}") if isinstance(value, int) else str(value)


def _decimal(value: float, column: str) -> str:
    if value == 0 or (abs(value) < ROUNDING and not re.search(P_COLUMN, column)):
        return "0"
    if value.is_integer() and abs(value) < LARGEST:
        return f"{value:,.0f}"
    return f"{value:.3f}" if abs(value) >= 0.0005 else f"{value:.1e}"


def sorted_by(value: float) -> str:
    """Return a number as the page sorts by it.

    >>> sorted_by(0.0365079365079365), sorted_by(12), sorted_by(123456789), sorted_by(1e-17)
    ('0.03651', '12', '123456789', '1e-17')
    """
    return str(value) if isinstance(value, int) else f"{value:.{DIGITS}g}"


def markup(text: str) -> str:
    """Return a text as HTML: what stands between backticks is code, and an address is a link.

    >>> markup("`ties` < 2: see https://osf.io/8erx6.")
    '<code>ties</code> &lt; 2: see <a href="https://osf.io/8erx6">https://osf.io/8erx6</a>.'
    """
    code = re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text, quote=False))
    return re.sub(r"https?://[^\s<]*[^\s<.,;:)]", r'<a href="\g<0>">\g<0></a>', code)


def with_columns_as_code(text: str, section: Section) -> str:
    """Return a text on a table as HTML (`markup`): names of its columns are code, whose tooltip says what they mean.

    A name counts as one if it has an underscore or an @, or if a colon follows it; others may be plain words.

    >>> table = pl.DataFrame({"p_holm": [0.5], "value": [1.0]})
    >>> meant = {"p_holm": "p, adjusted", "value": "the mean"}
    >>> section = Section("x", "X", "", None, table=table, meanings=meant)
    >>> print(with_columns_as_code("By p_holm, where the value is large.", section))
    By <code title="p, adjusted">p holm</code>, where the value is large.
    """
    html = markup(text)
    if section.table is None:
        return html
    for name in sorted(section.table.columns, key=len, reverse=True):
        plain = re.escape(name) + ("" if re.search("[_@]", name) else "(?=:)")
        pattern = rf"(?<![\w@>\-]){plain}(?![\w@])(?![^<]*(?:>|</code>|</a>))"
        meant = section.meanings.get(name, "")
        tooltip = f' title="{escape(meant)}"' if meant else ""
        shown = escape(head(name, section.code_names))
        html = re.sub(pattern, lambda _, code=f"<code{tooltip}>{shown}</code>": code, html)  # type: ignore[misc]
    return html


def blanks(html: str) -> str:
    """Return HTML with blanks for underscores but in code, so that names of columns read as on the page.

    >>> blanks("own_units: those of <code>own_units</code>")
    'own units: those of <code>own_units</code>'
    """
    parts = re.split(r"(<code>.*?</code>|<a [^>]*>)", html)
    return "".join(part if part.startswith("<") else part.replace("_", " ") for part in parts)


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
