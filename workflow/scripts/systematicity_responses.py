"""Turn a model's scores into responses: first words, and scored categories."""

import argparse
from pathlib import Path

from relprobe.cli import parser, run
from relprobe.files import read_table, write_table
from relprobe.lm.lexicon import LEXICON
from relprobe.systematicity.responses import of_model
from relprobe.systematicity.schemas import CHOICES, PROBES, RESPONSES


def main(args: argparse.Namespace) -> None:
    """Write the responses of one model."""
    choices, probes = read_table(args.choices, CHOICES), read_table(args.probes, PROBES)
    write_table(of_model(args.slots, choices, probes, read_table(args.lexicon, LEXICON)), RESPONSES, args.out)


if __name__ == "__main__":
    arguments = parser(__doc__)
    for name in ("slots", "choices", "probes", "lexicon", "out"):
        arguments.add_argument(f"--{name}", required=True, type=Path)
    run(main, arguments)
