"""Turn a model's scores into responses: the rank of the right candidate, and the one ranked first."""

import argparse

from relprobe.core.cli import parser, run
from relprobe.core.files import read_table, write_table
from relprobe.studies.definitions.responses import of_pairs, ranked
from relprobe.studies.definitions.schemas import GROUPS, PROBES, RESPONSES
from relprobe.studies.definitions.scores import SCORES


def main(args: argparse.Namespace) -> None:
    """Write the responses of one model."""
    scores = of_pairs(read_table(args.scores, SCORES), masked=args.type == "masked")
    table = ranked(scores, read_table(args.groups, GROUPS), read_table(args.probes, PROBES))
    write_table(table, RESPONSES, args.out)


if __name__ == "__main__":
    arguments = parser(__doc__, "scores", "groups", "probes", "out")
    arguments.add_argument("--type", required=True, choices=["masked", "causal"])
    run(main, arguments)
