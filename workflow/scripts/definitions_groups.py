"""Build the groups of sister synsets, a sample of them, and the probes that their tasks need."""

import argparse
import json
from pathlib import Path

from relprobe.core.cli import parser, run
from relprobe.core.files import write_table
from relprobe.core.manifest import fetched_folder
from relprobe.sources.wordnet import load
from relprobe.studies.definitions.benchmark import benchmark
from relprobe.studies.definitions.schemas import GROUPS, PROBES, SIZES


def main(args: argparse.Namespace) -> None:
    """Write the groups, the probes and the sizes of the groups."""
    groups, probes, sizes = benchmark(load(fetched_folder(args.wordnet)), args.sample)
    write_table(groups, GROUPS, args.groups)
    write_table(probes, PROBES, args.probes)
    write_table(sizes, SIZES, args.sizes)


if __name__ == "__main__":
    arguments = parser(__doc__, "groups", "probes", "sizes")
    arguments.add_argument("--wordnet", required=True, type=Path, help="manifest of the prepared database")
    arguments.add_argument(
        "--sample", required=True, type=json.loads, help="groups per part of speech and seed, as JSON"
    )
    run(main, arguments)
