"""Average every agent's metrics."""

import argparse
from pathlib import Path

from relprobe.core.cli import parser, run
from relprobe.core.files import read_table, write_table
from relprobe.studies.relations.analyses import summary
from relprobe.studies.relations.schemas import METRICS, SUMMARY


def main(args: argparse.Namespace) -> None:
    """Write the summary of all agents; each metrics file is named after its agent."""
    write_table(summary({path.stem: read_table(path, METRICS) for path in args.metrics}), SUMMARY, args.out)


if __name__ == "__main__":
    arguments = parser(__doc__, "out")
    arguments.add_argument("--metrics", required=True, nargs="+", type=Path)
    run(main, arguments)
