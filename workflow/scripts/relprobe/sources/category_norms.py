"""Category norms (Battig and Montague 1969; Van Overschelde et al. 2004): categories and the exemplars people name."""

import re
from collections.abc import Mapping
from pathlib import Path

import polars as pl

from relprobe.core.csv_schema import CsvSchema, Row, whole_number
from relprobe.core.errors import DataError
from relprobe.core.relation import TUPLES

MOST = 10**6
"""People who named an exemplar."""
KIND_OF = re.compile(r"^(?:type|kind|article) of ")
PART_OF = re.compile(r"^part of (?:a |the )?(?:human )?")


def read(path: Path, codes: Mapping[str, str], frequency: int = 1) -> pl.DataFrame:
    r"""Return the tuples of a CSV file with the columns `word` (exemplar) and `catname` (category), as TUPLES.

    A row gives (category, code of "exemplar", exemplar); "type of X", "kind of X" and "article of X" stand for the category
    X. A row with the category "part of X" gives (X, code of "part", exemplar), and "the human body" stands for "body".
    `codes`: the relations' names here -> their codes; rows of the other kind are left out. Other categories of
    several words stay as they are; no lexicon holds them, so the study drops them. With a `frequency` above 1, a row counts
    only if at least this many people named the exemplar (column `freq`). DataError: the file has another form, a field is
    empty, or `freq` is no whole number.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "norms.csv")
    ...     _ = path.write_text("word,catname\nrobin,type of bird\nwing,part of a bird\n")
    ...     read(path, {"exemplar": "HPO", "part": "MER"}).select("target", "relation", "relatum").rows()
    [('bird', 'HPO', 'robin'), ('bird', 'MER', 'wing')]
    """
    schema = CsvSchema(("word", "catname", "freq") if frequency > 1 else ("word", "catname"), other_columns=True)
    pairs = (_pair(row) for row in schema.read(path).rows if frequency == 1 or _count(row) >= frequency)
    rows = [(target, codes[kind], word, ["category_norms"]) for target, kind, word in pairs if kind in codes]
    return pl.DataFrame(rows, schema=TUPLES, orient="row").unique(maintain_order=True)


def _pair(row: Row) -> tuple[str, str, str]:
    category, exemplar = row.cells["catname"], row.cells["word"]
    if not category or not exemplar:
        raise DataError(f"{row.where}: the word or its category is empty.")
    if PART_OF.match(category):
        return PART_OF.sub("", category), "part", exemplar
    return KIND_OF.sub("", category), "exemplar", exemplar


def _count(row: Row) -> int:
    count = whole_number(row.cells["freq"], MOST)
    if count is None:
        raise DataError(f"{row.where}: freq should be a whole number, but is {row.cells['freq']!r}.")
    return count
