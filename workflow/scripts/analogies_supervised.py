"""Train one agent's classifiers on half of each relation's tuples and let them judge the other half."""

import argparse
import json

import polars as pl
import torch
from relprobe.core.cli import parser, run
from relprobe.core.files import read_table, write_table
from relprobe.studies.analogies.classifier import Settings
from relprobe.studies.analogies.schemas import DECISIONS, INSTANCES
from relprobe.studies.analogies.supervised import decisions, features_in
from relprobe.studies.analogies.template import Template


def main(args: argparse.Namespace) -> None:
    """Write the decisions."""
    torch.set_num_threads(args.threads)
    features = features_in(args.vectors, Template.of(args.template) if args.template else None)
    found = decisions(read_table(args.instances, INSTANCES), features, Settings(**args.settings))
    write_table(pl.concat(found), DECISIONS, args.out)


if __name__ == "__main__":
    arguments = parser(__doc__, "instances", "vectors", "out")
    arguments.add_argument(
        "--template", help="of the sentences that the vectors were taken from; none for vectors of pairs"
    )
    arguments.add_argument("--settings", required=True, type=json.loads, help="fields of Settings, as JSON")
    arguments.add_argument("--threads", type=int, default=1)
    run(main, arguments)
