"""Draw the figures of the analogies study."""

import argparse
import json

from relprobe.core.cli import parser, run
from relprobe.core.files import read_table
from relprobe.core.units import AVERAGES
from relprobe.report.figures import save
from relprobe.studies.analogies.figures import draw
from relprobe.studies.analogies.schemas import TUPLES


def main(args: argparse.Namespace) -> None:
    """Draw every figure from the averages."""
    names = dict(read_table(args.tuples, TUPLES).select("relation", "name").iter_rows())
    for name, figure in draw(read_table(args.averages, AVERAGES), names, args.kinds):
        save(figure, args.folder / name)


if __name__ == "__main__":
    arguments = parser(__doc__, "averages", "tuples", "folder")
    arguments.add_argument(
        "--kinds", required=True, type=json.loads, help="agent -> masked, causal or baseline, as JSON"
    )
    run(main, arguments)
