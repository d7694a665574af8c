"""The page of a study: its document (report/shown.py), with its tables and figures, and what the study says of them."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

import polars as pl

from relprobe.core.errors import DataError
from relprobe.core.files import Parquet, write_json
from relprobe.core.unmade import UnmadeError, change_tables, made_tables, reasons
from relprobe.report.exhibits import PAPER, Exhibit, Figure, Page, Table
from relprobe.report.page import (
    ABOVE,
    FIRST_ROWS,
    VERBATIM,
    WHOLE_ROWS,
    Around,
    Drawing,
    Section,
    figure,
    write,
)
from relprobe.report.page_words import PageWords, Tables, words_of
from relprobe.report.shown import page_of
from relprobe.report.steps import STEPS
from relprobe.report.words.glossary import glossary, meaning
from relprobe.report.words.headline import Headline
from relprobe.report.words.readable import PIECE, PIECES
from relprobe.report.words.summary import with_span
from relprobe.stats.families import with_equivalence
from relprobe.stats.notes import join_notes

Words = TypeVar("Words")

STILL = "The run goes on: parts of this page are still computed, and are named at its end."
"""What a first page says, which does not wait for all steps."""
AWAITED = "It is still computed, and comes with the end of the run."
WHOLE = "The whole page, when the run has ended"
ROW_ID = "tested"
"""The id of the row with the test behind the finding."""
TEST = ("agent", "control", "metric", "condition", "relation", "pos", "rater", "task", "kind", "difference")
"""The columns that tell that row."""
UNSAID = "What came out cannot be said here"
"""How the sentence begins that stands in place of a finding whose tables are missing."""
TESTED = ("controls", "primary")
"""The tables of differences between agents and their controls (CONTROLS)."""
CONTROLS_ID, PRIMARY_ID = (f"table-{name}" for name in TESTED)
"""The sections of these tables on a page."""


@dataclass(frozen=True)
class Files:
    """What the page of a study is made of. `answers`: the page of all answers, beside this one, if the study has one."""

    tables: dict[str, Parquet]
    figures: list[Path]
    template: Path
    answers: Path | None = None


@dataclass(frozen=True)
class Settings:
    """What the configuration and the plan of the run say of a study.

    `has`: name of the document's `may_lack` -> whether the run has that. `models`: the agents that are language models.
    `missing`: agent that failed -> a sentence on it, which the page and the card say first. `run`: the title of the run;
    empty: the name of its folder. `margin`: a difference below this one counts as none (`with_equivalence`). `late`: the
    steps that a first page does not wait for.
    """

    study: str
    has: dict[str, bool]
    models: list[str] | None = None
    missing: dict[str, str] | None = None
    run: str = ""
    margin: float = 0.05
    late: list[str] | None = None


@dataclass(frozen=True)
class Content:
    """What a run has of the page of a study.

    `document`: the page in this run. `tables`: those that could be made, with what they say of equivalence; `unmade`: name
    of each other one -> why. `figures`: name -> figure. `notice`: what the page says first. `shown`, `awaited`: the tables
    and figures that the run has, and those that a first page does not wait for. `left_out`: title of each that the run does
    not have -> what it lacks. `words`: what the study says. `names`: code -> name of what stands in the tables.
    """

    document: Page
    tables: Mapping[str, pl.DataFrame]
    unmade: Mapping[str, str]
    figures: Mapping[str, Drawing]
    notice: str
    shown: list[Exhibit]
    awaited: list[Exhibit]
    left_out: Mapping[str, str]
    words: PageWords
    names: Mapping[str, str]


def page(files: Files, settings: Settings, out: Path, card: Path) -> None:
    """Write the page of a study from its tables and figures, in the order of its document.

    `card`: a file with what the front page says of the study (`cards.card`). The page leaves out tables and figures without
    values. It ends with these and the reason for each, and with what the columns of its tables mean. DataError: a table or
    figure is not in the document.
    """
    content = content_of(files, settings)
    headline = _headline(content.words, content.tables, settings.models or [])
    parts = sections(content.shown, content.tables, content.figures, content.words, content.document, content.names)
    tested = next((part.id for name in (PRIMARY_ID, CONTROLS_ID) for part in parts if part.id == name), "")
    parts = [with_test(part, headline.row) if part.id == tested else part for part in parts]
    around = Around(
        run=settings.run,
        headline=headline,
        reading=content.document.reading,
        columns=_meanings(content),
        notice=content.notice,
        left_out=_left_out(content),
        verdicts_of=CONTROLS_ID if CONTROLS_ID in {part.id for part in parts} else "",
        tested_in=ROW_ID if any(part.tested is not None for part in parts) else tested,
        names=content.names,
    )
    document, links = content.document, _links(files.answers, settings, content)
    write(document.title, document.lead, parts, files.template, out, links, around)
    write_json(_card(content, headline, parts) | {"answers": files.answers is not None}, card)


def content_of(files: Files, settings: Settings) -> Content:
    """Return what a run has of the page of a study. DataError: a table or figure is not in the document."""
    document, words = page_of(settings.study), words_of(settings.study)
    unmade = reasons(files.tables)
    tables = change_tables(
        made_tables(files.tables),
        lambda name, table: with_equivalence(table, settings.margin) if name in TESTED else table,
    )
    in_run = document.in_run(settings.has)
    awaited = [exhibit for exhibit in in_run.exhibits if exhibit.step in (settings.late or [])]
    shown = [exhibit for exhibit in in_run.exhibits if exhibit not in awaited]
    _check([*tables, *unmade, *(path.stem for path in files.figures)], shown, settings.study)
    notices = [*(settings.missing or {}).values(), document.notice(settings.has), STILL if awaited else ""]
    return Content(
        document=in_run,
        tables=tables,
        unmade=unmade,
        figures={path.stem: figure(path) for path in files.figures},
        notice=" ".join(filter(None, notices)),
        shown=shown,
        awaited=awaited,
        left_out=document.missing(settings.has),
        words=words,
        names=code_names(words, tables),
    )


def _links(answers: Path | None, settings: Settings, content: Content) -> dict[str, str]:
    """Return the links to other pages: text -> address. `answers`: the page of all answers, if there is one."""
    links = {text: address for text, address in ABOVE.items() if settings.has.get(PAPER) or "published" not in address}
    if answers is not None:
        links["Answers of every agent"] = answers.name
    return links | ({WHOLE: "report.html"} if content.awaited else {})


def _left_out(content: Content) -> dict[str, str]:
    """Return the title of each table and figure that the page does not have -> why."""
    empty = missing_values(content.shown, content.tables, content.figures)
    unmade = {
        part.title: content.unmade[part.name]
        for part in content.shown
        if isinstance(part, Table) and part.name in content.unmade
    }
    awaited = {exhibit.title: AWAITED for exhibit in content.awaited if exhibit.on_page}
    return empty | unmade | dict(content.left_out) | awaited


def _meanings(content: Content) -> dict[str, str]:
    """Return what the columns of the tables mean; before them, the codes that the files have in place of names."""
    listed = _listed(content.names, content.tables.values())
    codes = {"codes": f"what the files have in place of names on this page: {listed}"} if listed else {}
    return codes | columns_of(content.shown, content.tables, content.document)


def _card(content: Content, headline: Headline, parts: Sequence[Section]) -> dict[str, Any]:
    """Return what the front page says of the study (`cards.card`)."""
    drawn = {part.id: part.words for part in parts if part.svg is not None}
    chosen = next((name for name in content.document.front if name in drawn), None)
    undrawn = [name for name, drawing in content.figures.items() if drawing.failed]
    return {
        "finding": " ".join(headline.sentences),
        "statistics": headline.statistics,
        "notice": content.notice,
        "names": dict(content.names),
        "unmade": [*content.unmade],
        "undrawn": undrawn,
        "figure": chosen,
        "words": drawn.get(chosen or "", ""),
    }


def with_test(section: Section, row: Mapping[str, Any]) -> Section:
    """Return a section whose table has a row of its own address: that of a test, if it is among those shown at once."""
    assert section.table is not None
    table, keys = section.table, [name for name in TEST if name in row and name in section.table.columns]
    if not keys:
        return section
    numbers = table.with_row_index("row").filter(pl.col(name).eq_missing(row[name]) for name in keys)["row"]
    at_once = table.height if table.height <= WHOLE_ROWS else FIRST_ROWS
    return replace(section, tested=numbers.item()) if len(numbers) == 1 and numbers.item() < at_once else section


def _headline(page_words: PageWords, tables: Tables, models: Sequence[str]) -> Headline:
    """Return what the page says first; where a table that it is made of is missing, a sentence on that."""
    tables = change_tables(
        tables, lambda name, table: with_span(table, page_words.metrics) if name in TESTED else table
    )

    def make_headline() -> Headline:
        headline = page_words.headline(tables, models)
        if page_words.finding is None:
            return headline
        finding = page_words.finding(tables, models)
        more = tuple(text for text in (*headline.sentences, *headline.more) if text not in finding.sentences)
        return replace(headline, sentences=finding.sentences, statistics=finding.statistics, row=finding.row, more=more)

    return _unless_unmade(make_headline, lambda error: Headline((f"{UNSAID}, as {error}.",)))


def _unless_unmade(make_words: Callable[[], Words], otherwise: Callable[[UnmadeError], Words]) -> Words:
    """Return what a study says of its tables, or something else where one of them could not be made."""
    try:
        return make_words()
    except UnmadeError as error:
        return otherwise(error)


def _words(page_words: PageWords, name: str, tables: Tables) -> str:
    """Return what a figure shows in words; none where a table that they are made of is missing."""
    return _unless_unmade(lambda: page_words.words(name, tables), lambda _: "")


def code_names(page_words: PageWords, tables: Tables) -> dict[str, str]:
    """Return code -> name of what stands in the tables of a study."""
    names = page_words.code_names
    names_in_tables: Mapping[str, str] = _unless_unmade(lambda: names(tables), lambda _: {}) if names else {}
    return {**page_words.names, **names_in_tables}


def _listed(names: Mapping[str, str], tables: Iterable[pl.DataFrame]) -> str:
    """List the codes of some tables with their names.

    >>> _listed({"HYP": "hypernymy", "ANT": "antonymy"}, [pl.DataFrame({"HYP": ["x", "ANT, k = 5"], "n": 1})])
    'hypernymy (`HYP`); antonymy (`ANT`)'
    """
    texts: set[str | None] = set()
    for table in tables:
        texts.update(table.columns)
        for column in table.select(pl.col(pl.String)):
            texts.update(column.unique().str.split(",").list.first())
    return "; ".join(f"{name} (`{code}`)" for code, name in names.items() if code in texts)


def sections(
    shown: Iterable[Exhibit],
    tables: Mapping[str, pl.DataFrame],
    figures: Mapping[str, Drawing],
    page_words: PageWords,
    document: Page | None = None,
    names: Mapping[str, str] | None = None,
) -> list[Section]:
    """Return the sections of a page: what its document has, as far as there is a table with rows or a figure of its name.

    `page_words`: what the study says. `document`: what its page says. `names`: code -> name of what stands in the tables.
    """
    parts = []
    for exhibit in shown:
        if isinstance(exhibit, Figure) and exhibit.name in figures:
            parts.append(_figure_section(exhibit, figures[exhibit.name], page_words, tables))
        elif isinstance(exhibit, Table) and _has_values(exhibit, tables):
            section = _table_section(exhibit, tables[exhibit.name], {} if document is None else document.columns)
            address = page_words.addresses.get(exhibit.like or exhibit.name)
            parts.append(replace(section, address=address, code_names=names or {}))
    return [part for part in parts if part.svg is None or part.svg.absence is None]


def _figure_section(exhibit: Figure, drawing: Drawing, page_words: PageWords, tables: Tables) -> Section:
    # No study knows the values of a figure that a step of `report` draws for all of them.
    words = "" if exhibit.step in STEPS else _words(page_words, exhibit.name, tables)
    heading = exhibit.name, exhibit.title, exhibit.caption, f"tables/{exhibit.values}.csv"
    return Section(*heading, svg=drawing, words=words, part=exhibit.part, more=exhibit.more)


def _table_section(exhibit: Table, table: pl.DataFrame, meanings: Mapping[str, str]) -> Section:
    """Return the section of a table. `meanings`: column -> what the page of the study says that it means."""
    heading = f"table-{exhibit.name}", exhibit.title, exhibit.caption, f"tables/{exhibit.name}.csv"
    more = " ".join(filter(None, [exhibit.more, PIECES if _has_pieces(table) else ""]))
    columns = {column: meaning(column, exhibit, meanings) for column in table.columns}
    return Section(*heading, table=table, part=exhibit.part, meanings=columns, more=more)


def missing_values(shown: Iterable[Exhibit], tables: Tables, figures: Mapping[str, Drawing]) -> dict[str, str]:
    """Return the tables and figures of a page that have no value: title -> why.

    A figure without values says itself why; of a table, its notes say it, or else the document.
    """
    reasons = {}
    for exhibit in shown:
        if isinstance(exhibit, Figure) and exhibit.name in figures and figures[exhibit.name].absence is not None:
            reasons[exhibit.title] = str(figures[exhibit.name].absence)
        elif isinstance(exhibit, Table) and exhibit.on_page and not _has_values(exhibit, tables):
            reasons[exhibit.title] = _reason(exhibit, tables)
    return reasons


def columns_of(shown: Iterable[Exhibit], tables: Mapping[str, pl.DataFrame], content: Page) -> dict[str, str]:
    """Return what the columns of the tables of a page mean (`glossary`)."""
    on_page = [table for table in shown if isinstance(table, Table) and _has_values(table, tables)]
    return glossary(((table, tables[table.name].columns) for table in on_page), content.columns)


def _has_pieces(table: pl.DataFrame) -> bool:
    """Return whether a page shows pieces of words in a table."""
    texts = table.select(pl.col(pl.String).exclude(VERBATIM))
    return any(PIECE.search(text) for column in texts for text in column.unique().drop_nulls())


def _has_values(exhibit: Table, tables: Mapping[str, pl.DataFrame]) -> bool:
    """Return whether a table has rows, and not only notes on why its numbers are missing."""
    if exhibit.name not in tables or tables[exhibit.name].is_empty():
        return False
    numbers = tables[exhibit.name].select(pl.col(pl.Float32, pl.Float64))
    without = "note" in tables[exhibit.name].columns and bool(numbers.columns)
    return not (without and all(column.null_count() == numbers.height for column in numbers))


def _reason(exhibit: Table, tables: Tables) -> str:
    """Return why a table has no values: its notes, or what the document says."""
    if exhibit.name not in tables or tables[exhibit.name].is_empty():
        return exhibit.empty
    table = tables[exhibit.name]
    notes = table["note"].drop_nulls().unique(maintain_order=True).head(2).to_list()
    note = join_notes(notes)
    return f"{note[:1].upper()}{note[1:]}." if note else exhibit.empty


def _check(files: Iterable[str], shown: Iterable[Exhibit], study: str) -> None:
    """Refuse a file that the document has no section of."""
    if unknown := sorted(set(files) - {exhibit.name for exhibit in shown}):
        raise DataError(
            f"the page of {study} has no table or figure {', '.join(unknown)}: add a section to studies/{study}/page.md."
        )
