"""Unite the tuples of the configured sources and augment them symmetrically."""

import argparse
import json
from pathlib import Path

from relprobe.cli import parser, run
from relprobe.files import write_table
from relprobe.relations.build import tuples
from relprobe.relations.schemas import TUPLES
from relprobe.relations.tuple_sources import read


def main(args: argparse.Namespace) -> None:
    """Read every source and write the united tuples."""
    manifests = [Path(path) for path in args.sources]
    write_table(tuples([read(manifest, args.wordnet_sample) for manifest in manifests]), TUPLES, args.out)


if __name__ == "__main__":
    arguments = parser(__doc__)
    arguments.add_argument("--sources", required=True, nargs="+", help="manifests, named after the resources")
    arguments.add_argument("--wordnet-sample", type=json.loads, help="nouns, seed and tuples per relation, as JSON")
    arguments.add_argument("--out", required=True, type=Path, help="Parquet table to write")
    run(main, arguments)
