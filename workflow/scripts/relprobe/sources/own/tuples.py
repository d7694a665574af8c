"""A user's own tuples, from a CSV file."""

from collections.abc import Collection
from pathlib import Path

import polars as pl

from relprobe.core.csv_schema import CsvSchema, Row
from relprobe.core.errors import DataError
from relprobe.core.relation import TUPLES
from relprobe.sources.written import checked_word

SCHEMA = CsvSchema(("target", "relation", "relatum"))


def read(path: Path, codes: Collection[str]) -> pl.DataFrame:
    r"""Return the tuples of a CSV file with the columns target, relation and relatum, as TUPLES.

    `codes`: those of the study's relations. A target or relatum may be an expression of several words, which are read as
    people's answers are (`plain_word`). DataError: the file has another form, a relation has no such code, a target or
    relatum is empty or no word, or there are no tuples.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "own.csv")
    ...     _ = path.write_text("target,relation,relatum\nrobin,HYP,bird\n")
    ...     read(path, ["HYP", "HPO"]).rows()
    [('robin', 'HYP', 'bird', ['own_tuples'])]
    """
    tuples = [_tuple(row, codes) for row in SCHEMA.read(path).rows]
    if not tuples:
        raise DataError(f"{path} holds no tuples: add a line such as robin,{next(iter(codes))},bird.")
    return pl.DataFrame(tuples, schema=TUPLES, orient="row").unique(maintain_order=True)


def _tuple(row: Row, codes: Collection[str]) -> tuple[str, str, str, list[str]]:
    target, relation, relatum = (row.cells[name] for name in SCHEMA.columns)
    if relation not in codes:
        raise DataError(f"{row.where}: unknown relation {relation!r}; the relations file has {', '.join(codes)}.")
    if not target or not relatum:
        raise DataError(f"{row.where}: target and relatum must not be empty: {target!r} and {relatum!r}.")
    return checked_word(target, row.where), relation, checked_word(relatum, row.where), ["own_tuples"]
