"""Write the tables of the degrees study."""

import argparse
from pathlib import Path

from relprobe.cli import parser, run
from relprobe.degrees.analyses import by_agent
from relprobe.degrees.schemas import GOLD, METRICS, QUESTIONS, SUMMARY
from relprobe.degrees.tables import all_tables
from relprobe.files import read_table, write_csv
from relprobe.published import read


def main(args: argparse.Namespace) -> None:
    """Write Tables 3 to 6 with the paper's systems, the values per subcategory and the size of the data."""
    values = by_agent(read_table(path, METRICS) for path in args.metrics)
    people = read_table(args.gold, GOLD), read_table(args.questions, QUESTIONS)
    for name, table in all_tables(values, read_table(args.summary, SUMMARY), read(args.published), *people):
        write_csv(table, args.folder / f"{name}.csv")


if __name__ == "__main__":
    arguments = parser(__doc__, "summary", "published", "gold", "questions", "folder")
    arguments.add_argument("--metrics", required=True, nargs="+", type=Path)
    run(main, arguments)
