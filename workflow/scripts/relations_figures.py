"""Draw the figures of the relations study's metrics."""

import argparse
import json

import polars as pl
from relprobe.core.cli import parser, run
from relprobe.core.files import read_table
from relprobe.report.figures import save
from relprobe.studies.relations.figures import draw
from relprobe.studies.relations.schemas import SUMMARY, TESTS


def main(args: argparse.Namespace) -> None:
    """Draw every figure that is named."""
    summary, tests = read_table(args.summary, SUMMARY), read_table(args.tests, TESTS)
    first_related = pl.read_csv(args.first_related)
    for name in args.names:
        save(draw(name, summary, tests, first_related, args.kinds), args.folder / name)


if __name__ == "__main__":
    arguments = parser(__doc__, "summary", "tests", "first-related", "folder")
    arguments.add_argument("--names", required=True, nargs="+", help="figures: a metric (with _k), or one of its own")
    arguments.add_argument("--kinds", required=True, type=json.loads, help="agent -> masked, causal or humans, as JSON")
    run(main, arguments)
