"""Write the figures that the paper prints beside ours."""

import argparse

import polars as pl
from relprobe.analogies.published import ours
from relprobe.cli import parser, run
from relprobe.files import read_table, write_csv
from relprobe.published import beside, read
from relprobe.units import AVERAGES


def main(args: argparse.Namespace) -> None:
    """Write published.csv."""
    found = ours(read_table(args.averages, AVERAGES), pl.read_csv(args.frequency))
    write_csv(beside(read(args.published), found), args.out)


if __name__ == "__main__":
    arguments = parser(__doc__, "published", "averages", "frequency", "out")
    run(main, arguments)
