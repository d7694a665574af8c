"""Write the figures that the paper prints beside ours."""

import argparse

import polars as pl
from relprobe.cli import parser, run
from relprobe.degrees.published import ours
from relprobe.degrees.schemas import SUMMARY
from relprobe.files import read_table, write_csv
from relprobe.published import beside, read


def main(args: argparse.Namespace) -> None:
    """Write published.csv."""
    computed = ours(read_table(args.summary, SUMMARY), pl.read_csv(args.data))
    write_csv(beside(read(args.published), computed), args.out)


if __name__ == "__main__":
    arguments = parser(__doc__, "published", "summary", "data", "out")
    run(main, arguments)
