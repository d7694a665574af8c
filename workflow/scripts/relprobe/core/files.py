"""Files that are either whole or absent, and Parquet tables that fit their schema."""

import csv
import glob
import hashlib
import io
import json
import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import yaml

from relprobe.core.errors import DataError, first_line

CHUNK_BYTES = 1 << 20


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """Yield a temporary name beside `path`; on success rename it into place, on any failure delete it.

    What a killed job left of the same file is deleted first. No other job can be writing it: Snakemake runs one job per
    file at a time. (Whether that job lives could not be told by its number, which may be that of another machine.)
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    for left in path.parent.glob(f".{glob.escape(path.name)}.*.partial"):
        left.unlink(missing_ok=True)
    partial = path.with_name(f".{path.name}.{os.getpid()}.partial")
    try:
        yield partial
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)


@contextmanager
def whole_folder(path: Path) -> Iterator[Path]:
    """Yield an empty temporary folder beside `path`; on success it takes the place of `path`, whole."""
    partial = path.with_name(f".{path.name}.partial")
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir(parents=True)
    try:
        yield partial
        shutil.rmtree(path, ignore_errors=True)
        partial.replace(path)
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def exists(path: str) -> bool:
    """Say whether there is a file or folder of this name, however long the name."""
    try:
        return Path(path).exists()
    except OSError:  # longer than any file name
        return False


def sha256(path: Path) -> str:
    """Return the hexadecimal SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def write_json(value: object, path: Path) -> None:
    """Write `value` as indented JSON."""
    with whole_file(path) as partial:
        partial.write_text(json.dumps(value, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def read_json(path: Path) -> Any:
    """Read a JSON file; a file that is missing or no JSON is a DataError."""
    try:
        return json.loads(read_text(path))
    except FileNotFoundError:
        raise DataError(f"{path} is missing: run the rule that makes it.") from None
    except json.JSONDecodeError as error:
        raise DataError(f"{path} is no valid JSON ({error}): get it anew.") from error


def read_text(path: Path) -> str:
    """Read a UTF-8 text file, with or without byte-order mark, its line ends made LF; any other encoding is a DataError."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise DataError(f"{path} is not UTF-8 ({error}): convert it, for example with iconv.") from error


def read_yaml(path: Path) -> Any:
    """Read a YAML file, and nothing in it but plain values; one that is no valid YAML is a DataError."""
    try:
        return yaml.safe_load(read_text(path))
    except (yaml.YAMLError, ValueError) as error:  # ValueError: a date that there is not, digits without a number
        raise DataError(f"{path} is no valid YAML ({first_line(error)}): correct it.") from error


def read_rows(path: Path, delimiter: str = ",") -> Iterator[tuple[int, list[str]]]:
    """Yield the number of its last line and the fields of each row of a CSV file, blank lines left out.

    DataError: it is no UTF-8, or no CSV: a field is longer than Python takes, as after a quote that is never closed.
    """
    reader = csv.reader(io.StringIO(read_text(path)), delimiter=delimiter)
    try:
        for fields in reader:
            if fields:
                yield reader.line_num, fields
    except csv.Error as error:
        raise DataError(f"{path}, line {reader.line_num}: {error}: is a quote never closed? Correct it.") from error


def write_table(table: pl.DataFrame, schema: pl.Schema, path: Path) -> None:
    """Write `table` as Parquet (zstd); its columns and types must be exactly those of `schema`."""
    found = table.select(sorted(table.columns)).schema
    if dict(found) != dict(schema):
        raise DataError(f"{path}: the table has {dict(found)}, but its schema says {dict(schema)}.")
    with whole_file(path) as partial:
        table.select(list(schema)).write_parquet(partial, compression="zstd")


def read_table(path: Path, schema: pl.Schema) -> pl.DataFrame:
    """Read a Parquet table that has the columns and types of `schema`; anything else is a DataError."""
    with _parquet(path):
        found = pl.read_parquet_schema(path)
        if dict(found) != dict(schema):
            raise DataError(f"{path} has {dict(found)} instead of {dict(schema)}: delete it and run again.")
        return pl.read_parquet(path)


def read_columns(path: Path, columns: list[str]) -> pa.Table:
    """Read columns of a Parquet file as Arrow has them; a file that is damaged or has no such columns is a DataError."""
    with _parquet(path):
        return pq.read_table(path, columns=columns)


def read_rows_where(path: Path, column: str, value: str, columns: list[str]) -> pl.DataFrame:
    """Read columns of those rows of a Parquet file whose `column` has a value; no others are held. Errors: read_columns."""
    with _parquet(path):
        return pl.scan_parquet(path).filter(pl.col(column) == value).select(columns).collect()


@contextmanager
def _parquet(path: Path) -> Iterator[None]:
    """Turn what libraries raise on a damaged Parquet file into a DataError."""
    try:
        yield
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, pa.ArrowException, OSError) as error:
        raise DataError(f"{path} cannot be read as Parquet ({first_line(error)}): delete it and run again.") from error


def write_csv(table: pl.DataFrame, path: Path) -> None:
    """Write a table as CSV, floats in full, missing values empty."""
    with whole_file(path) as partial:
        table.write_csv(partial)


def write_tables(tables: Mapping[str, pl.DataFrame], paths: Sequence[Path]) -> None:
    """Write a CSV file per table, which has the table's name. DataError: other names than those of the tables."""
    if sorted(tables) != sorted(path.stem for path in paths):
        raise DataError(f"the tables are {', '.join(tables)}, but the files are {', '.join(map(str, paths))}.")
    for path in paths:
        write_csv(tables[path.stem], path)
