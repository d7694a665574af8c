"""Embed every pair of words by the difference of its static vectors."""

import argparse
from pathlib import Path

from relprobe.analogies.pairs import differences, pairs, vector_table
from relprobe.analogies.schemas import INSTANCES
from relprobe.cli import parser, run
from relprobe.files import read_table
from relprobe.lm.parts import made_of, write_in_parts
from relprobe.manifest import fetched_folder
from relprobe.sources.static_vectors import read


def main(args: argparse.Namespace) -> None:
    """Write the vectors of the pairs."""
    vectors, asked = read(fetched_folder(args.vectors)), pairs(read_table(args.instances, INSTANCES))
    about = made_of([args.vectors, args.instances], Path(__file__))
    write_in_parts(asked, lambda part: differences(part, vectors), vector_table, about, args.out)


if __name__ == "__main__":
    arguments = parser(__doc__, "instances", "out")
    arguments.add_argument("--vectors", required=True, type=Path, help="manifest of the static vectors")
    run(main, arguments)
