"""Put together what the open choices change of every agent's results."""

import argparse
from pathlib import Path

from relprobe.core.cli import parser, run
from relprobe.core.files import read_table, write_csv
from relprobe.studies.relations.schemas import SENSITIVITY
from relprobe.studies.relations.sensitivity import ranges, together


def main(args: argparse.Namespace) -> None:
    """Write sensitivity.csv and sensitivity_ranges.csv; each file is named after its agent."""
    table = together({path.stem: read_table(path, SENSITIVITY) for path in args.agents})
    write_csv(table, args.folder / "sensitivity.csv")
    write_csv(ranges(table), args.folder / "sensitivity_ranges.csv")


if __name__ == "__main__":
    arguments = parser(__doc__, "folder")
    arguments.add_argument("--agents", required=True, nargs="+", type=Path)
    run(main, arguments)
