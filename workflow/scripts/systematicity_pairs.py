"""Build the classifier's pairs and the contexts of their words: from the released splits or from the items."""

import argparse
import json
from pathlib import Path

from relprobe.core.cli import parser, run
from relprobe.core.files import read_table, write_table
from relprobe.core.manifest import fetched_folder
from relprobe.sources.systematicity import grounded_pairs
from relprobe.studies.systematicity.build import carried
from relprobe.studies.systematicity.schemas import CONTEXTS, ITEMS, PAIRS
from relprobe.studies.systematicity.splits import of_carried, of_released


def main(args: argparse.Namespace) -> None:
    """Write the pairs, and the contexts."""
    if args.released:
        released = grounded_pairs(fetched_folder(args.released))
        pairs, contexts = of_released(released, args.categories, args.folds, args.seed)
    else:
        pool = carried(read_table(args.items, ITEMS), args.categories, args.carriers, args.seed)
        pairs, contexts = of_carried(pool, args.categories, args.folds, args.seed)
    write_table(pairs, PAIRS, args.out)
    write_table(contexts, CONTEXTS, args.contexts_out)


if __name__ == "__main__":
    arguments = parser(__doc__, "items", "out", "contexts-out")
    arguments.add_argument("--released", type=Path, help="manifest of the authors' data")
    for name in ("categories", "carriers"):
        arguments.add_argument(f"--{name}", required=True, type=json.loads, help="as JSON")
    for name in ("folds", "seed"):
        arguments.add_argument(f"--{name}", required=True, type=int)
    run(main, arguments)
