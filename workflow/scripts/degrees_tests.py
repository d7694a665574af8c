"""Compare raters, models and baselines, and choose raters on the training subcategories."""

import argparse
from pathlib import Path

from relprobe.cli import parser, run
from relprobe.degrees.analyses import by_agent, choices, compare
from relprobe.degrees.schemas import METRICS
from relprobe.files import read_table, write_csv


def main(args: argparse.Namespace) -> None:
    """Write tests.csv and choice.csv."""
    values = by_agent(read_table(path, METRICS) for path in args.metrics)
    write_csv(compare(values), args.tests)
    write_csv(choices(values), args.choice)


if __name__ == "__main__":
    arguments = parser(__doc__, "tests", "choice")
    arguments.add_argument("--metrics", required=True, nargs="+", type=Path)
    run(main, arguments)
