"""Put the instances into the template: the different sentences, each to be scored once."""

import argparse

from relprobe.core.cli import parser, run
from relprobe.core.files import read_table, write_table
from relprobe.studies.analogies.requests import SENTENCES, sentences
from relprobe.studies.analogies.schemas import INSTANCES
from relprobe.studies.analogies.template import Template


def main(args: argparse.Namespace) -> None:
    """Write the sentences."""
    write_table(sentences(read_table(args.instances, INSTANCES), Template.of(args.template)), SENTENCES, args.out)


if __name__ == "__main__":
    arguments = parser(__doc__, "instances", "out")
    arguments.add_argument("--template", required=True)
    run(main, arguments)
