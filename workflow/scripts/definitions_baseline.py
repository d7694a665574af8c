"""Answer the tasks without a language model: by a guess or, where vectors are given, by their similarity."""

import argparse
from pathlib import Path

from relprobe.core.cli import parser, run
from relprobe.core.files import read_table, write_table
from relprobe.core.manifest import fetched_folder
from relprobe.sources.static_vectors import read
from relprobe.studies.definitions.baselines import guess, similarity
from relprobe.studies.definitions.responses import ranked
from relprobe.studies.definitions.schemas import GROUPS, PROBES, RESPONSES


def main(args: argparse.Namespace) -> None:
    """Write the responses of the baseline."""
    groups, probes = read_table(args.groups, GROUPS), read_table(args.probes, PROBES)
    scores = similarity(probes, read(fetched_folder(args.vectors))) if args.vectors else guess(probes)
    write_table(ranked(scores, groups, probes), RESPONSES, args.out)


if __name__ == "__main__":
    arguments = parser(__doc__, "groups", "probes", "out")
    arguments.add_argument("--vectors", type=Path, help="manifest of static vectors")
    run(main, arguments)
