"""Compare the items that are built from WordNet with the released ones."""

import argparse
import json

from relprobe.core.cli import parser, run
from relprobe.core.files import read_table, write_csv
from relprobe.core.manifest import fetched_folder
from relprobe.sources.wordnet import load
from relprobe.studies.systematicity.build import built_items
from relprobe.studies.systematicity.data import overlap
from relprobe.studies.systematicity.hyponyms import hyponyms_of
from relprobe.studies.systematicity.schemas import ITEMS


def main(args: argparse.Namespace) -> None:
    """Write overlap.csv."""
    built = built_items(hyponyms_of(load(fetched_folder(args.wordnet)), args.categories, args.minimum_zipf))
    write_csv(overlap(built, read_table(args.items, ITEMS).filter(set="extended")), args.out)


if __name__ == "__main__":
    arguments = parser(__doc__, "items", "wordnet", "out")
    arguments.add_argument("--minimum-zipf", required=True, type=float)
    arguments.add_argument("--categories", required=True, type=json.loads, help="superordinate -> categories, as JSON")
    run(main, arguments)
