"""A user's own pairs of words, from a table with any names of columns."""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from relprobe.core.csv_schema import CsvSchema, Spellings, folded_name
from relprobe.core.errors import DataError
from relprobe.core.words import enumeration
from relprobe.sources.written import checked_word

MARKS = ("[W]", "[V]", "[DET]")
"""What stands for words in prompts, so that no name may have it."""


class Pairs(NamedTuple):
    """The pairs of a file: code of a relation -> its name and that of its inverse; and target, code and relatum of each."""

    relations: dict[str, tuple[str, str]]
    rows: list[tuple[str, str, str]]

    def targets(self) -> set[str]:
        """Return the targets, in small letters."""
        return {target.casefold() for target, _, _ in self.rows}


def read(path: Path) -> Pairs:
    r"""Read a table of pairs: the columns target, relatum and maybe relation, or two columns with any names.

    Without the column relation there is one, whose name is that of the second column, or of the file. DataError: the file
    has another form, a cell is empty or no word, or there are no pairs.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "paare.csv")
    ...     _ = path.write_text("Werkzeug;Tätigkeit\nSäge;sägen\n")
    ...     read(path)
    Pairs(relations={'TAT': ('Tätigkeit', 'Werkzeug')}, rows=[('Säge', 'TAT', 'sägen')])
    """
    table = CsvSchema((), other_columns=True).read(path)
    columns = columns_of(path, table.names)
    by_name = {"target", "relatum"} <= set(columns)
    if not by_name and len(table.names) != 2:
        missing = enumeration(name for name in ("target", "relatum") if name not in columns)
        raise DataError(
            f"{path}: the first line must name two columns, or target and relatum among others, but names "
            f"{len(table.names)} and has no column {missing}: name the words so, and the relation relation."
        )
    target, relatum = (columns["target"], columns["relatum"]) if by_name else table.names
    name, inverse = (path.stem, f"inverse of {path.stem}") if by_name else (relatum, target)
    relations: dict[str, tuple[str, str]] = {}
    spellings = Spellings("the relation")
    rows = []
    for row in table.rows:
        words = [checked_word(row.cells[column], row.where) for column in (target, relatum) if row.cells[column]]
        if len(words) < 2:
            raise DataError(f"{row.where}: a pair has two words: complete or delete the line.")
        relation = row.cells[columns["relation"]] if "relation" in columns else name
        if not relation:
            raise DataError(f"{row.where}: the relation must not be empty: name it.")
        spellings.add(relation, row)
        names = (relation, f"inverse of {relation}") if "relation" in columns else (name, inverse)
        if marked := [mark for mark in MARKS for text in names if mark in text]:
            raise DataError(
                f"{row.where}: the relation {relation!r} or its inverse is named with {marked[0]}, a mark of prompts: "
                "rename it."
            )
        code = next((code for code, pair in relations.items() if pair == names), None) or code_of(relation, relations)
        relations[code] = names
        rows.append((words[0], code, words[1]))
    if not rows:
        raise DataError(f"{path} holds no pairs: add a line with two words.")
    return Pairs(relations, rows)


def columns_of(path: Path, names: Sequence[str]) -> dict[str, str]:
    """Return the columns of a file by their names as `folded_name` writes them. DataError: two have the same."""
    columns: dict[str, str] = {}
    for name in filter(None, names):
        first = columns.setdefault(folded_name(name), name)
        if first is not name:
            raise DataError(f"{path}: the columns {first!r} and {name!r} have one name: rename or delete one of them.")
    return columns


def code_of(name: str, codes: Mapping[str, object]) -> str:
    """Return a code for a relation: the first three letters of its name without accents, and a number if they are taken.

    A code begins with a letter, so that no program takes it for a number.

    >>> code_of("Tätigkeit", {}), code_of("tat", {"TAT": 1}), code_of("味", {}), code_of("007", {})
    ('TAT', 'TAT2', 'REL', 'R007')
    """
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    code = re.sub(r"[^A-Za-z0-9]", "", plain)[:3].upper() or "REL"
    code = f"R{code}" if code[0].isdigit() else code
    taken = {*codes, *map(inverse_of, codes)}
    return next(
        candidate for candidate in (code, *(f"{code}{number}" for number in range(2, 1000))) if candidate not in taken
    )


def inverse_of(code: str) -> str:
    """Return the code of the inverse of a relation."""
    return f"{code}INV"
