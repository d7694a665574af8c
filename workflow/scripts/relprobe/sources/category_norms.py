"""Category norms (Battig and Montague 1969; Van Overschelde et al. 2004): categories and the exemplars people name."""

import re
from pathlib import Path

import polars as pl

from relprobe.core.errors import DataError
from relprobe.core.files import read_rows
from relprobe.core.relation import TUPLES

KIND_OF = re.compile(r"^(?:type|kind|article) of ")
PART_OF = re.compile(r"^part of (?:a |the )?(?:human )?")


def read(path: Path, frequency: int = 1) -> pl.DataFrame:
    """Return the tuples of a CSV file with the columns `word` (exemplar) and `catname` (category).

    (category, HPO, exemplar), where "type of X", "kind of X" and "article of X" stand for X; the categories "part of
    X" give (X, MER, exemplar), and the human body is the body. Categories that are several words all the same stay as
    they are: no lexicon holds them. Above 1, `frequency` is the least number of people (column `freq`) who must have
    named an exemplar. DataError: another header, an empty field, a `freq` that is no whole number, no UTF-8.
    """
    numbered = read_rows(path)
    header = next(numbered, (1, []))[1]
    needed = {"word", "catname"} | ({"freq"} if frequency > 1 else set())
    missing = needed - set(header)
    if missing:
        raise DataError(f"{path}: the header has no column {' and no '.join(sorted(missing))}.")
    named = ((line, dict.fromkeys(header, "") | dict(zip(header, fields, strict=False))) for line, fields in numbered)
    rows = [
        _tuple(path, line, row) for line, row in named if frequency == 1 or _count(path, line, row["freq"]) >= frequency
    ]
    return pl.DataFrame(rows, schema=TUPLES, orient="row").unique(maintain_order=True)


def _tuple(path: Path, line: int, row: dict[str, str]) -> tuple[str, str, str, list[str]]:
    category, exemplar = row["catname"].strip(), row["word"].strip()
    if not category or not exemplar:
        raise DataError(f"{path}, line {line}: the word or its category is empty.")
    if PART_OF.match(category):
        return PART_OF.sub("", category), "MER", exemplar, ["category_norms"]
    return KIND_OF.sub("", category), "HPO", exemplar, ["category_norms"]


def _count(path: Path, line: int, text: str | None) -> int:
    try:
        return int(text or "")
    except ValueError:
        raise DataError(f"{path}, line {line}: freq should be a whole number, but is {text!r}.") from None
