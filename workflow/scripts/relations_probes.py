"""Verbalise the prompts with the targets of the tuples."""

import argparse

from relprobe.core.cli import parser, run
from relprobe.core.files import read_table, write_table
from relprobe.studies.relations.build import probes
from relprobe.studies.relations.prompts import read
from relprobe.studies.relations.schemas import PROBES, TUPLES
from relprobe.studies.relations.verbalise import article_weights


def main(args: argparse.Namespace) -> None:
    """Write the main and the trick probes."""
    table = probes(read_table(args.tuples, TUPLES), read(args.prompts), article_weights())
    write_table(table, PROBES, args.out)


if __name__ == "__main__":
    arguments = parser(__doc__, "tuples", "prompts", "out")
    run(main, arguments)
