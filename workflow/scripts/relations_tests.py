"""Test the difference between every pair of agents."""

import argparse
from pathlib import Path

from relprobe.core.cli import parser, run
from relprobe.core.files import read_table, write_table
from relprobe.studies.relations.analyses import paired_tests
from relprobe.studies.relations.schemas import METRICS, TESTS


def main(args: argparse.Namespace) -> None:
    """Write McNemar's and Wilcoxon's tests; each metrics file is named after its agent."""
    write_table(paired_tests({path.stem: read_table(path, METRICS) for path in args.metrics}), TESTS, args.out)


if __name__ == "__main__":
    arguments = parser(__doc__, "out")
    arguments.add_argument("--metrics", required=True, nargs="+", type=Path)
    run(main, arguments)
