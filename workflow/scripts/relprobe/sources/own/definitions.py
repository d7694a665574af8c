"""A user's own dictionary, from a CSV file: words, their definitions, and groups of sister words."""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from relprobe.core.errors import DataError
from relprobe.core.files import read_rows

COLUMNS = ["word", "part_of_speech", "definition", "group"]
OPTIONAL = ["language", "count"]
HEADERS = [
    [*COLUMNS, *more] for number in range(len(OPTIONAL) + 1) for more in itertools.combinations(OPTIONAL, number)
]
DIGITS = 15
"""Digits of the largest count."""
PARTS_OF_SPEECH = ("noun", "verb", "adjective")


@dataclass(frozen=True)
class Entry:
    """A sense of a word in a group of sisters. `count`: its uses in a corpus, None where the file does not say."""

    word: str
    pos: str
    definition: str
    group: str
    language: str = "en"
    count: int | None = None


def read(path: Path) -> list[Entry]:
    r"""Return the entries of a CSV file with the columns word, part_of_speech, definition and group.

    The columns language (such as de; without it, en) and count may follow. A sense that is in several groups has a line for
    each. DataError, which names the line: the header differs, a field is missing, the part of speech is unknown, a line
    comes twice, a count is no whole number or is not that of the word's other lines, or a group has two parts of speech or
    the file two languages.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "own.csv")
    ...     _ = path.write_text("word,part_of_speech,definition,group\nnod,verb,lower the head,gesture\n")
    ...     read(path)
    [Entry(word='nod', pos='verb', definition='lower the head', group='gesture', language='en', count=None)]
    """
    rows = read_rows(path)
    header = next(rows, (1, []))[1]
    if header not in HEADERS:
        raise DataError(f"{path}: the first line must be {','.join(COLUMNS)}, and may go on with language and count.")
    entries = list(_entries(path, header, rows))
    if not entries:
        raise DataError(f"{path} holds no definitions: add a line such as nod,verb,lower the head,gesture.")
    return entries


def _entries(path: Path, header: list[str], rows: Iterator[tuple[int, list[str]]]) -> Iterator[Entry]:
    lines: dict[tuple[str, str, str, str], int] = {}
    same: dict[tuple[str, str], tuple[object, int]] = {}
    for line, row in rows:
        where = f"{path}, line {line}"
        if len(row) != len(header):
            raise DataError(f"{where}: {len(row)} fields where {len(header)} are expected.")
        one = _entry(where, dict(zip(header, (" ".join(field.split()) for field in row), strict=True)))
        key = one.word, one.pos, one.definition, one.group
        if key in lines:
            raise DataError(f"{where}: it is line {lines[key]} a second time: remove one of them.")
        lines[key] = line
        agrees = {
            ("language", ""): one.language,
            ("part of speech of the group", one.group): one.pos,
            ("count of the word", one.word): one.count,
        }
        for (what, name), value in agrees.items():
            first, at = same.setdefault((what, name), (value, line))
            if first != value:
                raise DataError(
                    f"{where}: the {what}{name and f' {name!r}'} is {value}, but {first} in line {at}: take one."
                )
        yield one


def _entry(where: str, fields: dict[str, str]) -> Entry:
    pos, count = fields["part_of_speech"], fields.get("count", "")
    empty = [name for name in COLUMNS if not fields[name]]
    if empty:
        raise DataError(f"{where}: {empty[0]} is empty: fill it in.")
    if pos not in PARTS_OF_SPEECH:
        raise DataError(f"{where}: unknown part of speech {pos!r}; known are {', '.join(PARTS_OF_SPEECH)}.")
    if count and not (count.isdecimal() and len(count) <= DIGITS):
        raise DataError(f"{where}: the count {count!r} is no whole number: correct it.")
    language = fields.get("language") or "en"
    return Entry(fields["word"], pos, fields["definition"], fields["group"], language, int(count) if count else None)
