"""A user's own words as answers: a list of words, and lists of candidates for the relations and their targets."""

from collections.abc import Collection
from pathlib import Path
from typing import Annotated

import polars as pl

from relprobe.core.errors import DataError
from relprobe.core.files import parquet, read_own_text
from relprobe.core.form import Form, Once

CANDIDATES = pl.Schema({"relation": pl.String(), "target": pl.String(), "word": pl.String()})
"""The words that may be answers to the probes of a relation; with a target, to the probes about it alone."""
Candidates = Annotated[pl.DataFrame, parquet(CANDIDATES)]
FORM = Form(("relation", "candidate"), ("target",), as_written=True)


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
    for line, word in enumerate(read_own_text(path).split("\n"), 1):
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
    names the line: another form, a relation has no such code, a candidate is there twice in one list, has no letter, or has
    a blank too many; or there are no candidates.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "candidates.csv")
    ...     _ = path.write_text("relation,candidate,target\nHYP,bird,\nHYP,ice cream,robin\n")
    ...     read_candidates(path, ["HYP"]).rows()
    [('HYP', None, 'bird'), ('HYP', 'robin', 'ice cream')]
    """
    once, rows = Once(), []
    for row in FORM.read(path).rows:
        relation, word, target = row.cells["relation"].strip(), row.cells["candidate"], row.cells["target"].strip()
        if relation not in codes:
            raise DataError(f"{row.where}: unknown relation {relation!r}; the relations file has {', '.join(codes)}.")
        _check_word(row.where, word)
        once.add((relation, target, word), row, f"{word!r} is in the same list")
        rows.append((relation, target or None, word))
    if not rows:
        raise DataError(f"{path} holds no candidates: add a line such as {next(iter(codes))},bird.")
    return pl.DataFrame(rows, schema=CANDIDATES, orient="row").sort(pl.all())


def _check_word(where: str, word: str) -> None:
    if not any(character.isalpha() for character in word):
        raise DataError(f"{where}: {word!r} has no letter and is no word: remove it.")
    single = " ".join(word.split())
    if single != word:
        raise DataError(f"{where}: {word!r} has a blank too many: write {single!r}.")
