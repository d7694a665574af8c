"""How often words and phrases occur in a corpus, from a CSV file of counts."""

from pathlib import Path

from relprobe.core.errors import DataError
from relprobe.core.files import read_rows

HEADER = ["word", "count"]
FORM = ",".join(HEADER)
DIGITS = 15
"""Digits of the largest count."""


def check_header(path: Path) -> None:
    """Check the first line of a file of counts, which may have millions. DataError: it is another line."""
    first = next(read_rows(path), (1, []))[1]
    if [field.strip() for field in first] != HEADER:
        raise DataError(f"{path}: the first line must be {FORM}.")


def read(path: Path) -> dict[str, int]:
    r"""Return word or phrase -> uses in the corpus, from a CSV file with the columns word and count.

    DataError, which names the line: the header differs, a field is missing, a count is no whole number of 0 or more, or a
    word comes twice.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "counts.csv")
    ...     _ = path.write_text("word,count\nbeckon,57\nwarm up,12\n")
    ...     read(path)
    {'beckon': 57, 'warm up': 12}
    """
    check_header(path)
    counts: dict[str, int] = {}
    for line, row in list(read_rows(path))[1:]:
        where = f"{path}, line {line}"
        if len(row) != len(HEADER):
            raise DataError(f"{where}: {len(row)} fields where {len(HEADER)} are expected: write {FORM}.")
        word, count = " ".join(row[0].split()), row[1].strip()
        if not word or not count.isdecimal() or len(count) > DIGITS:
            raise DataError(f"{where}: expected a word and a whole number, not {row[0]!r} and {row[1]!r}: correct it.")
        if word in counts:
            raise DataError(f"{where}: {word!r} comes a second time: add up its counts.")
        counts[word] = int(count)
    if not counts:
        raise DataError(f"{path} holds no counts: add a line such as beckon,57.")
    return counts
