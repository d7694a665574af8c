"""Write the figures that the paper prints beside ours."""

import argparse

import polars as pl
from relprobe.core.cli import parser, run
from relprobe.core.files import read_table, write_csv
from relprobe.core.units import AVERAGES
from relprobe.report.published import beside, read
from relprobe.studies.analogies.published import ours


def main(args: argparse.Namespace) -> None:
    """Write published.csv."""
    found = ours(read_table(args.averages, AVERAGES), pl.read_csv(args.frequency))
    write_csv(beside(read(args.published), found), args.out)


if __name__ == "__main__":
    arguments = parser(__doc__, "published", "averages", "frequency", "out")
    run(main, arguments)
