"""The page of a study: its document (report/shown.py), with its tables and figures, and what the study says of them."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl

from relprobe.core.errors import DataError
from relprobe.core.files import Parquet, write_json
from relprobe.report.page import ABOVE, UNDRAWN, VERBATIM, Around, Drawing, Section, figure, write
from relprobe.report.page_words import PageWords, Tables, words_of
from relprobe.report.shown import PAPER, Exhibit, Figure, Page, Table, page_of
from relprobe.report.steps import STEPS
from relprobe.report.words.glossary import glossary, meaning
from relprobe.report.words.readable import PIECE, PIECES
from relprobe.stats.families import with_equivalence

STILL = "The run goes on: parts of this page are still computed, and are named at its end."
"""What a first page says, which does not wait for all steps."""
AWAITED = "It is still computed, and comes with the end of the run."
WHOLE = "The whole page, when the run has ended"
TESTED = ("controls", "primary")
"""The tables of differences between agents and their controls (CONTROLS)."""
CONTROLS_ID, PRIMARY_ID = (f"table-{name}" for name in TESTED)
"""The sections of these tables on a page."""


def page(
    tables: dict[str, Parquet],
    figures: list[Path],
    template: Path,
    out: Path,
    card: Path,
    answers: Path | None = None,
    *,
    study: str,
    has: dict[str, bool],
    models: list[str] | None = None,
    missing: dict[str, str] | None = None,
    run: str = "",
    margin: float = 0.05,
    late: list[str] | None = None,
) -> None:
    """Write the page of a study from its tables and figures, in the order of its document.

    `card`: a file with what the front page says of the study (`cards.card`). The page leaves out tables and figures without
    values. It ends with these and the reason for each, and with what the columns of its tables mean. `answers`: the page of
    all answers, beside this one, if the study has one. `has`: name of the document's `may_lack` -> whether the run has that.
    `models`: the agents that are language models. `missing`: agent that failed -> a sentence on it, which the page and the
    card say first. `run`: the title of the run; empty: the name of its folder. `margin`: a difference below this one counts
    as none (`with_equivalence`). `late`: the steps that a first page does not wait for. DataError: a table or figure is not
    in the document.
    """
    own = words_of(study)
    tables = {name: with_equivalence(one, margin) if name in TESTED else one for name, one in tables.items()}
    links = {text: address for text, address in ABOVE.items() if has.get(PAPER) or "published" not in address}
    if answers is not None:
        links["Answers of every agent"] = answers.name
    whole = page_of(study)
    about = whole.in_run(has)
    awaited = [one for one in about.exhibits if one.step in (late or [])]
    shown = [one for one in about.exhibits if one not in awaited]
    if awaited:
        links[WHOLE] = "report.html"
    _check([*tables, *(path.stem for path in figures)], shown, study)
    names = code_names(own, tables)
    drawings = {path.stem: figure(path) for path in figures}
    notice = " ".join(filter(None, [*(missing or {}).values(), whole.notice(has), STILL if awaited else ""]))
    empty = missing_values(shown, tables, drawings)
    parts, columns = sections(shown, tables, figures, own, about, names), columns_of(shown, tables, about)
    if listed := _listed(names, tables.values()):
        columns = {"codes": f"what the files have in place of names on this page: {listed}"} | columns
    said_first = own.headline(tables, models or [])
    if own.finding is not None:
        found = own.finding(tables, models or [])
        more = tuple(one for one in (*said_first.sentences, *said_first.more) if one not in found.sentences)
        said_first = replace(said_first, sentences=found.sentences, statistics=found.statistics, more=more)
    there = {part.id for part in parts}
    around = Around(
        run=run,
        headline=said_first,
        reading=about.reading,
        columns=columns,
        notice=notice,
        left_out=empty | whole.missing(has) | {one.title: AWAITED for one in awaited if one.on_page},
        verdicts_of=CONTROLS_ID if CONTROLS_ID in there else "",
        tested_in=next((one for one in (PRIMARY_ID, CONTROLS_ID) if one in there), ""),
        names=names,
    )
    write(about.title, about.lead, parts, template, out, links, around)
    drawn = [part.id for part in parts if part.svg is not None]
    chosen = next((name for name in about.front if name in drawn), None)
    said: dict[str, Any] = {
        "finding": " ".join(said_first.sentences),
        "statistics": said_first.statistics,
        "notice": notice,
        "names": names,
    }
    said["undrawn"] = [name for name, one in drawings.items() if (one.absence or "").startswith(UNDRAWN)]
    words = next((part.words for part in parts if part.id == chosen), "")
    write_json({**said, "figure": chosen, "words": words, "answers": answers is not None}, card)


def code_names(own: PageWords, tables: Tables) -> dict[str, str]:
    """Return code -> name of what stands in the tables of a study."""
    return {**own.names, **(own.code_names(tables) if own.code_names else {})}


def _listed(names: Mapping[str, str], tables: Iterable[pl.DataFrame]) -> str:
    """List the codes of some tables with their names.

    >>> _listed({"HYP": "hypernymy", "ANT": "antonymy"}, [pl.DataFrame({"HYP": ["x", "ANT, k = 5"], "n": 1})])
    'hypernymy (`HYP`); antonymy (`ANT`)'
    """
    there: set[str | None] = set()
    for table in tables:
        there.update(table.columns)
        for column in table.select(pl.col(pl.String)):
            there.update(column.unique().str.split(",").list.first())
    return "; ".join(f"{name} (`{code}`)" for code, name in names.items() if code in there)


def sections(
    shown: Iterable[Exhibit],
    tables: Mapping[str, pl.DataFrame],
    figures: Iterable[Path],
    own: PageWords,
    about: Page | None = None,
    names: Mapping[str, str] | None = None,
) -> list[Section]:
    """Return the sections of a page: what its document has, as far as there is a table with rows or a figure of its name.

    `own`: what the study says. `about`: what the document says. `names`: code -> name of what stands in the tables.
    """
    drawn = {path.stem: path for path in figures}
    parts = []
    for one in shown:
        if isinstance(one, Figure) and one.name in drawn:
            # No study knows the values of a figure that a step of `report` draws for all of them.
            words = "" if one.step in STEPS else own.words(one.name, tables)
            data, svg = f"tables/{one.values}.csv", figure(drawn[one.name])
            if svg.absence is None:
                place = one.name, one.title, one.caption, data
                parts.append(Section(*place, svg=svg, words=words, part=one.part, more=one.more))
        elif isinstance(one, Table) and _has_values(one, tables):
            table, data, address = tables[one.name], f"tables/{one.name}.csv", own.addresses.get(one.like or one.name)
            meant = {} if about is None else about.columns
            said: dict[str, Any] = {"code_names": names or {}}
            said["meanings"] = {column: meaning(column, one, meant) for column in table.columns}
            said["more"] = " ".join(filter(None, [one.more, PIECES if _has_pieces(table) else ""]))
            place = f"table-{one.name}", one.title, one.caption, data
            parts.append(Section(*place, table=table, part=one.part, address=address, **said))
    return parts


def missing_values(shown: Iterable[Exhibit], tables: Tables, figures: Mapping[str, Drawing]) -> dict[str, str]:
    """Return the tables and figures of a page that have no value: title -> why.

    A figure without values says itself why; of a table, its notes say it, or else the document.
    """
    reasons = {}
    for one in shown:
        if isinstance(one, Figure) and one.name in figures and figures[one.name].absence is not None:
            reasons[one.title] = str(figures[one.name].absence)
        elif isinstance(one, Table) and one.on_page and not _has_values(one, tables):
            reasons[one.title] = _reason(one, tables)
    return reasons


def columns_of(shown: Iterable[Exhibit], tables: Mapping[str, pl.DataFrame], about: Page) -> dict[str, str]:
    """Return what the columns of the tables of a page mean (`glossary`)."""
    on_page = [one for one in shown if isinstance(one, Table) and _has_values(one, tables)]
    return glossary(((one, tables[one.name].columns) for one in on_page), about.columns)


def _has_pieces(table: pl.DataFrame) -> bool:
    """Return whether a page shows pieces of words in a table."""
    texts = table.select(pl.col(pl.String).exclude(VERBATIM))
    return any(PIECE.search(text) for column in texts for text in column.unique().drop_nulls())


def _has_values(one: Table, tables: Mapping[str, pl.DataFrame]) -> bool:
    """Return whether a table has rows, and not only notes on why its numbers are missing."""
    if one.name not in tables or tables[one.name].is_empty():
        return False
    numbers = tables[one.name].select(pl.col(pl.Float32, pl.Float64))
    without = "note" in tables[one.name].columns and bool(numbers.columns)
    return not (without and all(column.null_count() == numbers.height for column in numbers))


def _reason(one: Table, tables: Tables) -> str:
    """Return why a table has no values: its notes, or what the document says."""
    table = tables.get(one.name)
    if table is None or table.is_empty():
        return one.empty
    notes = table["note"].drop_nulls().unique(maintain_order=True).head(2).to_list()
    said = "; ".join(notes)
    return f"{said[:1].upper()}{said[1:]}." if said else one.empty


def _check(files: Iterable[str], shown: Iterable[Exhibit], study: str) -> None:
    """Refuse a file that the document has no section of."""
    if unknown := sorted(set(files) - {one.name for one in shown}):
        raise DataError(
            f"the page of {study} has no table or figure {', '.join(unknown)}: add a section to studies/{study}/page.md."
        )
