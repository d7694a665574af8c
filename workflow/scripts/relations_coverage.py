"""Say what the models' lexicons hold of the study's words."""

import argparse
from pathlib import Path

from relprobe.core.cli import parser, run
from relprobe.core.files import read_table, write_csv
from relprobe.core.relation import in_lexicon
from relprobe.lm.words.lexicon import LEXICON, WORDS
from relprobe.studies.relations.data_tables import lexicon_coverage
from relprobe.studies.relations.schemas import RELATA, TUPLES


def main(args: argparse.Namespace) -> None:
    """Write the table of coverage; each lexicon is named after its model."""
    lexicons = {path.stem: read_table(path, LEXICON) for path in args.lexicons}
    shared, tuples = read_table(args.shared, WORDS), read_table(args.tuples, TUPLES)
    known = in_lexicon(tuples, shared)
    write_csv(lexicon_coverage(lexicons, shared, tuples, known, read_table(args.relata, RELATA)), args.out)


if __name__ == "__main__":
    arguments = parser(__doc__, "shared", "tuples", "relata", "out")
    arguments.add_argument("--lexicons", required=True, nargs="+", type=Path)
    run(main, arguments)
