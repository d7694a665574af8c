"""How often words and phrases occur in a corpus, from a CSV file of counts."""

from pathlib import Path

from relprobe.core.csv_schema import CsvSchema, Once, whole_number
from relprobe.core.errors import DataError

SCHEMA = CsvSchema(("word", "count"))
MOST = 10**15
"""The largest count."""


def check_header(path: Path) -> None:
    """Check the first line of a file of counts, which may have millions. DataError: it is another line."""
    SCHEMA.read(path)


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
    once, counts = Once(), dict[str, int]()
    for row in SCHEMA.read(path).rows:
        word, count = row.cells["word"], whole_number(row.cells["count"], MOST)
        if not word or count is None:
            raise DataError(
                f"{row.where}: expected a word and a whole number, not {word!r} and {row.cells['count']!r}: correct it."
            )
        once.add(word, row, f"{word!r} is", "add up its counts")
        counts[word] = count
    if not counts:
        raise DataError(f"{path} holds no counts: add a line such as beckon,57.")
    return counts
