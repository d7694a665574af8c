"""Compare two folders of results file by file: `python -m benchmarks.compare_results OLD NEW`.

Parquet tables are compared by what they hold, CSV and SVG files byte by byte; pages, PNG files and logs are not. A file that
was renamed since OLD was made is looked up in RENAMED. The exit status is 1 if anything is missing or differs by more than
the last digits of a sum (ROUNDING).
"""

import argparse
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import polars as pl

RENAMED = (
    (r"^lexicons/", "models/lexicon/"),
    (r"^shared_lexicon\.parquet$", "models/shared_lexicon.parquet"),
    (r"^(relations|degrees)/summary\.parquet$", r"\1/averages.parquet"),
    (r"^(\w+)/tables/metrics\.csv$", r"\1/tables/averages.csv"),
    (r"^systematicity/responses/", "systematicity/scores/"),
    (r"^analogies/sentences\.parquet$", "analogies/probes.parquet"),
)
"""What files were called up to commit bc11f99, and what they are called now."""
COMPARED = (".parquet", ".csv", ".svg")
ONLY_NOW = "is there only now"
LAST_DIGITS = "the last digits differ"
ROUNDING = 1e-12
"""What sums of the same numbers in another order may differ by."""


def new_name(name: str) -> str:
    """Return what a file of the old folder is called in the new one.

    >>> new_name("relations/summary.parquet")
    'relations/averages.parquet'
    """
    for old, new in RENAMED:
        name = re.sub(old, new, name)
    return name


def files(folder: Path) -> set[str]:
    """Return the names of the files to compare, relative to the folder."""
    paths = (path for path in folder.rglob("*") if path.suffix in COMPARED and path.is_file())
    return {path.relative_to(folder).as_posix() for path in paths}


def difference(old: Path, new: Path) -> str | None:
    """Say in what two files differ; None: in nothing."""
    if old.suffix == ".parquet":
        return _table_difference(pl.read_parquet(old), pl.read_parquet(new))
    before, after = old.read_bytes().splitlines(), new.read_bytes().splitlines()
    if before == after:
        return None
    if old.suffix == ".csv":
        tables = (pl.read_csv(path, infer_schema_length=None) for path in (old, new))
        if (sentence := _table_difference(*tables)) is None or sentence.startswith(LAST_DIGITS):
            return sentence or "is written otherwise, but holds the same"
    line = next(
        (i for i, (a, b) in enumerate(zip(before, after, strict=False)) if a != b), min(len(before), len(after))
    )
    return f"line {line + 1} differs ({len(before)} lines before, {len(after)} now)"


def _table_difference(before: pl.DataFrame, after: pl.DataFrame) -> str | None:
    if before.equals(after):
        return None
    if before.schema != after.schema:
        return f"the columns differ: {dict(before.schema)} before, {dict(after.schema)} now"
    if before.height != after.height:
        return f"{before.height} rows before, {after.height} now"
    columns = [name for name in before.columns if not before[name].equals(after[name])]
    gaps = [_gap(before[name], after[name]) for name in columns]
    if max(gaps) <= ROUNDING:
        return f"{LAST_DIGITS}, by {max(gaps):.0e} at most: {', '.join(columns)}"
    return f"the columns {', '.join(columns)} differ, by {max(gaps):.0e} at most"


def _gap(before: pl.Series, after: pl.Series) -> float:
    """Return the largest difference of two columns, relative where numbers are above 1; infinite if one cannot be told."""
    if not before.dtype.is_float() or not before.is_null().equals(after.is_null()):
        return float("inf")
    scale = before.abs().clip(lower_bound=1)
    gap = ((before - after).abs() / scale).max()
    return float("inf") if gap is None else float(gap)  # type: ignore[arg-type]


def compare(old: Path, new: Path) -> Iterator[tuple[str, str]]:
    """Yield what differs as (file, sentence): files that differ, that are missing now, and that are there only now."""
    expected = {new_name(name): name for name in files(old)}
    there = files(new)
    for name in sorted(expected.keys() | there):
        if name not in there:
            yield name, f"is missing ({expected[name]} before)"
        elif name not in expected:
            yield name, ONLY_NOW
        elif sentence := difference(old / expected[name], new / name):
            yield name, sentence


def main() -> int:
    """Print what differs, and return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old", type=Path)
    parser.add_argument("new", type=Path)
    folders = parser.parse_args()
    differences = dict(compare(folders.old, folders.new))
    for name, sentence in differences.items():
        print(f"{name}: {sentence}")
    only_now = [name for name, sentence in differences.items() if sentence == ONLY_NOW]
    rounded = [name for name, sentence in differences.items() if sentence.startswith(LAST_DIGITS)]
    count = len(files(folders.old))
    same = count - len(differences) + len(only_now)
    print(
        f"{same} of {count} files are the same, {len(rounded)} but for the last digits; {len(only_now)} are there only now."
    )
    return int(len(differences) > len(only_now) + len(rounded))


if __name__ == "__main__":
    sys.exit(main())
