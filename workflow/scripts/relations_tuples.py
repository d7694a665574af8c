"""Unite the tuples of the configured sources and augment them symmetrically."""

import argparse
import json
from pathlib import Path

from relprobe.core.cli import parser, run
from relprobe.core.files import write_table
from relprobe.studies.relations.build import tuples
from relprobe.studies.relations.schemas import TUPLES
from relprobe.studies.relations.tuple_sources import read


def main(args: argparse.Namespace) -> None:
    """Read every source and write the united tuples."""
    manifests = [Path(path) for path in args.sources]
    sources = [read(manifest, args.exemplar_frequency, args.wordnet_sample) for manifest in manifests]
    write_table(tuples(sources), TUPLES, args.out)


if __name__ == "__main__":
    arguments = parser(__doc__)
    arguments.add_argument("--sources", required=True, nargs="+", help="manifests, named after the resources")
    arguments.add_argument("--exemplar-frequency", type=int, default=1, help="people who named a category's exemplar")
    arguments.add_argument("--wordnet-sample", type=json.loads, help="nouns, seed and tuples per relation, as JSON")
    arguments.add_argument("--out", required=True, type=Path, help="Parquet table to write")
    run(main, arguments)
