"""Write the figures that the paper prints beside ours."""

import argparse
from pathlib import Path

from relprobe.cli import parser, run
from relprobe.files import read_table, write_csv
from relprobe.published import beside, read
from relprobe.relations.published import ours
from relprobe.relations.schemas import SUMMARY


def main(args: argparse.Namespace) -> None:
    """Write published.csv."""
    write_csv(beside(read(args.published), ours(read_table(args.summary, SUMMARY))), args.out)


if __name__ == "__main__":
    arguments = parser(__doc__)
    for name in ("published", "summary", "out"):
        arguments.add_argument(f"--{name}", required=True, type=Path)
    run(main, arguments)
