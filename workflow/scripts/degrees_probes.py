"""Put the pairs and paradigms into sentences."""

import argparse

from relprobe.cli import parser, run
from relprobe.degrees.build import probes
from relprobe.degrees.prompts import read as read_prompts
from relprobe.degrees.requests import PROBES
from relprobe.files import write_table
from relprobe.manifest import fetched_folder
from relprobe.sources.semeval2012 import read


def main(args: argparse.Namespace) -> None:
    """Write the probes: schema sentences and analogies."""
    subcategories = read(fetched_folder(args.package))
    prompts = read_prompts(args.prompts, [one.id for one in subcategories])
    write_table(probes(subcategories, prompts), PROBES, args.out)


if __name__ == "__main__":
    arguments = parser(__doc__, "package", "prompts", "out")
    run(main, arguments)
