"""Make ratings of the scores of one model, one per rater."""

import argparse
from pathlib import Path

import polars as pl
from relprobe.cli import parser, run
from relprobe.degrees.raters import RATERS, rate
from relprobe.degrees.requests import PROBES, SCORES
from relprobe.degrees.schemas import RATINGS
from relprobe.files import read_table, write_table


def main(args: argparse.Namespace) -> None:
    """Write the ratings of all raters; the scores of each are named in the same place."""
    probes = read_table(args.probes, PROBES)
    made = zip(args.raters, (read_table(path, SCORES) for path in args.scores), strict=True)
    write_table(pl.concat(rate(args.model, rater, probes, scores) for rater, scores in made), RATINGS, args.out)


if __name__ == "__main__":
    arguments = parser(__doc__, "probes", "out")
    arguments.add_argument("--model", required=True, help="its name")
    arguments.add_argument("--raters", required=True, nargs="+", choices=list(RATERS))
    arguments.add_argument(
        "--scores", required=True, nargs="+", type=Path, help="the scores that each rater is made of"
    )
    run(main, arguments)
