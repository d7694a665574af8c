"""Write the figures that the paper prints beside ours."""

import argparse
from pathlib import Path

import polars as pl
from relprobe.core.cli import parser, run
from relprobe.core.files import write_csv
from relprobe.report.published import beside, read
from relprobe.studies.systematicity.published import ours


def main(args: argparse.Namespace) -> None:
    """Write published.csv."""
    names = ("metrics", "consistency", "errors", "detection", "diagnostics", "parts")
    tables = [pl.read_csv(args.tables / f"{name}.csv", infer_schema_length=None) for name in names]
    write_csv(beside(read(args.published), ours(*tables)), args.out)


if __name__ == "__main__":
    arguments = parser(__doc__, "published", "out")
    arguments.add_argument("--tables", required=True, type=Path, help="the folder of the study's tables")
    run(main, arguments)
