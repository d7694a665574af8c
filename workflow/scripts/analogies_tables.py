"""Average all agents' accuracies, test their differences, and write the tables of the analogies study as CSV."""

import argparse
from pathlib import Path

from relprobe.core.cli import parser, run
from relprobe.core.files import read_table, write_csv, write_table
from relprobe.core.units import AVERAGES, UNITS, averages, paired_tests
from relprobe.studies.analogies.analyses import by_group, by_relation, data
from relprobe.studies.analogies.schemas import INSTANCES, TUPLES


def main(args: argparse.Namespace) -> None:
    """Write the averages, and a CSV file per table; each metrics file is named after its agent."""
    values = {path.stem: read_table(path, UNITS) for path in args.metrics}
    tuples, means = read_table(args.tuples, TUPLES), averages(values)
    write_table(means, AVERAGES, args.averages)
    write_csv(by_group(means), args.folder / "overview.csv")
    write_csv(by_relation(means, dict(tuples.select("relation", "name").iter_rows())), args.folder / "relations.csv")
    write_csv(means, args.folder / "averages.csv")
    write_csv(paired_tests(values), args.folder / "tests.csv")
    write_csv(data(tuples, read_table(args.instances, INSTANCES)), args.folder / "data.csv")


if __name__ == "__main__":
    arguments = parser(__doc__, "tuples", "instances", "averages", "folder")
    arguments.add_argument("--metrics", required=True, nargs="+", type=Path)
    run(main, arguments)
