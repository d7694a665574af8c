"""Draw the figures of the relations study."""

import argparse
import json
from pathlib import Path

import polars as pl
from relprobe.cli import parser, run
from relprobe.figures import save
from relprobe.files import read_table
from relprobe.relations.figures import draw
from relprobe.relations.schemas import SUMMARY, TESTS


def main(args: argparse.Namespace) -> None:
    """Draw every figure that the summary and the comparisons hold the data of."""
    summary, tests = read_table(args.summary, SUMMARY), read_table(args.tests, TESTS)
    for name, figure in draw(summary, tests, pl.read_csv(args.first_related), args.kinds):
        save(figure, args.folder / name)


if __name__ == "__main__":
    arguments = parser(__doc__)
    arguments.add_argument("--summary", required=True, type=Path)
    arguments.add_argument("--tests", required=True, type=Path)
    arguments.add_argument("--first-related", required=True, type=Path, help="the table of that name")
    arguments.add_argument("--kinds", required=True, type=json.loads, help="agent -> masked, causal or humans, as JSON")
    arguments.add_argument("--folder", required=True, type=Path)
    run(main, arguments)
