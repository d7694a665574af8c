"""A user's own tuples, from a CSV file."""

from collections.abc import Collection
from pathlib import Path

import polars as pl

from relprobe.core.errors import DataError
from relprobe.core.files import read_rows
from relprobe.core.relation import TUPLES

HEADER = ["target", "relation", "relatum"]


def read(path: Path, codes: Collection[str]) -> pl.DataFrame:
    r"""Return the tuples of a CSV file with the columns target, relation and relatum, as TUPLES.

    `codes`: those of the study's relations. A target or relatum may be an expression of several words. DataError: the
    header differs, a relation has no such code, a target or relatum is empty, or the file is not UTF-8.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "own.csv")
    ...     _ = path.write_text("target,relation,relatum\nrobin,HYP,bird\n")
    ...     read(path, ["HYP", "HPO"]).rows()
    [('robin', 'HYP', 'bird', ['own_tuples'])]
    """
    rows = read_rows(path)
    if next(rows, (1, []))[1] != HEADER:
        raise DataError(f"{path}: the first line must be {','.join(HEADER)}.")
    tuples = [_tuple(path, line, row, codes) for line, row in rows]
    return pl.DataFrame(tuples, schema=TUPLES, orient="row").unique(maintain_order=True)


def _tuple(path: Path, line: int, row: list[str], codes: Collection[str]) -> tuple[str, str, str, list[str]]:
    if len(row) != len(HEADER):
        raise DataError(f"{path}, line {line}: {len(row)} fields where {len(HEADER)} are expected.")
    target, relation, relatum = (" ".join(field.split()) for field in row)
    if relation not in codes:
        raise DataError(
            f"{path}, line {line}: unknown relation {relation!r}; the relations file has {', '.join(codes)}."
        )
    if not target or not relatum:
        raise DataError(f"{path}, line {line}: target and relatum must not be empty: {target!r} and {relatum!r}.")
    return target, relation, relatum, ["own_tuples"]
