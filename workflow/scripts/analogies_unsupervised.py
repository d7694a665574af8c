"""Let one model choose between the positive and the negative tuple of each instance, by perplexity."""

import argparse

import polars as pl
from relprobe.core.cli import parser, run
from relprobe.core.files import read_columns, read_table, write_table
from relprobe.studies.analogies.requests import SCORES
from relprobe.studies.analogies.schemas import DECISIONS, INSTANCES
from relprobe.studies.analogies.template import Template
from relprobe.studies.analogies.unsupervised import by_perplexity


def main(args: argparse.Namespace) -> None:
    """Write the decisions."""
    instances = read_table(args.instances, INSTANCES).filter(pl.col("partition").is_in(args.partitions))
    scores = pl.DataFrame(read_columns(args.scores, SCORES.names))
    found = by_perplexity(instances, scores, Template.of(args.template), args.perplexity)
    write_table(found, DECISIONS, args.out)


if __name__ == "__main__":
    arguments = parser(__doc__, "instances", "scores", "out")
    arguments.add_argument("--template", required=True)
    arguments.add_argument("--partitions", required=True, nargs="+", choices=["train", "test"])
    arguments.add_argument("--perplexity", required=True, choices=["sentence", "token"])
    run(main, arguments)
