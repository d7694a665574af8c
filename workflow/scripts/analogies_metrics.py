"""Compute the accuracies of one agent, a row per unit."""

import argparse
from pathlib import Path

import polars as pl
from relprobe.core.cli import parser, run
from relprobe.core.files import read_table, write_table
from relprobe.core.units import UNITS
from relprobe.studies.analogies.metrics import metrics
from relprobe.studies.analogies.schemas import DECISIONS


def main(args: argparse.Namespace) -> None:
    """Write the metrics of the agent."""
    write_table(metrics(pl.concat(read_table(path, DECISIONS) for path in args.decisions)), UNITS, args.out)


if __name__ == "__main__":
    arguments = parser(__doc__, "out")
    arguments.add_argument("--decisions", required=True, nargs="+", type=Path, help="of both settings")
    run(main, arguments)
