"""Draw the figures of the degrees study."""

import argparse
import json

from relprobe.cli import parser, run
from relprobe.degrees.figures import draw
from relprobe.degrees.schemas import GOLD, SUMMARY
from relprobe.degrees.tables import class_order
from relprobe.figures import save
from relprobe.files import read_table


def main(args: argparse.Namespace) -> None:
    """Draw agreement per rater and per relation class."""
    classes = class_order(read_table(args.gold, GOLD))
    for name, figure in draw(read_table(args.summary, SUMMARY), args.kinds, classes):
        save(figure, args.folder / name)


if __name__ == "__main__":
    arguments = parser(__doc__, "summary", "gold", "folder")
    arguments.add_argument("--kinds", required=True, type=json.loads, help="model -> masked or causal, as JSON")
    run(main, arguments)
