"""A user's own words as answers: a list of words, and lists of candidates for the relations and their targets."""

from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Annotated

import polars as pl

from relprobe.core.errors import DataError
from relprobe.core.files import parquet, read_rows, read_text

CANDIDATES = pl.Schema({"relation": pl.String(), "target": pl.String(), "word": pl.String()})
"""The words that may be answers to the probes of a relation; with a target, to the probes about it alone."""
Candidates = Annotated[pl.DataFrame, parquet(CANDIDATES)]
HEADERS = (["relation", "candidate"], ["relation", "candidate", "target"])


def read_words(path: Path) -> list[str]:
    r"""Return the words of a text file, one a line. A word may be an expression of several words; blank lines do not count.

    DataError, which names the line: a word is there twice, has no letter, or has a blank too many; or there are no words.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "words.txt")
    ...     _ = path.write_text("robin\nice cream\n")
    ...     read_words(path)
    ['robin', 'ice cream']
    """
    lines: dict[str, int] = {}
    for line, word in enumerate(read_text(path).split("\n"), 1):
        if word.strip():
            _check_word(f"{path}, line {line}", word)
            if word in lines:
                raise DataError(f"{path}, line {line}: {word!r} is in line {lines[word]} already: remove one of them.")
            lines[word] = line
    if not lines:
        raise DataError(f"{path} holds no words: write one on each line.")
    return list(lines)


def read_candidates(path: Path, codes: Collection[str]) -> pl.DataFrame:
    r"""Return the candidates of a CSV file with the columns relation, candidate and, if you like, target (CANDIDATES).

    `codes`: those of the study's relations. Without a target, a candidate is one of the whole relation. DataError, which
    names the line: the header differs, a relation has no such code, a candidate is there twice in one list, has no letter,
    or has a blank too many; or there are no candidates.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "candidates.csv")
    ...     _ = path.write_text("relation,candidate,target\nHYP,bird,\nHYP,ice cream,robin\n")
    ...     read_candidates(path, ["HYP"]).rows()
    [('HYP', None, 'bird'), ('HYP', 'robin', 'ice cream')]
    """
    rows = read_rows(path)
    header = next(rows, (1, []))[1]
    if header not in HEADERS:
        raise DataError(f"{path}: the first line must be {' or '.join(map(','.join, HEADERS))}.")
    table = pl.DataFrame(_candidates(path, rows, len(header), codes), schema=CANDIDATES, orient="row")
    if table.is_empty():
        raise DataError(f"{path} holds no candidates: add a line such as {next(iter(codes))},bird.")
    return table


def _candidates(
    path: Path, rows: Iterator[tuple[int, list[str]]], width: int, codes: Collection[str]
) -> Iterator[tuple[str, str | None, str]]:
    lines: dict[tuple[str, str, str], int] = {}
    for line, row in rows:
        where = f"{path}, line {line}"
        if len(row) != width:
            raise DataError(f"{where}: {len(row)} fields where {width} are expected.")
        relation, word, target = (row[0].strip(), row[1], row[2].strip() if width > len(HEADERS[0]) else "")
        if relation not in codes:
            raise DataError(f"{where}: unknown relation {relation!r}; the relations file has {', '.join(codes)}.")
        _check_word(where, word)
        key = (relation, target, word)
        if key in lines:
            raise DataError(f"{where}: {word!r} is in the same list in line {lines[key]} already: remove one of them.")
        lines[key] = line
        yield relation, target or None, word


def _check_word(where: str, word: str) -> None:
    if not any(character.isalpha() for character in word):
        raise DataError(f"{where}: {word!r} has no letter and is no word: remove it.")
    single = " ".join(word.split())
    if single != word:
        raise DataError(f"{where}: {word!r} has a blank too many: write {single!r}.")
