"""Split BATS' tuples into training and test, and pair every positive with a negative per probe."""

import argparse

from relprobe.core.cli import parser, run
from relprobe.core.files import write_table
from relprobe.core.manifest import fetched_folder
from relprobe.sources.bats import read
from relprobe.studies.analogies.build import instances, tuples
from relprobe.studies.analogies.schemas import INSTANCES, TUPLES


def main(args: argparse.Namespace) -> None:
    """Write the tuples and the instances."""
    pairs = read(fetched_folder(args.bats))
    table = tuples(pairs, args.tuples, args.train_share, args.seed)
    write_table(table, TUPLES, args.tuples_out)
    write_table(instances(table, pairs, args.instances, args.seed), INSTANCES, args.instances_out)


if __name__ == "__main__":
    arguments = parser(__doc__, "bats", "tuples-out", "instances-out")
    arguments.add_argument("--tuples", type=int, help="tuples of each relation; all of them if not given")
    arguments.add_argument("--instances", type=int, help="instances of each relation, partition and probe; likewise")
    arguments.add_argument("--train-share", required=True, type=float)
    arguments.add_argument("--seed", required=True, type=int)
    run(main, arguments)
