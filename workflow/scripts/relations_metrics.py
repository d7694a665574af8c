"""Compute the metrics of one agent, a row per unit."""

import argparse
from pathlib import Path

from relprobe.cli import parser, run
from relprobe.files import read_table, write_table
from relprobe.lm.lexicon import WORDS
from relprobe.relations.metrics import Choices, all_metrics
from relprobe.relations.schemas import METRICS, PROBES, RELATA, RESPONSES, TUPLES


def main(args: argparse.Namespace) -> None:
    """Write the metrics of the agent; prototypicality where human responses are given."""
    tables = [
        read_table(args.probes, PROBES),
        read_table(args.relata, RELATA),
        read_table(args.tuples, TUPLES),
    ]
    humans = read_table(args.humans, RESPONSES) if args.humans else None
    choices = Choices(args.ties, args.rank, args.k, tuple(args.symmetry_k))
    values = all_metrics(
        read_table(args.responses, RESPONSES), *tables, read_table(args.lexicon, WORDS), humans, choices
    )
    write_table(values, METRICS, args.out)


if __name__ == "__main__":
    arguments = parser(__doc__)
    for name in ("responses", "probes", "relata", "tuples", "lexicon", "out"):
        arguments.add_argument(f"--{name}", required=True, type=Path)
    arguments.add_argument("--humans", type=Path, help="responses of the humans")
    arguments.add_argument("--ties", required=True, choices=["favourable", "unfavourable", "listed"])
    arguments.add_argument("--rank", required=True, choices=["best", "mean"])
    arguments.add_argument("--k", required=True, type=int, help="0: the size of the relatum set")
    arguments.add_argument("--symmetry-k", required=True, nargs="+", type=int)
    run(main, arguments)
