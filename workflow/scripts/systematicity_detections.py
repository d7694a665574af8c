"""Train the probing classifier on one agent's embeddings, and let it judge the test pairs."""

import argparse
import json

import torch
from relprobe.core.cli import parser, run
from relprobe.core.files import read_table, write_table
from relprobe.studies.systematicity.probe import Training, detections
from relprobe.studies.systematicity.schemas import DETECTIONS, EMBEDDINGS, PAIRS


def main(args: argparse.Namespace) -> None:
    """Write the classifier's probabilities."""
    torch.set_num_threads(1)  # with several, sums round differently from run to run
    pairs, embeddings = read_table(args.pairs, PAIRS), read_table(args.embeddings, EMBEDDINGS)
    write_table(detections(pairs, embeddings, Training(**args.training)), DETECTIONS, args.out)


if __name__ == "__main__":
    arguments = parser(__doc__, "pairs", "embeddings", "out")
    arguments.add_argument("--training", required=True, type=json.loads, help="fields of Training, as JSON")
    run(main, arguments)
