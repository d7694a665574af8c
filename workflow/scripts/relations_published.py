"""Write the figures that the paper prints beside ours."""

import argparse
from pathlib import Path

import polars as pl
from relprobe.core.cli import parser, run
from relprobe.core.files import read_table, write_csv
from relprobe.report.published import beside, read
from relprobe.studies.relations.published import ours, reasoned
from relprobe.studies.relations.schemas import METRICS, SUMMARY


def main(args: argparse.Namespace) -> None:
    """Write published.csv; each metrics file is named after its agent, each table after itself."""
    values = {path.stem: read_table(path, METRICS) for path in args.metrics}
    tables = {path.stem: pl.read_csv(path, infer_schema_length=None) for path in args.tables}
    found = ours(read_table(args.summary, SUMMARY), values, tables, args.models)
    write_csv(beside(reasoned(read(args.published), args.panel), found), args.out)


if __name__ == "__main__":
    arguments = parser(__doc__, "published", "summary", "out")
    for name in ("metrics", "tables"):
        arguments.add_argument(f"--{name}", required=True, nargs="+", type=Path)
    arguments.add_argument("--models", required=True, nargs="+", help="all of the run")
    arguments.add_argument("--panel", required=True, nargs="+", help="those whose common words are the lexicon")
    run(main, arguments)
