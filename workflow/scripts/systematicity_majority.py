"""Compute the metrics of the majority baseline."""

import argparse

from relprobe.core.cli import parser, run
from relprobe.core.files import read_table, write_table
from relprobe.core.units import UNITS
from relprobe.studies.systematicity.baselines import majority
from relprobe.studies.systematicity.schemas import ITEMS, PAIRS


def main(args: argparse.Namespace) -> None:
    """Write the metrics of always giving the most frequent answer."""
    write_table(majority(read_table(args.items, ITEMS), read_table(args.pairs, PAIRS)), UNITS, args.out)


if __name__ == "__main__":
    arguments = parser(__doc__, "items", "pairs", "out")
    run(main, arguments)
