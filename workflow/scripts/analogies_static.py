"""Embed every pair of words by the difference of its static vectors."""

import argparse
from pathlib import Path

from relprobe.core.cli import parser, run
from relprobe.core.files import read_table
from relprobe.core.manifest import fetched_folder
from relprobe.lm.score_files.parts import made_of, write_in_parts
from relprobe.sources.static_vectors import read
from relprobe.studies.analogies.pairs import differences, pairs, vector_table
from relprobe.studies.analogies.schemas import INSTANCES


def main(args: argparse.Namespace) -> None:
    """Write the vectors of the pairs."""
    vectors, asked = read(fetched_folder(args.vectors)), pairs(read_table(args.instances, INSTANCES))
    about = made_of([args.vectors, args.instances], Path(__file__))
    write_in_parts(asked, lambda part: differences(part, vectors), vector_table, about, args.out)


if __name__ == "__main__":
    arguments = parser(__doc__, "instances", "out")
    arguments.add_argument("--vectors", required=True, type=Path, help="manifest of the static vectors")
    run(main, arguments)
