"""A user's own hyponyms, from a CSV file: words with their categories and, if there are any, sentences."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from relprobe.core.errors import DataError
from relprobe.core.files import read_rows
from relprobe.sources.systematicity import SLOT, place

HEADERS = (["hyponym", "category", "plural"], ["hyponym", "category", "plural", "sentence"])


@dataclass(frozen=True)
class Hyponym:
    """A hyponym, its category, its plural ("" if the file gives none), a sentence with it or "", and its line."""

    word: str
    category: str
    plural: str
    sentence: str
    line: int


def read(path: Path) -> list[Hyponym]:
    r"""Return the rows of a CSV file with the columns hyponym, category, plural and, if you like, sentence.

    A word may be a phrase, and may have any letters. An empty plural is left to `inflect`. A sentence holds the hyponym as
    a whole word. DataError, which names the line: the header differs, a field is missing or holds a slot, a hyponym comes
    twice, or a sentence lacks its hyponym.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "own.csv")
    ...     _ = path.write_text("hyponym,category,plural\néclair,pastry,\n")
    ...     read(path)
    [Hyponym(word='éclair', category='pastry', plural='', sentence='', line=2)]
    """
    rows = read_rows(path)
    header = next(rows, (1, []))[1]
    if header not in HEADERS:
        raise DataError(f"{path}: the first line must be {' or '.join(map(','.join, HEADERS))}.")
    hyponyms = list(_hyponyms(path, rows, len(header)))
    if not hyponyms:
        raise DataError(f"{path} holds no hyponyms: add a line such as robin,bird,robins.")
    return hyponyms


def _hyponyms(path: Path, rows: Iterator[tuple[int, list[str]]], width: int) -> Iterator[Hyponym]:
    lines: dict[str, int] = {}
    for line, row in rows:
        where = f"{path}, line {line}"
        if len(row) != width:
            raise DataError(f"{where}: {len(row)} fields where {width} are expected.")
        word, category, plural, sentence = (*map(str.strip, row), *[""] * (len(HEADERS[1]) - width))
        if not word or not category:
            raise DataError(f"{where}: hyponym and category must not be empty.")
        if any(SLOT in field for field in row):
            raise DataError(f"{where}: a field holds {SLOT}: write the hyponym there.")
        if word in lines:
            raise DataError(f"{where}: the hyponym {word!r} is in line {lines[word]} already: remove one of them.")
        if sentence and place(sentence, [word, plural] if plural else [word]) is None:
            raise DataError(f"{where}: the sentence lacks {word!r}: correct it, or leave it empty.")
        lines[word] = line
        yield Hyponym(word, category, plural, sentence, line)
