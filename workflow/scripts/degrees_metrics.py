"""Measure the ratings of a model's raters, or of a baseline, against people."""

import argparse

import polars as pl
from relprobe.cli import parser, run
from relprobe.degrees.metrics import units
from relprobe.degrees.schemas import GOLD, METRICS, QUESTIONS, RATINGS
from relprobe.files import read_table, write_table


def main(args: argparse.Namespace) -> None:
    """Write rho, p, MaxDiff accuracy and reversal errors of each agent, a row per unit."""
    people = read_table(args.gold, GOLD), read_table(args.questions, QUESTIONS)
    agents = read_table(args.ratings, RATINGS).partition_by("agent", as_dict=True, maintain_order=True)
    made = [units(rated, *people, args.seed).with_columns(agent=pl.lit(name)) for (name,), rated in agents.items()]
    write_table(pl.concat(made), METRICS, args.out)


if __name__ == "__main__":
    arguments = parser(__doc__, "ratings", "gold", "questions", "out")
    arguments.add_argument("--seed", required=True, type=int, help="of the order that breaks ties")
    run(main, arguments)
