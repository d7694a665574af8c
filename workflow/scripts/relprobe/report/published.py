"""The figures that a paper prints, beside ours."""

import re
from pathlib import Path

import polars as pl

from relprobe.core.errors import DataError

PUBLISHED = pl.Schema(
    {
        "where": pl.String(),  # table, figure or section of the paper
        "page": pl.UInt16(),
        "quantity": pl.String(),
        "condition": pl.String(),  # a relation, a part of speech, …; empty for all
        "agent": pl.String(),  # a model as the studies under resources/studies name it, a baseline or the humans
        "value": pl.Float64(),
        "low": pl.Float64(),  # instead of a value, where the paper gives a range
        "high": pl.Float64(),
        "note": pl.String(),  # why ours may differ
    }
)
OURS = pl.Schema({"quantity": pl.String(), "condition": pl.String(), "agent": pl.String(), "ours": pl.Float64()})
KEY = ["quantity", "condition", "agent"]
NOT_RUN = "not in this run"


def read(path: Path) -> pl.DataFrame:
    """Read a CSV file of published figures (PUBLISHED). DataError: other columns, or a value that is no number."""
    try:
        found = pl.read_csv(path, schema_overrides=PUBLISHED)
    except pl.exceptions.PolarsError as error:
        raise DataError(f"{path} holds no published figures ({_first_line(error)}): correct it.") from error
    if found.columns != list(PUBLISHED):
        raise DataError(f"{path} has the columns {found.columns} instead of {list(PUBLISHED)}: correct it.")
    return found


def beside(published: pl.DataFrame, ours: pl.DataFrame) -> pl.DataFrame:
    """Return the published figures with ours (OURS), the difference, and their notes.

    Where there is none of ours the note begins with NOT_RUN, and the reason that the published figure may give follows.
    The difference from a range is that from its nearer end, and 0 inside it.
    """
    joined = published.join(ours, on=KEY, how="left", nulls_equal=True, maintain_order="left")
    value = pl.col("ours")
    from_range = value - value.clip(pl.col("low"), pl.col("high"))
    difference = pl.when(pl.col("value").is_not_null()).then(value - pl.col("value")).otherwise(from_range)
    missing = pl.concat_str(pl.lit(NOT_RUN), "note", separator="; ", ignore_nulls=True)
    note = pl.when(value.is_null()).then(missing).otherwise("note")
    return joined.select(
        *("where", "page", *KEY, "value", "low", "high", "ours"), difference=difference.round(6), note=note
    )


def _first_line(error: Exception) -> str:
    return re.split(r"\n", str(error), maxsplit=1)[0]
