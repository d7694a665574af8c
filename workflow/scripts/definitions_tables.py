"""Write the tables of the definitions study as CSV."""

import argparse
from pathlib import Path

from relprobe.core.cli import parser, run
from relprobe.core.files import read_table, write_csv
from relprobe.studies.definitions.analyses import tables
from relprobe.studies.definitions.schemas import AVERAGES, GROUPS, RESPONSES, SIZES, TESTS


def main(args: argparse.Namespace) -> None:
    """Write a CSV file per table; each file of responses is named after its agent."""
    results = read_table(args.averages, AVERAGES), read_table(args.tests, TESTS), read_table(args.sizes, SIZES)
    responses = {path.stem: read_table(path, RESPONSES) for path in args.responses}
    for name, table in tables(*results, responses, read_table(args.groups, GROUPS)).items():
        write_csv(table, args.folder / f"{name}.csv")


if __name__ == "__main__":
    arguments = parser(__doc__, "averages", "tests", "sizes", "groups", "folder")
    arguments.add_argument("--responses", required=True, nargs="+", type=Path)
    run(main, arguments)
