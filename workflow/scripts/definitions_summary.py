"""Average every agent's metrics and test the differences between agents."""

import argparse
from pathlib import Path

from relprobe.core.cli import parser, run
from relprobe.core.files import read_table, write_table
from relprobe.core.units import averages
from relprobe.studies.definitions.analyses import tests
from relprobe.studies.definitions.schemas import AVERAGES, TESTS, UNITS


def main(args: argparse.Namespace) -> None:
    """Write the averages and the tests of all agents; each metrics file is named after its agent."""
    values = {path.stem: read_table(path, UNITS) for path in args.metrics}
    write_table(averages(values), AVERAGES, args.averages)
    write_table(tests(values), TESTS, args.tests)


if __name__ == "__main__":
    arguments = parser(__doc__, "averages", "tests")
    arguments.add_argument("--metrics", required=True, nargs="+", type=Path)
    run(main, arguments)
