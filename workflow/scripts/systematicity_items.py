"""Build the items and their probes: the released ones or, without them, WordNet's."""

import argparse
import json
from pathlib import Path

from relprobe.core.cli import parser, run
from relprobe.core.files import write_table
from relprobe.core.manifest import fetched_folder
from relprobe.sources import systematicity
from relprobe.sources.wordnet import load
from relprobe.studies.systematicity.build import built_items, check_categories, probes
from relprobe.studies.systematicity.hyponyms import check_hyponyms, hyponyms_of
from relprobe.studies.systematicity.schemas import ITEMS, PROBES


def main(args: argparse.Namespace) -> None:
    """Write the items, and their probes."""
    if args.released:
        items = check_categories(systematicity.items(fetched_folder(args.released)), args.categories)
    else:
        hyponyms = hyponyms_of(load(fetched_folder(args.wordnet)), args.categories, args.minimum_zipf)
        items = built_items(hyponyms)
        check_hyponyms(hyponyms, items)
    write_table(items, ITEMS, args.out)
    write_table(probes(items, args.categories), PROBES, args.probes_out)


if __name__ == "__main__":
    arguments = parser(__doc__, "out", "probes-out")
    arguments.add_argument("--released", type=Path, help="manifest of the authors' data")
    arguments.add_argument("--wordnet", type=Path, help="manifest of WordNet; read where there are no released items")
    arguments.add_argument("--minimum-zipf", type=float, default=0.0, help="of WordNet's items")
    arguments.add_argument("--categories", required=True, type=json.loads, help="superordinate -> categories, as JSON")
    run(main, arguments)
