"""Write the figures that the paper prints beside ours."""

import argparse

from relprobe.core.cli import parser, run
from relprobe.core.files import read_table, write_csv
from relprobe.report.published import beside, read
from relprobe.studies.definitions.published import ours
from relprobe.studies.definitions.schemas import AVERAGES, SIZES


def main(args: argparse.Namespace) -> None:
    """Write published.csv."""
    found = ours(read_table(args.averages, AVERAGES), read_table(args.sizes, SIZES))
    write_csv(beside(read(args.published), found), args.out)


if __name__ == "__main__":
    arguments = parser(__doc__, "published", "averages", "sizes", "out")
    run(main, arguments)
