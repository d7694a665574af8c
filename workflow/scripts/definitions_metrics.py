"""Compute the metrics of one agent, a row per group, task and condition."""

import argparse

from relprobe.core.cli import parser, run
from relprobe.core.files import read_table, write_table
from relprobe.studies.definitions.metrics import metrics
from relprobe.studies.definitions.schemas import GROUPS, RESPONSES, UNITS


def main(args: argparse.Namespace) -> None:
    """Write the metrics of the agent."""
    write_table(metrics(read_table(args.responses, RESPONSES), read_table(args.groups, GROUPS)), UNITS, args.out)


if __name__ == "__main__":
    arguments = parser(__doc__, "responses", "groups", "out")
    run(main, arguments)
