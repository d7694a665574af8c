"""Write the index of the report, and the page of published figures beside ours."""

import argparse
import json
from pathlib import Path

from relprobe.cli import parser, run
from relprobe.index import LEAD, PUBLISHED_LEAD, PUBLISHED_TITLE, TITLE, index, published_figures
from relprobe.report import write


def main(args: argparse.Namespace) -> None:
    """Put the studies' main tables into one page, and what was published into another."""
    lead = " ".join([LEAD, *args.left_out])
    write(TITLE, lead, index(args.overviews), args.template, args.out)
    write(PUBLISHED_TITLE, PUBLISHED_LEAD, published_figures(args.published), args.template, args.published_out)


if __name__ == "__main__":
    arguments = parser(__doc__)
    arguments.add_argument("--overviews", required=True, nargs="+", type=Path, help="STUDY/tables/overview.csv")
    arguments.add_argument("--published", required=True, nargs="+", type=Path, help="STUDY/tables/published.csv")
    arguments.add_argument("--left-out", type=json.loads, default=[], help="sentences on studies without data, as JSON")
    arguments.add_argument("--template", required=True, type=Path)
    arguments.add_argument("--out", required=True, type=Path)
    arguments.add_argument("--published-out", required=True, type=Path)
    run(main, arguments)
