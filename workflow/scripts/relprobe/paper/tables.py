"""The tables of a study that its page shows first, in LaTeX (booktabs) and in HTML, and the captions of its figures."""

import itertools
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from html import escape
from pathlib import Path

import polars as pl

from relprobe.core.files import Parquet, whole_folder, write_text
from relprobe.core.unmade import made_tables
from relprobe.paper.latex import literal, paragraph, with_engine
from relprobe.report.columns import later
from relprobe.report.exhibits import Figure
from relprobe.report.page import Section, blanks, head, markup, rows
from relprobe.report.page_words import words_of
from relprobe.report.published import decimals, page_table
from relprobe.report.shown import page_of
from relprobe.report.study import code_names, sections
from relprobe.report.words.readable import with_end

PUBLISHED = "published"
"""The table of the paper's values beside ours."""
SHOWN = ("overview", "controls", PUBLISHED)
"""The tables of a manuscript: the values of all agents, the tests behind the first sentences, and the paper's values."""
ROWS = 45
"""The rows of a table on a page, above which it goes on in the next one."""
NARROW = 4
"""The most columns of a table that stands in one column of text."""
Cells = list[list[str]]


@dataclass(frozen=True)
class Sheet:
    """A table as a manuscript has it: `cells` are the texts of the page, `numbers` says which columns hold numbers."""

    name: str
    title: str
    caption: str
    heads: list[str]
    cells: Cells
    numbers: list[bool]


def tables(tables: dict[str, Parquet], out: Path, *, study: str, has: dict[str, bool]) -> None:
    """Write the tables of a study into a folder, as NAME.tex and NAME.html; those without rows are left out.

    The folder also has the captions of the study's figures, which are those of its page: captions.tex and captions.md.

    `tables`: those of the study's page. `has`: name of the page's `may_lack` -> whether the run has that.
    """
    tables = made_tables(tables)
    with whole_folder(out) as folder:
        for sheet in sheets(tables, study, has):
            write_text(in_latex(sheet, study), folder / f"{sheet.name}.tex")
            write_text(in_html(sheet), folder / f"{sheet.name}.html")
        for form, write in CAPTIONS.items():
            captions = "".join(write(study, figure) for figure in figures_of(study, has))
            write_text(with_engine(captions) if form == "tex" else captions, folder / f"captions.{form}")


def figures_of(study: str, has: Mapping[str, bool]) -> list[Figure]:
    """Return the figures of a study's page in this run, with their titles and captions."""
    return [exhibit for exhibit in page_of(study).in_run(has).exhibits if isinstance(exhibit, Figure)]


def caption_in_latex(study: str, figure: Figure) -> str:
    r"""Return a command of LaTeX that stands for the caption of a figure; its name has letters alone.

    >>> print(caption_in_latex("relations", Figure("layers_soundness", "Soundness", "Of each layer, by `layer`.")), end="")
    \newcommand{\RelationsLayersSoundness}{Soundness. Of each layer, by \texttt{layer}.}
    """
    words = re.sub(r"\d", lambda digit: f"_{DIGITS[int(digit[0])]}_", f"{study}_{figure.name}")
    name = "".join(word.capitalize() for word in re.split(r"[^A-Za-z]+", words))
    return rf"\newcommand{{\{name}}}{{{literal(with_end(figure.title))} {paragraph(figure.caption)}}}" + "\n"


def caption_in_markdown(study: str, figure: Figure) -> str:
    """Return a paragraph that names a figure and has its caption.

    >>> print(caption_in_markdown("relations", Figure("overview", "All metrics", "A row per agent.")), end="")
    `figures/relations/…/overview`: **All metrics.** A row per agent.
    <BLANKLINE>
    """
    return f"`figures/{study}/…/{figure.name}`: **{with_end(figure.title)}** {figure.caption}\n\n"


DIGITS = ("Zero", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine")
CAPTIONS = {"tex": caption_in_latex, "md": caption_in_markdown}
"""The end of a file of captions -> what writes one of them."""


def sheets(tables: Mapping[str, pl.DataFrame], study: str, has: Mapping[str, bool]) -> Iterator[Sheet]:
    """Yield the tables of SHOWN that have rows, with the columns that the page shows at first, and its texts."""
    page = page_of(study)
    page_words = words_of(study)
    chosen = [exhibit for exhibit in page.available(has) if exhibit.name in SHOWN]
    wanted = {name: _comparable(table) if name == PUBLISHED else table for name, table in tables.items()}
    for section in sections(chosen, wanted, {}, page_words, page, code_names(page_words, tables)):
        name = section.id.removeprefix("table-")
        yield sheet(name, _as_published(section) if name == PUBLISHED else section)


def _comparable(published: pl.DataFrame) -> pl.DataFrame:
    """Return the rows of the paper's figures that this run has, too."""
    return published.filter(
        pl.col("ours").is_not_null(), pl.any_horizontal(pl.col("value", "low", "high").is_not_null())
    )


def _as_published(section: Section) -> Section:
    """Return the paper's figures in the form of the page published.html."""
    assert section.table is not None
    digits = decimals(section.table)
    return replace(section, table=page_table(section.table, digits), decimals=digits)


def sheet(name: str, section: Section) -> Sheet:
    """Return a section of a page as a table of a manuscript."""
    assert section.table is not None
    hidden = later(section.table)
    columns = [column for column in section.table.columns if column not in hidden]
    cells = [[text for column, _, text, _ in row if column in columns] for row in rows(section)]
    numbers = [section.table.schema[column].is_numeric() for column in columns]
    heads = [head(column, section.code_names) for column in columns]
    return Sheet(name, section.title, section.caption, heads, cells, numbers)


def in_latex(sheet: Sheet, study: str) -> str:
    """Return a table as floats of LaTeX, which need the packages booktabs and graphicx; a long one has several.

    A decimal point stands below the other. A table that is wider than the text is made smaller.
    """
    parts = [_float(sheet, chunk, number, study) for number, chunk in enumerate(_chunks(sheet.cells))]
    return with_engine("\n".join(["% \\usepackage{booktabs,graphicx}", *parts]))


def _chunks(cells: Cells) -> Iterator[Cells]:
    """Yield the rows that fit on a page; a part ends where the first column has another text, if that is not far.

    >>> [len(chunk) for chunk in _chunks([[str(row // 40)] for row in range(100)])]
    [40, 40, 20]
    """
    start = 0
    while start < len(cells):
        stop = min(start + ROWS, len(cells))
        if stop < len(cells):
            changes = [row for row in range(start + ROWS // 2, stop + 1) if cells[row][0] != cells[row - 1][0]]
            stop = changes[-1] if changes else stop
        yield cells[start:stop]
        start = stop


def _float(sheet: Sheet, cells: Cells, part: int, study: str) -> str:
    kind = "table*" if len(sheet.heads) > NARROW else "table"
    width = r"\textwidth" if len(sheet.heads) > NARROW else r"\columnwidth"
    title = literal(sheet.title)
    caption = f"{title} (continued)." if part else f"{with_end(title)} {paragraph(sheet.caption)}"
    again = [r"\addtocounter{table}{-1}"] if part else []
    label = [] if part else [rf"\label{{tab:{study}-{sheet.name}}}"]
    points = {
        column: any("." in row[column] for row in sheet.cells) for column, number in enumerate(sheet.numbers) if number
    }
    return "\n".join(
        [
            *(rf"\begin{{{kind}}}[tp]", *again, r"\centering\footnotesize", rf"\caption{{{caption}}}", *label),
            rf"\resizebox{{\ifdim\width>{width} {width}\else\width\fi}}{{!}}{{%",
            rf"\begin{{tabular}}{{{''.join(_column(sheet, column, points) for column in range(len(sheet.heads)))}}}",
            *(r"\toprule", _row(_head(sheet, column, points) for column in range(len(sheet.heads))), r"\midrule"),
            *_lines(cells, points),
            *(r"\bottomrule", r"\end{tabular}}", rf"\end{{{kind}}}", ""),
        ]
    )


def _column(sheet: Sheet, column: int, points: Mapping[int, bool]) -> str:
    if not sheet.numbers[column]:
        return "l"
    return "r@{}l" if points[column] else "r"


def _head(sheet: Sheet, column: int, points: Mapping[int, bool]) -> str:
    text = literal(sheet.heads[column])
    return rf"\multicolumn{{2}}{{r}}{{{text}}}" if points.get(column) else text


def _lines(cells: Cells, points: Mapping[int, bool]) -> Iterator[str]:
    """Yield the rows, with a little space before each new text of the first column, if it is not new in each row."""
    groups = [list(group) for _, group in itertools.groupby(cells, key=lambda row: row[0])]
    for number, group in enumerate(groups):
        if number and len(groups) < len(cells):
            yield r"\addlinespace"
        for row in group:
            yield _row(_cell(text, points.get(column)) for column, text in enumerate(row))


def _cell(text: str, decimal: bool | None) -> str:
    r"""Return a cell, of a column of decimals as two: what stands before the decimal point, and the rest.

    >>> print(_cell("−0.25", True), _cell("1.2e−09", True), _cell("7", True), _cell("–", True), sep=" | ")
    \ensuremath{-}0&.25 | 1&.2\ensuremath{\times10^{-9}} | 7& | --&
    """
    if text == "–":
        text = "--"
    if not decimal:
        return literal(text)
    integer, point, decimals = text.partition(".")
    digits, power, exponent = decimals.partition("e")
    if power:
        power = rf"\ensuremath{{\times10^{{{int(exponent.replace('−', '-'))}}}}}"
    return f"{literal(integer)}&{point}{digits}{power}"


def _row(cells: Iterator[str]) -> str:
    return " & ".join(cells) + r" \\"


def in_html(sheet: Sheet) -> str:
    """Return a table as a page of HTML, which opens in a browser and in a word processor."""
    lines = [
        "<!DOCTYPE html>",
        f'<html lang="en"><head><meta charset="utf-8"><title>{escape(sheet.title)}</title>',
        "<style>td, th {padding: 0 0.5em; text-align: left} .number {text-align: right}</style></head><body>",
        f"<p><b>{escape(with_end(sheet.title))}</b> {blanks(markup(sheet.caption))}</p>",
        "<table>",
        f"<tr>{''.join(_html_cell('th', *cell) for cell in zip(sheet.heads, sheet.numbers, strict=True))}</tr>",
    ]
    lines += [
        f"<tr>{''.join(_html_cell('td', *cell) for cell in zip(row, sheet.numbers, strict=True))}</tr>"
        for row in sheet.cells
    ]
    return "\n".join([*lines, "</table>", "</body></html>", ""])


def _html_cell(tag: str, text: str, is_number: bool) -> str:
    kind = ' class="number"' if is_number else ""
    return f"<{tag}{kind}>{escape(text)}</{tag}>"
