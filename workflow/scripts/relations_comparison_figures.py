"""Draw what the agents' results depend on: the size of a model, the frequency of words."""

import argparse
import json

import polars as pl
from relprobe.core.cli import parser, run
from relprobe.core.files import read_table
from relprobe.report.figures import save
from relprobe.studies.relations.comparison_figures import draw
from relprobe.studies.relations.frequency import CORRELATIONS
from relprobe.studies.relations.schemas import SUMMARY


def main(args: argparse.Namespace) -> None:
    """Draw every figure that is named."""
    summary = read_table(args.summary, SUMMARY)
    correlations = pl.read_csv(args.frequency, schema=CORRELATIONS)
    for name in args.names:
        save(draw(name, summary, correlations, args.models, args.k), args.folder / name)


if __name__ == "__main__":
    arguments = parser(__doc__, "summary", "frequency", "folder")
    arguments.add_argument("--names", required=True, nargs="+", help="size_METRIC or frequency_METRIC")
    arguments.add_argument("--models", required=True, type=json.loads, help="type, family, size per model, as JSON")
    arguments.add_argument("--k", required=True, type=int, help="cut-off of symmetry and asymmetry")
    run(main, arguments)
