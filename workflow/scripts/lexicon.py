"""List the words that are one token of a model."""

import argparse
from pathlib import Path

from relprobe.cli import parser, run
from relprobe.files import write_table
from relprobe.lm.lexicon import LEXICON, lexicon
from relprobe.lm.tokenizer import tokenizer_of, vocabulary_size
from relprobe.manifest import fetched_folder


def main(args: argparse.Namespace) -> None:
    """Write the lexicon of a snapshot."""
    folder = fetched_folder(args.model)
    write_table(lexicon(tokenizer_of(folder), vocabulary_size(folder)), LEXICON, args.out)


if __name__ == "__main__":
    arguments = parser(__doc__)
    arguments.add_argument("--model", required=True, type=Path, help="manifest of the model's snapshot")
    arguments.add_argument("--out", required=True, type=Path, help="Parquet table to write")
    run(main, arguments)
