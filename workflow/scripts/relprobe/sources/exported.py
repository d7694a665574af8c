"""Tables of people's answers as the programs of experiments export them, with the columns that a configuration names.

A layout is what `resources.human_responses` says beside its source: `columns`, `questions` and `rows`.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from relprobe.core.errors import ConfigError, DataError
from relprobe.core.files import check_seen, nfc, read_own_text
from relprobe.core.form import SEPARATORS, TABBED, Row, check_number, read_rows

Condition = Mapping[str | int, Sequence[str]]
"""A column -> the values that it may have."""
PARTICIPANT, RANK = "participant", "rank"


@dataclass(frozen=True)
class Cell:
    """Where a value of an answer stands: in a `column`, there under a `key` of JSON; or it is the same `value` in all rows.

    A column is a name of the first line or, as a whole number from 1, a place.
    """

    column: str | int | None = None
    key: str = ""
    value: str = ""

    @classmethod
    def of(cls, entry: Any) -> "Cell":
        """Read an entry of `columns`: a column, or a mapping with `column` and `key`, or with `value`."""
        return cls(**{**entry, "value": str(entry.get("value", ""))}) if isinstance(entry, dict) else cls(entry)


@dataclass(frozen=True)
class Layout:
    """How a table holds answers.

    `columns`: a column of the form -> where its value stands. `questions`: a column of answers, one for each question -> the
    values of the form's other columns. `skip`: how many rows behind the first line say nothing. `comment`: how lines begin
    that say nothing. `only` and `without`: what rows must have, and what rows that are left out have.
    """

    columns: Mapping[str, Cell]
    questions: Mapping[str | int, Mapping[str, str]] = field(default_factory=dict)
    skip: int = 0
    comment: str = ""
    only: Condition = field(default_factory=dict)
    without: Condition = field(default_factory=dict)

    @classmethod
    def of(cls, entry: Mapping[str, Any] | None) -> "Layout | None":
        """Return the layout of a resource's entry; None if the entry has none, so that the file has the form's columns."""
        if not entry or not {"columns", "questions", "rows"} & set(entry):
            return None
        rows = entry.get("rows", {})
        cells = {name: Cell.of(one) for name, one in entry.get("columns", {}).items()}
        by_place = any(isinstance(one.column, int) for one in cells.values())

        def place_of(column: str) -> str | int:  # a key of JSON is a text
            return int(column) if by_place and column.isdecimal() else column

        return cls(
            cells,
            {
                place_of(one): {key: str(text) for key, text in said.items()}
                for one, said in entry.get("questions", {}).items()
            },
            rows.get("skip", 0),
            rows.get("comment", ""),
            *(
                {place_of(one): _texts(values) for one, values in rows.get(name, {}).items()}
                for name in ("only", "without")
            ),
        )

    def check(self, names: Sequence[str]) -> None:
        """Check that each column of the form is said once. ConfigError: one is not, or there is another one."""
        said = {*self.columns, *(key for one in self.questions.values() for key in one)}
        if unknown := sorted(said - {*names}):
            raise ConfigError(f"config: resources.human_responses names {unknown[0]!r}; there are {', '.join(names)}.")
        for question, one in (self.questions or {"": {}}).items():
            there = {*self.columns, *one} | ({"answer", PARTICIPANT} if self.questions else set())
            if missing := [name for name in names if name not in there and name != RANK]:
                about = f" of the question {question!r}" if question else ""
                raise ConfigError(
                    f"config: resources.human_responses.columns does not say where the {missing[0]}{about} stands: add it."
                )


def _texts(values: Any) -> tuple[str, ...]:
    """Return values as a table has them; programs write true and false in several ways."""
    listed = values if isinstance(values, list) else [values]
    return tuple(
        form
        for one in listed
        for form in (
            [str(one), str(one).lower(), str(one).upper()]
            if one in (True, False) and isinstance(one, bool)
            else [str(one)]
        )
    )


def read(path: Path, names: Sequence[str], layout: Layout) -> Iterator[Row]:
    r"""Yield the rows of a table of answers as rows with the columns `names`, which the layout finds in the file.

    Without a column of ranks, the answers of a participant to one question count in the order of the file; without one of
    participants, each row of a table of questions is a participant. DataError, which names the line: a column is not there,
    a row has too many or too few cells, or a cell is no JSON object with the key.

    >>> from tempfile import TemporaryDirectory
    >>> layout = Layout.of({"columns": {"participant": "ID"}, "questions": {"Q1": {"target": "robin"}}, "rows": {"skip": 1}})
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "survey.csv")
    ...     _ = path.write_text("ID,Q1,Duration\nthe id,the question,s\nanna,bird,20\n")
    ...     [row.cells for row in read(path, ["target", "participant", "rank", "answer"], layout)]
    [{'target': 'robin', 'participant': 'anna', 'rank': '1', 'answer': 'bird'}]
    """
    layout.check(names)
    ranks: dict[tuple[str, ...], int] = {}
    for line, where, cells in _records(path, layout):
        if not all(_cell(where, cells, one) in values for one, values in layout.only.items()):
            continue
        if any(_cell(where, cells, one) in values for one, values in layout.without.items()):
            continue
        common = {name: _value(where, cells, one) for name, one in layout.columns.items()}
        for question, said in layout.questions.items():
            answer = {PARTICIPANT: f"line {line}", **common, **said, "answer": _cell(where, cells, question)}
            yield _row(line, where, answer, names, ranks)
        if not layout.questions:
            yield _row(line, where, common, names, ranks)


def _row(line: int, where: str, answer: dict[str, str], names: Sequence[str], ranks: dict[tuple[str, ...], int]) -> Row:
    """Return an answer as a row of the form, with its rank; text in Unicode's form NFC, with one blank between words."""
    cells = {name: " ".join(nfc(text).split()) for name, text in answer.items()}
    for text in cells.values():
        check_seen(text, where)
    if RANK not in cells and RANK in names:
        about = tuple(cells[name] for name in names if name not in (RANK, "answer"))
        ranks[about] = ranks.get(about, 0) + bool(cells["answer"])
        cells[RANK] = str(max(ranks[about], 1))
    return Row(line, where, {name: cells[name] for name in names})


def _records(path: Path, layout: Layout) -> Iterator[tuple[int, str, Mapping[str | int, str]]]:
    """Yield the line of each row, that place in words, and its cells by the names and by the places of the columns."""
    text = read_own_text(path, as_published=True)
    lines = text.split("\n")
    if layout.comment:  # an empty line stands for each, so that the lines keep their numbers
        lines = ["" if line.startswith(layout.comment) else line for line in lines]
    first = next((line for line in lines if line.strip()), "")
    separator = "\t" if path.suffix.lower() in TABBED and "\t" in first else max(SEPARATORS, key=first.count)
    named = [one for one in _columns(layout) if isinstance(one, str)]
    rows = read_rows(path, "\n".join(lines), separator)
    names = [" ".join(cell.split()) for cell in next(rows, (1, []))[1]] if named else []
    for one in named:
        if names.count(one) != 1:
            many = "names it twice" if one in names else f"has {', '.join(name for name in names if name)[:300]}"
            raise DataError(
                f"{path}: resources.human_responses names the column {one!r}, but the first line {many}: correct one."
            )
    for number, (line, fields) in enumerate(rows):
        if number < layout.skip or not any(map(str.strip, fields)):
            continue
        where = f"{path}, line {line}"
        if names:
            check_number(where, fields, len(names), separator)
        yield line, where, {**dict(enumerate(fields, 1)), **dict(zip(names, fields, strict=False))}


def _columns(layout: Layout) -> list[str | int]:
    of_cells = [one.column for one in layout.columns.values() if one.column is not None]
    return [*of_cells, *layout.questions, *layout.only, *layout.without]


def _cell(where: str, cells: Mapping[str | int, str], column: str | int) -> str:
    if column not in cells:
        raise DataError(f"{where}: there is no column {column}: correct resources.human_responses, or the row.")
    return cells[column].strip()


def _value(where: str, cells: Mapping[str | int, str], one: Cell) -> str:
    """Return a value of an answer. DataError: it should stand under a key of JSON, and does not."""
    if one.column is None:
        return one.value
    text = _cell(where, cells, one.column)
    if not one.key or not text:
        return text
    try:
        return str(json.loads(text)[one.key] or "")
    except (ValueError, KeyError, TypeError, RecursionError):
        raise DataError(f"{where}: {text[:200]!r} is no JSON object with the key {one.key!r}: correct `key`.") from None
