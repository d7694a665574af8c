"""Average the metrics of all agents, and count where rho is significant."""

import argparse
from pathlib import Path

from relprobe.cli import parser, run
from relprobe.degrees.analyses import by_agent, summary
from relprobe.degrees.schemas import METRICS, SUMMARY
from relprobe.files import read_table, write_table


def main(args: argparse.Namespace) -> None:
    """Write the summary of all agents."""
    write_table(summary(by_agent(read_table(path, METRICS) for path in args.metrics)), SUMMARY, args.out)


if __name__ == "__main__":
    arguments = parser(__doc__, "out")
    arguments.add_argument("--metrics", required=True, nargs="+", type=Path)
    run(main, arguments)
