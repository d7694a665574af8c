"""Rate the pairs without a language model."""

import argparse
from pathlib import Path

from relprobe.cli import parser, run
from relprobe.degrees.baselines import random, static_offsets, supplied_pmi, table
from relprobe.degrees.schemas import RATINGS
from relprobe.files import write_table
from relprobe.manifest import fetched_folder
from relprobe.sources.semeval2012 import read
from relprobe.sources.static_vectors import read as read_vectors


def main(args: argparse.Namespace) -> None:
    """Write the ratings of one baseline: static where vectors are given, pmi or random."""
    package = fetched_folder(args.package)
    subcategories = read(package)
    if args.vectors:
        made = static_offsets(subcategories, read_vectors(fetched_folder(args.vectors)))
    else:
        made = supplied_pmi(subcategories, package) if args.agent == "pmi" else random(subcategories, args.seed)
    write_table(table(args.agent, made), RATINGS, args.out)


if __name__ == "__main__":
    arguments = parser(__doc__, "package", "out")
    arguments.add_argument("--agent", required=True, choices=["random", "pmi", "static"])
    arguments.add_argument("--vectors", type=Path, help="manifest of the static vectors")
    arguments.add_argument("--seed", required=True, type=int, help="of the random ratings")
    run(main, arguments)
