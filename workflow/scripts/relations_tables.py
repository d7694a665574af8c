"""Write the tables of the relations study as CSV."""

import argparse

from relprobe.core.cli import parser, run
from relprobe.core.files import read_table, write_csv
from relprobe.core.relation import in_lexicon
from relprobe.lm.words.lexicon import WORDS
from relprobe.studies.relations.analyses import overview
from relprobe.studies.relations.data_tables import data_table
from relprobe.studies.relations.schemas import PROBES, RELATA, SUMMARY, TESTS, TUPLES


def main(args: argparse.Namespace) -> None:
    """Write data.csv, overview.csv, metrics.csv and tests.csv."""
    summary = read_table(args.summary, SUMMARY)
    known = in_lexicon(read_table(args.tuples, TUPLES), read_table(args.lexicon, WORDS))
    data = data_table(read_table(args.probes, PROBES), known, read_table(args.relata, RELATA))
    write_csv(data, args.folder / "data.csv")
    write_csv(overview(summary), args.folder / "overview.csv")
    write_csv(summary, args.folder / "metrics.csv")
    write_csv(read_table(args.tests, TESTS), args.folder / "tests.csv")


if __name__ == "__main__":
    arguments = parser(__doc__, "summary", "tests", "probes", "tuples", "relata", "lexicon", "folder")
    run(main, arguments)
