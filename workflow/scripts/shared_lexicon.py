"""Intersect the lexicons of the panel."""

import argparse
from pathlib import Path

from relprobe.cli import parser, run
from relprobe.files import read_table, write_table
from relprobe.lm.lexicon import LEXICON, WORDS, shared


def main(args: argparse.Namespace) -> None:
    """Write the words that are one token for every model of the panel."""
    write_table(shared([read_table(path, LEXICON) for path in args.lexicons]), WORDS, args.out)


if __name__ == "__main__":
    arguments = parser(__doc__)
    arguments.add_argument("--lexicons", required=True, nargs="+", type=Path, help="lexicons of the panel's models")
    arguments.add_argument("--out", required=True, type=Path, help="Parquet table to write")
    run(main, arguments)
