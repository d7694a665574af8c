"""Compute the metrics of one agent, a row per unit."""

import argparse
import json
from pathlib import Path

from relprobe.cli import parser, run
from relprobe.files import read_table, write_table
from relprobe.lm.lexicon import WORDS
from relprobe.relations.agent import all_metrics
from relprobe.relations.metrics import Choices
from relprobe.relations.schemas import METRICS, PROBES, RELATA, RESPONSES, TUPLES


def main(args: argparse.Namespace) -> None:
    """Write the metrics of the agent; prototypicality where human responses are given."""
    tables = [read_table(args.probes, PROBES), read_table(args.relata, RELATA), read_table(args.tuples, TUPLES)]
    humans = read_table(args.humans, RESPONSES) if args.humans else None
    lexicon, responses = read_table(args.lexicon, WORDS), read_table(args.responses, RESPONSES)
    write_table(all_metrics(responses, *tables, lexicon, humans, Choices(**args.choices)), METRICS, args.out)


if __name__ == "__main__":
    arguments = parser(__doc__)
    for name in ("responses", "probes", "relata", "tuples", "lexicon", "out"):
        arguments.add_argument(f"--{name}", required=True, type=Path)
    arguments.add_argument("--humans", type=Path, help="responses of the humans")
    arguments.add_argument("--choices", required=True, type=json.loads, help="fields of Choices, as JSON")
    run(main, arguments)
