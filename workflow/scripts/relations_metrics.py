"""Compute the metrics of one agent, a row per unit, what the choices change, and its best words."""

import argparse
import json
from pathlib import Path

from relprobe.core.cli import parser, run
from relprobe.core.files import read_table, write_table
from relprobe.lm.words.lexicon import WORDS
from relprobe.studies.relations.agent import all_metrics, answers
from relprobe.studies.relations.metrics import Choices
from relprobe.studies.relations.responses import read
from relprobe.studies.relations.schemas import METRICS, PROBES, RELATA, RESPONSES, SENSITIVITY, TOP_WORDS, TUPLES
from relprobe.studies.relations.sensitivity import sensitivity
from relprobe.studies.relations.top_words import top_words


def main(args: argparse.Namespace) -> None:
    """Write the metrics of the agent; prototypicality where human responses are given."""
    probes, relata = read_table(args.probes, PROBES), read_table(args.relata, RELATA)
    humans = read_table(args.humans, RESPONSES) if args.humans else None
    lexicon, responses = read_table(args.lexicon, WORDS), read(*args.answers)
    given = answers(responses, probes, relata, read_table(args.tuples, TUPLES), lexicon, humans)
    choices = Choices(**args.choices)
    metrics = all_metrics(given, choices)
    write_table(metrics, METRICS, args.out)
    write_table(sensitivity(given, metrics, choices), SENSITIVITY, args.sensitivity)
    write_table(top_words(responses, probes, relata), TOP_WORDS, args.top_words)


if __name__ == "__main__":
    arguments = parser(__doc__, "probes", "relata", "tuples", "lexicon", "out", "sensitivity", "top-words")
    arguments.add_argument(
        "--answers", required=True, nargs="+", type=Path, help="responses, or scores and their lexicon"
    )
    arguments.add_argument("--humans", type=Path, help="responses of the humans")
    arguments.add_argument("--choices", required=True, type=json.loads, help="fields of Choices, as JSON")
    run(main, arguments)
