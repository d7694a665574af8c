"""The one reader of users' tables: CSV files as people, spreadsheets and other programs write them.

A table has one right reading, or is refused in one sentence that names the line: nothing is guessed, cut or left out.
"""

import csv
import io
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from relprobe.core.errors import DataError
from relprobe.core.files import read_own_text, without_apostrophe
from relprobe.core.words import amount, enumeration

SEPARATORS = {",": "commas", ";": "semicolons", "\t": "tabs"}
"""What may stand between the columns of a first line -> its name."""
TABBED = (".tsv", ".tab", ".txt")
"""The ends of the names of files in which tabs separate the columns, and quotes enclose a cell as they do in CSV."""


NAME_IT = "name the column in the first line"


class Row(NamedTuple):
    """A row of a table: the line in which it begins, from 1, that place in words, and its cells by their columns.

    `further`: cells that are no part of the form, by the names that the user gives them.
    """

    line: int
    where: str
    cells: dict[str, str]
    further: Mapping[str, str] = {}


class CsvTable(NamedTuple):
    """The names of the columns that a file has, in its order, and its rows."""

    names: list[str]
    rows: Iterator[Row]


@dataclass(frozen=True)
class CsvSchema:
    r"""The schema of a CSV file: the columns that it must have, and those that it may have.

    The columns may stand in any order; case, blanks, hyphens and underscores of their names do not matter. Commas or
    semicolons separate them, or tabs in a file whose name ends in .tsv. A first column without a name, and with another cell
    in each row, holds the names of the rows, as pandas and R write them, and does not count. Rows without any cell are
    passed over, and blanks around cells do not count. All text is brought into Unicode's form NFC.

    `other_columns`: the file may have more columns. `as_written`: blanks in cells count. `long`: columns whose cells may
    have several lines. `tabs`: the file is published data: tabs may separate the columns, and quotes are text then.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "own.csv")
    ...     _ = path.write_text('Count; word\n57;"beckon"\n;\n')
    ...     [row.cells for row in CsvSchema(("word", "count")).read(path).rows]
    [{'count': '57', 'word': 'beckon'}]
    """

    columns: tuple[str, ...]
    optional: tuple[str, ...] = ()
    other_columns: bool = False
    as_written: bool = False
    long: tuple[str, ...] = ()
    tabs: bool = False

    def read(self, path: Path) -> CsvTable:
        """Read a file. A cell of an `optional` column that the file lacks is "".

        DataError, which names the line: the first line lacks a column, has another one or names one twice; a row has too
        many or too few cells or is the first line again, a quote is not closed, or a cell has several lines. The file is not
        UTF-8, or holds a character that cannot be seen.
        """
        text = read_own_text(path, as_published=self.tabs)
        text = without_separator_line(text)
        first = next((line for line in text.split("\n") if line.strip()), "")
        separator = self._separator(path, first)
        rows = read_rows(path, text, separator, quotes=separator != "\t" or not self.tabs, blanks=self.as_written)
        names = self._names(path, next(rows, (1, []))[1], first)
        return CsvTable([name for name in names if name], self._rows(path, names, rows, separator))

    def _separator(self, path: Path, first: str) -> str:
        """Return what separates the columns of the first line. DataError: it cannot be told, or is no separator here."""
        present = [separator for separator in SEPARATORS if separator in first]
        if len(present) > 1:
            kinds = enumeration(SEPARATORS[separator] for separator in present)
            raise DataError(
                f"{path}: the first line has {kinds}: separate its columns by commas alone, and rename a column that holds "
                "another of them."
            )
        if present == ["\t"] and not self.tabs and path.suffix.lower() not in TABBED:
            raise DataError(
                f"{path}: tabs separate the columns, and it is not told whether quotes are text then: save it as CSV, with "
                "commas or semicolons, or name it .tsv if quotes enclose cells as in CSV."
            )
        return present[0] if present else ","

    def _names(self, path: Path, cells: Sequence[str], first: str) -> list[str]:
        """Return the names of all columns, "" for one without a name. DataError: the first line is another one."""
        declared = {folded_name(name): name for name in (*self.columns, *self.optional)}
        names = [declared.get(folded_name(name), name) for name in (" ".join(cell.split()) for cell in cells)]
        folded = [name.casefold() for name in names if name]
        must = f"{path}: the first line must {'have' if self.other_columns else 'be'} {','.join(self.columns)}"
        may = f", and may go on with {enumeration(self.optional)}" if self.optional and not self.other_columns else ""
        if missing := [name for name in self.columns if name not in names]:
            content = f"but {first.strip()[:200]!r} has" if first else "but the file is empty and has"
            raise DataError(f"{must}{may}, {content} no column {' and no '.join(missing)}: correct it.")
        if twice := [name for name in names if folded.count(name.casefold()) > 1]:
            raise DataError(
                f"{path}: the first line names the column {twice[0]!r} twice: rename or delete one of them."
            )
        if unexpected := [name for name in names if name and name not in declared.values() and not self.other_columns]:
            raise DataError(f"{must}{may}, but has the column {unexpected[0]!r}, too: delete it, or correct its name.")
        return names

    def _rows(
        self, path: Path, names: Sequence[str], rows: Iterator[tuple[int, list[str]]], separator: str
    ) -> Iterator[Row]:
        absent = dict.fromkeys((name for name in self.optional if name not in names), "")
        row_names = Once()
        for line, fields in rows:
            if not any(map(str.strip, fields)):
                continue
            where = f"{path}, line {line}"
            check_number(where, fields, len(names), separator)
            if [*map(folded_name, fields)] == [*map(folded_name, names)]:
                raise DataError(
                    f"{where}: the names of the columns come again, as in two files that were joined: delete the line."
                )
            for number, (name, cell) in enumerate(zip(names, fields, strict=True), 1):
                if not name and number == 1 and cell.strip():  # pandas and R write the names of rows so
                    row_names.add(
                        cell, Row(line, where, {}), f"{cell!r}, in the first column without a name, is", NAME_IT
                    )
                elif not name and cell.strip():
                    raise DataError(
                        f"{where}: column {number} has {cell!r}, but no name in the first line: name it there."
                    )
                if "\n" in cell and name not in self.long:
                    raise DataError(
                        f"{where}: the field {name} goes on in the next line: is a quote not closed? Close it, or write the "
                        "field in one line."
                    )
            read = fields if self.as_written else [" ".join(cell.split()) for cell in fields]
            cells = [*map(without_apostrophe, read)]
            yield Row(line, where, {name: cell for name, cell in zip(names, cells, strict=True) if name} | absent)


def without_separator_line(text: str) -> str:
    r"""Return a table without the line that tells Excel what separates its columns; the other lines keep their numbers.

    >>> without_separator_line("sep=;\nword;count\n")
    '\nword;count\n'
    """
    return re.sub(r'\A(\s*)"?sep=.?"?[ \t]*(?=\n)', r"\1", text, flags=re.IGNORECASE)


def folded_name(name: str) -> str:
    """Return the letters of a column's name, as one program writes part_of_speech and another one Part of Speech.

    >>> folded_name(" Part-of Speech")
    'partofspeech'
    """
    return re.sub(r"[\s_-]+", "", name).casefold()


def check_number(where: str, fields: Sequence[str], expected: int, separator: str = ",") -> None:
    """Check the number of cells in a row. DataError: it is another one than that of the columns."""
    if len(fields) != expected:
        more = f"put a field with one of the {SEPARATORS[separator]} in it into quotes, or delete what is too much"
        remedy = more if len(fields) > expected else f"separate them by {SEPARATORS[separator]}, as in the first line"
        raise DataError(
            f"{where}: {amount(len(fields), 'field')} where {amount(expected, 'is', 'are')} expected: {remedy}."
        )


def read_rows(
    path: Path, text: str, separator: str, *, quotes: bool = True, blanks: bool = False
) -> Iterator[tuple[int, list[str]]]:
    """Yield the line in which each row of a file's `text` begins, from 1, and its fields. Blank lines are passed over.

    `quotes`: they enclose fields; or else they are text. `blanks`: those before a field count. DataError: a quote is not
    closed, or something stands before or after a field in quotes.
    """
    lines = io.StringIO(text)
    if quotes:
        reader = csv.reader(lines, delimiter=separator, strict=True, skipinitialspace=not blanks)
    else:
        reader = csv.reader(lines, delimiter=separator, strict=True, quoting=csv.QUOTE_NONE)
    line = 1
    try:
        for fields in reader:
            quoted_cells = [cell for cell in fields if quotes and cell[:1].isspace() and cell.lstrip()[:1] == '"']
            if quoted_cells:
                raise DataError(
                    f"{path}, line {line}: a blank stands before the quote of {quoted_cells[0]!r}: delete it."
                )
            if fields:
                yield line, fields
            line = reader.line_num + 1
    except csv.Error as error:
        if "larger" in str(error):
            raise DataError(
                f"{path}, line {line}: a field has more than {csv.field_size_limit():,} characters: is a quote not closed?"
            ) from error
        raise DataError(
            f"{path}, line {line}: a field that begins with a quote is not closed, or goes on after its second quote "
            f"({error}): close it, and write a quote inside such a field twice."
        ) from error


def whole_number(text: str, most: int) -> int | None:
    """Return the number from 0 to `most` that a cell has in decimal digits, or None.

    >>> [whole_number(text, 99) for text in ("7", "007", "٣", "+7", "1_0", "²", "7.0", "100", "")]
    [7, 7, 3, None, None, None, None, None, None]
    """
    digits = (text.lstrip("0") or "0") if text.isdecimal() else ""
    return int(digits) if 0 < len(digits) <= len(str(most)) and int(digits) <= most else None


def real_number(text: str) -> float | None:
    """Return the finite number that a cell has, with a point before decimals, or None. Python alone takes 1_0 for 10.

    >>> [real_number(text) for text in ("6.5", "-1e3", "6,5", "1_0", "nan", "inf", "5 %")]
    [6.5, -1000.0, None, None, None, None, None]
    """
    try:
        value = math.nan if "_" in text else float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


@dataclass
class Spellings:
    """The names of a column, such as those of participants, each of which a file writes in one way.

    >>> names = Spellings("the participant")
    >>> names.add("anna", Row(2, "own.csv, line 2", {}))
    >>> names.add("Anna", Row(3, "own.csv, line 3", {}))
    Traceback (most recent call last):
    relprobe.core.errors.DataError: own.csv, line 3: the participant 'Anna' is 'anna' in line 2: write one of them.
    """

    what: str
    first_spellings: dict[str, tuple[str, int]] = field(default_factory=dict)

    def add(self, name: str, row: Row) -> None:
        """Note a name. DataError: another line has it with other capitals, as the two would count as different names."""
        first, line = self.first_spellings.setdefault(name.casefold(), (name, row.line))
        if first != name:
            raise DataError(f"{row.where}: {self.what} {name!r} is {first!r} in line {line}: write one of them.")


@dataclass
class Once:
    """What may be in a file once: the lines in which it is."""

    lines: dict[object, int] = field(default_factory=dict)

    def add(self, key: object, row: Row, what: str, remedy: str = "remove one of them") -> None:
        """Note the line of a key. DataError: another line has it already. `what`: the key in words."""
        if key in self.lines:
            raise DataError(f"{row.where}: {what} in line {self.lines[key]} already: {remedy}.")
        self.lines[key] = row.line
