"""Let one baseline choose between the positive and the negative tuple of each instance, by cosine."""

import argparse

import polars as pl
from relprobe.core.cli import parser, run
from relprobe.core.files import read_table, write_table
from relprobe.studies.analogies.schemas import DECISIONS, INSTANCES
from relprobe.studies.analogies.unsupervised import by_cosine


def main(args: argparse.Namespace) -> None:
    """Write the decisions."""
    instances = read_table(args.instances, INSTANCES).filter(pl.col("partition").is_in(args.partitions))
    write_table(pl.concat(by_cosine(instances, args.vectors)), DECISIONS, args.out)


if __name__ == "__main__":
    arguments = parser(__doc__, "instances", "vectors", "out")
    arguments.add_argument("--partitions", required=True, nargs="+", choices=["train", "test"])
    run(main, arguments)
