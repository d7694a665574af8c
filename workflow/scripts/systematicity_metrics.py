"""Compute the metrics of one agent, a row per unit."""

import argparse
from pathlib import Path

import polars as pl
from relprobe.core.cli import parser, run
from relprobe.core.files import read_table, write_table
from relprobe.core.units import UNITS
from relprobe.studies.systematicity.metrics import cloze, detection
from relprobe.studies.systematicity.schemas import DETECTIONS, ITEMS, PROBES, RESPONSES


def main(args: argparse.Namespace) -> None:
    """Write the metrics of the diagnostics or of their controls, and those of the classifier, if it was trained."""
    tables = [read_table(args.responses, RESPONSES), read_table(args.probes, PROBES), read_table(args.items, ITEMS)]
    parts = [cloze(*tables, control=args.control)]
    if args.detections:
        parts.append(detection(read_table(args.detections, DETECTIONS)))
    write_table(pl.concat(parts), UNITS, args.out)


if __name__ == "__main__":
    arguments = parser(__doc__, "responses", "probes", "items", "out")
    arguments.add_argument("--detections", type=Path, help="what the agent's classifier says")
    arguments.add_argument("--control", action="store_true", help="measure the controls instead of the diagnostics")
    run(main, arguments)
