"""Average and compare all agents, and write what is made of their metrics as CSV."""

import argparse
from pathlib import Path

from relprobe.core.cli import parser, run
from relprobe.core.files import read_table, write_csv
from relprobe.core.units import UNITS, averages
from relprobe.studies.systematicity.analyses import consistency, detection, frequency, overview, tests
from relprobe.studies.systematicity.data import diagnostics, left_out, parts
from relprobe.studies.systematicity.schemas import DETECTIONS, ITEMS, PAIRS


def main(args: argparse.Namespace) -> None:
    """Write a CSV file per table; each metrics and detections file is named after its agent."""
    metrics = {path.stem: read_table(path, UNITS) for path in args.metrics}
    detections = {path.stem: read_table(path, DETECTIONS) for path in args.detections}
    means = averages(metrics)
    tables = {
        "overview": overview(means, list(metrics)),
        "metrics": means,
        "tests": tests(metrics),
        "detection": detection(detections, metrics["majority"]),
        "consistency": consistency(metrics),
        "frequency": frequency({agent: table for agent, table in metrics.items() if agent != "majority"}),
        "diagnostics": diagnostics(read_table(args.items, ITEMS)),
        "parts": parts(read_table(args.pairs, PAIRS)),
        "left_out": left_out(args.resources),
    }
    for name, table in tables.items():
        write_csv(table, args.folder / f"{name}.csv")


if __name__ == "__main__":
    arguments = parser(__doc__, "items", "pairs", "folder")
    for name in ("metrics", "detections"):
        arguments.add_argument(f"--{name}", required=True, nargs="+", type=Path)
    arguments.add_argument("--resources", required=True, nargs="*", help="the configured optional ones")
    run(main, arguments)
