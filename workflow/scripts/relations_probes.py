"""Verbalise the prompts with the targets of the tuples."""

import argparse

from relprobe.cli import parser, run
from relprobe.files import read_table, write_table
from relprobe.relations.build import probes
from relprobe.relations.prompts import read
from relprobe.relations.schemas import PROBES, TUPLES
from relprobe.relations.verbalise import article_weights


def main(args: argparse.Namespace) -> None:
    """Write the main and the trick probes."""
    table = probes(read_table(args.tuples, TUPLES), read(args.prompts), article_weights())
    write_table(table, PROBES, args.out)


if __name__ == "__main__":
    arguments = parser(__doc__, "tuples", "prompts", "out")
    run(main, arguments)
