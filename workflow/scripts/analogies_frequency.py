"""Test whether the agents err on rare words, and count what they could not judge."""

import argparse
from pathlib import Path

from relprobe.core.cli import parser, run
from relprobe.core.files import read_table, write_csv
from relprobe.studies.analogies.analyses import unjudged
from relprobe.studies.analogies.frequency import frequency_tests, summary
from relprobe.studies.analogies.schemas import DECISIONS, TUPLES


def main(args: argparse.Namespace) -> None:
    """Write frequency.csv, frequency_summary.csv and unjudged.csv; each file of decisions is named after its agent."""
    supervised, unsupervised = (
        {path.stem: read_table(path, DECISIONS) for path in paths} for paths in (args.supervised, args.unsupervised)
    )
    tests = frequency_tests(supervised, dict(read_table(args.tuples, TUPLES).select("relation", "name").iter_rows()))
    write_csv(tests, args.folder / "frequency.csv")
    write_csv(summary(tests), args.folder / "frequency_summary.csv")
    write_csv(unjudged([supervised, unsupervised]), args.folder / "unjudged.csv")


if __name__ == "__main__":
    arguments = parser(__doc__, "tuples", "folder")
    for name in ("supervised", "unsupervised"):
        arguments.add_argument(f"--{name}", required=True, nargs="+", type=Path)
    run(main, arguments)
