"""Write the figures that the paper prints beside ours."""

import argparse
from pathlib import Path

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
    arguments = parser(__doc__)
    for name in ("published", "averages", "sizes", "out"):
        arguments.add_argument(f"--{name}", required=True, type=Path)
    run(main, arguments)
