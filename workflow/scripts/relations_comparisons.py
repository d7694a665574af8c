"""Compare the agents: sizes, pretraining types, word frequency, prompts, first related words."""

import argparse
import json
from pathlib import Path

from relprobe.core.cli import parser, run
from relprobe.core.files import read_table, write_csv
from relprobe.studies.relations.comparison_tables import comparison_tables
from relprobe.studies.relations.schemas import METRICS, RELATA, SUMMARY, TESTS


def main(args: argparse.Namespace) -> None:
    """Write a CSV file per table; each metrics file is named after its agent."""
    values = {path.stem: read_table(path, METRICS) for path in args.metrics}
    summary, tests = read_table(args.summary, SUMMARY), read_table(args.tests, TESTS)
    tables = comparison_tables(values, summary, tests, read_table(args.relata, RELATA), args.models, args.k)
    for name, table in tables.items():
        write_csv(table, args.folder / f"{name}.csv")


if __name__ == "__main__":
    arguments = parser(__doc__, "summary", "tests", "relata", "folder")
    arguments.add_argument("--metrics", required=True, nargs="+", type=Path)
    arguments.add_argument("--models", required=True, type=json.loads, help="type, family, size per model, as JSON")
    arguments.add_argument("--k", required=True, type=int, help="cut-off of symmetry and asymmetry")
    run(main, arguments)
