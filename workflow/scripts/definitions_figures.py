"""Draw the figures of the definitions study."""

import argparse
import json

from relprobe.core.cli import parser, run
from relprobe.core.files import read_table
from relprobe.report.figures import save
from relprobe.studies.definitions.figures import draw
from relprobe.studies.definitions.schemas import AVERAGES


def main(args: argparse.Namespace) -> None:
    """Draw every figure from the averages."""
    for name, figure in draw(read_table(args.averages, AVERAGES), args.kinds):
        save(figure, args.folder / name)


if __name__ == "__main__":
    arguments = parser(__doc__, "averages", "folder")
    arguments.add_argument(
        "--kinds", required=True, type=json.loads, help="agent -> masked, causal or baseline, as JSON"
    )
    run(main, arguments)
