"""Write the report page of the degrees study."""

import argparse

from relprobe.cli import parser, run
from relprobe.degrees.pages import LEAD, TITLE, sections
from relprobe.report import add_page_arguments, write


def main(args: argparse.Namespace) -> None:
    """Put the tables and figures into one page."""
    parts = sections(args.tables, args.figures, without_static=args.without_static)
    write(TITLE, LEAD, parts, args.template, args.out)


if __name__ == "__main__":
    arguments = add_page_arguments(parser(__doc__))
    arguments.add_argument("--without-static", action="store_true", help="say that the run has no static vectors")
    run(main, arguments)
