"""Write the report page of the systematicity study."""

import argparse

from relprobe.core.cli import parser, run
from relprobe.report.page import add_page_arguments, write
from relprobe.studies.systematicity.pages import LEAD, TITLE, sections


def main(args: argparse.Namespace) -> None:
    """Put the tables and figures into one page."""
    write(TITLE, LEAD, sections(args.tables, args.figures), args.template, args.out)


if __name__ == "__main__":
    run(main, add_page_arguments(parser(__doc__)))
