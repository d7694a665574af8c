"""Tables of people's answers as the programs of experiments export them, with the columns that a configuration names.

A layout is what an entry of `resources` says beside its source: `columns`, `questions`, `rows` and `further`.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from relprobe.core.csv_schema import SEPARATORS, TABBED, Row, check_number, read_rows, without_separator_line
from relprobe.core.errors import ConfigError, DataError
from relprobe.core.files import check_seen, nfc, read_own_text

Condition = Mapping[str | int, Sequence[str]]
"""A column -> the values that it may have."""
PARTICIPANT, RANK = "participant", "rank"


@dataclass(frozen=True)
class AnswerTable:
    """What a table of people's answers says in each row.

    `resource`: the entry of `resources` that names the table. `names`: the columns of its form. `value`: the one that the
    column of a question holds. `counted`: whether ranks may be left out, so that answers count in the order of the file.
    """

    resource: str
    names: tuple[str, ...]
    value: str
    counted: bool = False


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
    that say nothing. `only` and `without`: what rows must have, and what rows that are left out have. `further`: the name of
    a column of trials -> where its value stands. Without `columns` and `questions`, the table has the columns of the form.
    """

    columns: Mapping[str, Cell]
    questions: Mapping[str | int, Mapping[str, str]] = field(default_factory=dict)
    skip: int = 0
    comment: str = ""
    only: Condition = field(default_factory=dict)
    without: Condition = field(default_factory=dict)
    further: Mapping[str, Cell] = field(default_factory=dict)

    @classmethod
    def of(cls, entry: Mapping[str, Any] | None) -> "Layout | None":
        """Return the layout of a resource's entry; None if the entry has none, so that the file has the form's columns."""
        if not entry or not {"columns", "questions", "rows", "further"} & set(entry):
            return None
        rows = entry.get("rows", {})
        cells, further = (
            {name: Cell.of(cell) for name, cell in entry.get(part, {}).items()} for part in ("columns", "further")
        )
        by_place = any(isinstance(cell.column, int) for cell in (*cells.values(), *further.values()))

        def place_of(column: str | int) -> str | int:  # a key of JSON is a text
            return int(column) if by_place and str(column).isdecimal() else str(column)

        only, without = (
            {place_of(column): _texts(values) for column, values in rows.get(name, {}).items()}
            for name in ("only", "without")
        )
        return cls(
            cells,
            {
                place_of(column): {key: str(text) for key, text in values.items()}
                for column, values in entry.get("questions", {}).items()
            },
            rows.get("skip", 0),
            rows.get("comment", ""),
            only,
            without,
            further,
        )

    def form_layout(self, table: AnswerTable) -> "Layout":
        """Return the layout; without `columns` and `questions`, with those of the form."""
        if self.columns or self.questions or not self.further:
            return self
        return replace(self, columns={name: Cell(name) for name in table.names})

    def check(self, table: AnswerTable) -> None:
        """Check that each column of the form is said once. ConfigError: one is not, or there is another one."""
        if self.form_layout(table) is not self:
            return
        filled = {*self.columns, *(key for values in self.questions.values() for key in values)}
        if unknown := sorted(filled - {*table.names}):
            raise ConfigError(
                f"config: resources.{table.resource} names {unknown[0]!r}; there are {', '.join(table.names)}."
            )
        for question, values in (self.questions or {"": {}}).items():
            missing = self._unsaid(table, values)
            if self.questions and len(missing) == 1:
                continue
            if missing := [name for name in missing if not (self.questions and name == table.value)]:
                value = f"{missing[0]} of the question {question!r}" if question else missing[0]
                raise ConfigError(
                    f"config: resources.{table.resource}.columns does not say where the {value} stands: add it."
                )
            if self.questions:
                raise ConfigError(
                    f"config: resources.{table.resource} says all of the question {question!r}, so that its column has "
                    f"nothing to say: leave the {table.value} out."
                )

    def _unsaid(self, table: AnswerTable, values: Mapping[str, str]) -> list[str]:
        """Return the columns of the form that neither `columns` nor a question says."""
        filled = {*self.columns, *values} | ({RANK} if table.counted else set())
        filled |= {PARTICIPANT} if self.questions else set()
        return [name for name in table.names if name not in filled]

    def column_of_question(self, table: AnswerTable, values: Mapping[str, str]) -> str:
        """Return what the column of a question holds: the one column of the form that is not said."""
        return self._unsaid(table, values)[0]


def _texts(values: Any) -> tuple[str, ...]:
    """Return values as a table has them; programs write true and false in several ways, and Qualtrics also as 1 and 0."""
    listed = values if isinstance(values, list) else [values]
    return tuple(
        form
        for value in listed
        for form in (
            [str(value), str(value).lower(), str(value).upper(), str(int(value))]
            if value in (True, False) and isinstance(value, bool)
            else [str(value)]
        )
    )


def read(path: Path, table: AnswerTable, layout: Layout) -> Iterator[Row]:
    r"""Yield the rows of a file of answers with the columns of `table`, which the layout finds in the file.

    Without a column of ranks, the answers of a participant to one question count in the order of the file; without one of
    participants, each row of a table of questions is a participant. DataError, which names the line: a column is not there,
    a row has too many or too few cells, or a cell is no JSON object with the key.

    >>> from tempfile import TemporaryDirectory
    >>> layout = Layout.of({"columns": {"participant": "ID"}, "questions": {"Q1": {"target": "robin"}}, "rows": {"skip": 1}})
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "survey.csv")
    ...     _ = path.write_text("ID,Q1,Duration\nthe id,the question,s\nanna,bird,20\n")
    ...     table = AnswerTable("human_responses", ("target", "participant", "rank", "answer"), "answer", counted=True)
    ...     [row.cells for row in read(path, table, layout)]
    [{'target': 'robin', 'participant': 'anna', 'rank': '1', 'answer': 'bird'}]
    """
    layout = layout.form_layout(table)
    layout.check(table)
    ranks: dict[tuple[str, ...], int] = {}
    left_out = used = 0
    for line, where, cells in _records(path, table.resource, layout):
        fits = all(cells.of(column) in values for column, values in layout.only.items())
        if not fits or any(cells.of(column) in values for column, values in layout.without.items()):
            left_out += 1
            continue
        used += 1
        common = {name: cells.value(cell) for name, cell in layout.columns.items()}
        further = {name: cells.value(cell) for name, cell in layout.further.items()}
        for question, question_values in layout.questions.items():
            held = layout.column_of_question(table, question_values)
            answer = {PARTICIPANT: f"line {line}", **common, **question_values, held: cells.of(question)}
            yield _row(line, where, answer, table, ranks)._replace(further=further)
        if not layout.questions:
            yield _row(line, where, common, table, ranks)._replace(further=further)
    if left_out and not used:
        raise DataError(
            f"{path}: resources.{table.resource}.rows leaves out all rows ({left_out:,}): correct the values in `only` or "
            "`without`."
        )


def _row(line: int, where: str, answer: dict[str, str], table: AnswerTable, ranks: dict[tuple[str, ...], int]) -> Row:
    """Return an answer as a row of the form, with its rank; text in Unicode's form NFC, with one blank between words."""
    value = answer.get(table.value, "").strip()
    if "\n" in value:
        raise DataError(f"{where}: the {table.value} {value!r} has several lines: write one {table.value} in it.")
    cells = {name: " ".join(nfc(text).split()) for name, text in answer.items()}
    for text in cells.values():
        check_seen(text, where)
    if table.counted and RANK not in cells:
        answer_key = tuple(cells[name] for name in table.names if name not in (RANK, table.value))
        ranks[answer_key] = ranks.get(answer_key, 0) + bool(cells[table.value])
        cells[RANK] = str(max(ranks[answer_key], 1))
    return Row(line, where, {name: cells[name] for name in table.names})


@dataclass(frozen=True)
class _Cells:
    """The cells of a row by the names and by the places of the columns. `where`: that row in words."""

    where: str
    resource: str
    by_column: Mapping[str | int, str]

    def of(self, column: str | int) -> str:
        """Return a cell. DataError: the row has no such column."""
        if column not in self.by_column:
            raise DataError(
                f"{self.where}: there is no column {column}: correct resources.{self.resource}, or the row."
            )
        return self.by_column[column].strip()

    def value(self, cell: Cell) -> str:
        """Return a value of an answer. DataError: it should stand under a key of JSON, and does not."""
        if cell.column is None:
            return cell.value
        text = self.of(cell.column)
        if not cell.key or not text:
            return text
        try:
            value = json.loads(text)[cell.key]
        except (ValueError, KeyError, TypeError, RecursionError):
            raise DataError(
                f"{self.where}: {text[:200]!r} is no JSON object with the key {cell.key!r}: correct `key`."
            ) from None
        return "" if value in (None, "", [], {}) else str(value)  # 0 and false are answers


def _records(path: Path, resource: str, layout: Layout) -> Iterator[tuple[int, str, _Cells]]:
    """Yield the line of each row, that place in words, and its cells by the names and by the places of the columns."""
    text = without_separator_line(read_own_text(path, as_published=True))
    lines = text.split("\n")
    if layout.comment:  # an empty line stands for each, so that the lines keep their numbers
        lines = ["" if line.startswith(layout.comment) else line for line in lines]
    first = next((line for line in lines if line.strip()), "")
    separator = "\t" if path.suffix.lower() in TABBED and "\t" in first else max(SEPARATORS, key=first.count)
    named = [column for column in _columns(layout) if isinstance(column, str)]
    rows = read_rows(path, "\n".join(lines), separator)
    names = [" ".join(cell.split()) for cell in next(rows, (1, []))[1]] if named else []
    for column in named:
        if names.count(column) != 1:
            many = "names it twice" if column in names else f"has {', '.join(name for name in names if name)[:300]}"
            raise DataError(
                f"{path}: resources.{resource} names the column {column!r}, but the first line {many}: correct one."
            )
    for number, (line, fields) in enumerate(rows):
        if number < layout.skip or not any(map(str.strip, fields)):
            continue
        where = f"{path}, line {line}"
        if names:
            check_number(where, fields, len(names), separator)
        by_column: dict[str | int, str] = {**dict(enumerate(fields, 1)), **dict(zip(names, fields, strict=False))}
        yield line, where, _Cells(where, resource, by_column)


def further_cells(row: Row, resource: str, layout: Layout) -> dict[str, str]:
    """Return what the further columns that a layout names say in a row of a table that has the columns of its form.

    DataError: the table has no such column, or a cell is no JSON object with the key.

    >>> row = Row(2, "own.csv, line 2", {"pair": "tool:hammer", "rt": "512"})
    >>> further_cells(row, "own_ratings", Layout.of({"further": {"ms": "rt"}}))
    {'ms': '512'}
    """
    by_column: dict[str | int, str] = {name: cell for name, cell in row.cells.items()}  # noqa: C416
    cells = _Cells(row.where, resource, by_column)
    return {name: cells.value(cell) for name, cell in layout.further.items()}


def _columns(layout: Layout) -> list[str | int]:
    cells = (*layout.columns.values(), *layout.further.values())
    cell_columns = [cell.column for cell in cells if cell.column is not None]
    return [*cell_columns, *layout.questions, *layout.only, *layout.without]
