"""Write the figures that the paper prints beside ours."""

import argparse

from relprobe.cli import parser, run
from relprobe.definitions.published import ours
from relprobe.definitions.schemas import AVERAGES, SIZES
from relprobe.files import read_table, write_csv
from relprobe.published import beside, read


def main(args: argparse.Namespace) -> None:
    """Write published.csv."""
    found = ours(read_table(args.averages, AVERAGES), read_table(args.sizes, SIZES))
    write_csv(beside(read(args.published), found), args.out)


if __name__ == "__main__":
    arguments = parser(__doc__, "published", "averages", "sizes", "out")
    run(main, arguments)
