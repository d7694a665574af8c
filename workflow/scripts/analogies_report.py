"""Write the report page of the analogies study."""

import argparse
from pathlib import Path

from relprobe.analogies.pages import LEAD, TITLE, sections
from relprobe.cli import parser, run
from relprobe.report import write


def main(args: argparse.Namespace) -> None:
    """Put the tables and figures into one page."""
    write(TITLE, LEAD, sections(args.tables, args.figures), args.template, args.out)


if __name__ == "__main__":
    arguments = parser(__doc__)
    arguments.add_argument("--tables", required=True, nargs="+", type=Path, help="CSV files, in the order of the page")
    arguments.add_argument("--figures", required=True, nargs="+", type=Path, help="SVG files, in the order of the page")
    arguments.add_argument("--template", required=True, type=Path)
    arguments.add_argument("--out", required=True, type=Path)
    run(main, arguments)
