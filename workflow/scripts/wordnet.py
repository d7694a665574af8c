"""Lay out WordNet's database files as nltk reads them."""

import argparse
from pathlib import Path

from relprobe.cli import parser, run
from relprobe.manifest import fetched_folder, write_manifest
from relprobe.sources.wordnet import prepare


def main(args: argparse.Namespace) -> None:
    """Prepare the fetched files and list what came of them."""
    folder = args.manifest.with_suffix("")
    prepare(fetched_folder(args.fetched), folder)
    write_manifest(folder)


if __name__ == "__main__":
    arguments = parser(__doc__)
    arguments.add_argument("--fetched", required=True, type=Path, help="manifest of the fetched database")
    arguments.add_argument("--manifest", required=True, type=Path, help="manifest to write")
    run(main, arguments)
