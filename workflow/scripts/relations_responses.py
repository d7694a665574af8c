"""Turn a model's scores into responses: ranked words."""

import argparse
from pathlib import Path

from relprobe.cli import parser, run
from relprobe.files import read_table, write_table
from relprobe.lm.lexicon import LEXICON
from relprobe.relations.responses import of_model
from relprobe.relations.schemas import RESPONSES


def main(args: argparse.Namespace) -> None:
    """Write the responses of one model."""
    write_table(of_model(args.scores, read_table(args.lexicon, LEXICON)), RESPONSES, args.out)


if __name__ == "__main__":
    arguments = parser(__doc__)
    for name in ("scores", "lexicon", "out"):
        arguments.add_argument(f"--{name}", required=True, type=Path)
    run(main, arguments)
