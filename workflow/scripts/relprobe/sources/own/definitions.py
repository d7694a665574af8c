"""A user's own dictionary, from a CSV file: words, their definitions, and groups of sister words."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from relprobe.core.csv_schema import CsvSchema, Once, Row, Spellings, whole_number
from relprobe.core.errors import DataError
from relprobe.sources.written import checked_word

SCHEMA = CsvSchema(("word", "part_of_speech", "definition", "group"), ("language", "count"), long=("definition",))
MOST = 10**15
"""The largest count."""
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

    The order is that of the alphabet, and the file's among the senses of a word. The columns language (such as de; without
    it, en) and count may follow. A sense that is in several groups has a line for each. DataError, which names the line:
    another form, a field is missing, the part of speech is unknown, a line comes twice, a count is no whole number or is not
    that of the word's other lines, or a group has two parts of speech or the file two languages.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "own.csv")
    ...     _ = path.write_text("word,part_of_speech,definition,group\nnod,verb,lower the head,gesture\n")
    ...     read(path)
    [Entry(word='nod', pos='verb', definition='lower the head', group='gesture', language='en', count=None)]
    """
    entries = list(_entries(SCHEMA.read(path).rows))
    if not entries:
        raise DataError(f"{path} holds no definitions: add a line such as nod,verb,lower the head,gesture.")
    return sorted(entries, key=lambda entry: entry.word)  # the senses of a word stay in their order


def _entries(rows: Iterable[Row]) -> Iterator[Entry]:
    once, groups = Once(), Spellings("the group")
    same: dict[tuple[str, str], tuple[object, int]] = {}
    for row in rows:
        entry = _entry(row.where, row.cells)
        once.add((entry.word, entry.pos, entry.definition, entry.group), row, "the same is")
        groups.add(entry.group, row)
        agrees = {
            ("language", ""): entry.language,
            ("part of speech of the group", entry.group): entry.pos,
            ("count of the word", entry.word): entry.count,
        }
        for (what, name), value in agrees.items():
            first, at = same.setdefault((what, name), (value, row.line))
            if first != value:
                raise DataError(
                    f"{row.where}: the {what}{name and f' {name!r}'} is {value}, but {first} in line {at}: take one."
                )
        yield entry


def _entry(where: str, fields: dict[str, str]) -> Entry:
    pos, count = fields["part_of_speech"], fields["count"]
    empty = [name for name in SCHEMA.columns if not fields[name]]
    if empty:
        raise DataError(f"{where}: {empty[0]} is empty: fill it in.")
    if pos not in PARTS_OF_SPEECH:
        raise DataError(f"{where}: unknown part of speech {pos!r}; known are {', '.join(PARTS_OF_SPEECH)}.")
    uses = whole_number(count, MOST)
    if count and uses is None:
        raise DataError(f"{where}: the count {count!r} is no whole number: correct it.")
    language = fields["language"] or "en"
    return Entry(checked_word(fields["word"], where), pos, fields["definition"], fields["group"], language, uses)
