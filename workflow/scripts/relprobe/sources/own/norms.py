"""Norms of people who were asked without prompts: free associations, and features of concepts."""

import re
from collections.abc import Iterable
from pathlib import Path

import polars as pl

from relprobe.core.csv_schema import CsvSchema, Row, whole_number
from relprobe.core.errors import DataError

NORMS = pl.Schema(
    {
        "target": pl.String(),
        "relation": pl.String(),  # the code of the relation that the answer is about; missing: of none
        "word": pl.String(),
        "people": pl.UInt32(),  # how many named it
    }
)
NO_RESPONSE = {"", "NA", "No more responses", "Unknown word"}
"""What Small World of Words writes where a participant gave no answer."""
FREQUENCIES = ("prod_freq", "pf", "production_frequency")
"""The column of feature norms that says how many people named a feature: McRae's, CSLB's, and spelled out."""
ASSOCIATIONS = CsvSchema(("cue",), ("response", "r1", "r2", "r3", "r123"), other_columns=True, tabs=True)
FEATURES = CsvSchema(("concept", "feature"), FREQUENCIES, other_columns=True, tabs=True)
PATTERNS = {"HYP": re.compile(r"(?:is )?an? (.+)"), "MER": re.compile(r"has (?:an? )?(.+)")}
"""Relation -> the features that are about it."""
MOST = 10**6
"""The largest number of people."""
IN_PARENTHESES = re.compile(r" *\(.*\)")


def associations(path: Path) -> pl.DataFrame:
    r"""Return the free associations of Small World of Words as NORMS, without relations.

    The file has a row per participant and cue, with the columns cue and R1, R2, R3 (`SWOW-EN.R100.csv`), or a row per cue
    and response with the number of people in the column R1 or R123 (the files of strengths). It is separated by commas or
    tabs.
    DataError: the file has other columns, or a number is no number.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "swow.csv")
    ...     _ = path.write_text("cue,R1,R2,R3\nrobin,bird,red,NA\nrobin,bird,,\n")
    ...     associations(path).sort("people").rows()
    [('robin', None, 'red', 1), ('robin', None, 'bird', 2)]
    """
    names, rows = ASSOCIATIONS.read(path)
    counted = next((name for name in ("r123", "r1") if name in names), None)
    if "response" in names and counted is not None:
        responses = ((row.cells["cue"], row.cells["response"], _number(row, counted)) for row in rows)
        return _norms(path, ((cue, None, word, people) for cue, word, people in responses))
    answers = [name for name in ("r1", "r2", "r3") if name in names]
    if not answers:
        raise DataError(
            f"{path} has no columns cue and R1, nor cue, response and R1 or R123: is it Small World of Words?"
        )
    single = ((row.cells["cue"], row.cells[name]) for row in rows for name in answers)
    return _norms(path, ((cue, None, word, 1) for cue, word in single if word not in NO_RESPONSE))


def feature_norms(path: Path) -> pl.DataFrame:
    r"""Return the features of concepts that are about a relation as NORMS: "is a bird" about HYP, "has wings" about MER.

    The file has the columns concept, feature and one of FREQUENCIES, as those of McRae et al. (2005) and CSLB (Devereux et
    al. 2014); underscores are blanks, and what stands in parentheses after a concept is left out. It is separated by commas
    or tabs. DataError: the file has other columns, or a number is no number.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "mcrae.txt")
    ...     _ = path.write_text("Concept\tFeature\tProd_Freq\nrobin\ta_bird\t16\nrobin\tbeh_-_flies\t9\n")
    ...     feature_norms(path).rows()
    [('robin', 'HYP', 'bird', 16)]
    """
    names, rows = FEATURES.read(path)
    frequency = next((name for name in FREQUENCIES if name in names), None)
    if frequency is None:
        raise DataError(
            f"{path} has no columns concept, feature and {' or '.join(FREQUENCIES)}: are these feature norms?"
        )
    features = (
        (IN_PARENTHESES.sub("", _blanks(row.cells["concept"])), relation, match[1], _number(row, frequency))
        for row in rows
        for relation, pattern in PATTERNS.items()
        if (match := pattern.fullmatch(_blanks(row.cells["feature"])))
    )
    return _norms(path, features)


def _norms(path: Path, rows: Iterable[tuple[str, str | None, str, int]]) -> pl.DataFrame:
    """Return rows as NORMS; the people of equal rows are added."""
    listed = list(rows)
    if not listed:
        raise DataError(f"{path} has no row that says what people named: is it the right file?")
    table = pl.DataFrame(listed, schema=NORMS, orient="row")
    keys = ["target", "relation", "word"]
    return table.group_by(keys, maintain_order=True).agg(pl.col("people").sum()).select(list(NORMS)).cast(NORMS)  # type: ignore[arg-type]


def _number(row: Row, column: str) -> int:
    people = whole_number(row.cells[column], MOST)
    if people is None:
        raise DataError(f"{row.where}: {row.cells[column]!r} is no number of people.")
    return people


def _blanks(text: str) -> str:
    return " ".join(text.replace("_", " ").split())
