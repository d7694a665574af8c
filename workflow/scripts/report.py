"""Write the pages above the studies' own, where everything comes from, and the captions of `snakemake --report`."""

import argparse
import json
from pathlib import Path

from relprobe.captions import write_captions
from relprobe.cli import parser, run
from relprobe.files import write_csv
from relprobe.index import LEAD, PUBLISHED_LEAD, PUBLISHED_LINKS, PUBLISHED_TITLE, TITLE, index, published_figures
from relprobe.origins import origins
from relprobe.report import write


def main(args: argparse.Namespace) -> None:
    """Put the studies' main tables into one page, and what was published into another."""
    sources = origins(args.models, args.resources, args.manifests)
    write_csv(sources, args.sources_out)
    write(TITLE, " ".join([LEAD, *args.left_out]), index(args.overviews, sources), args.template, args.out, {})
    published = published_figures(args.published)
    write(PUBLISHED_TITLE, PUBLISHED_LEAD, published, args.template, args.published_out, PUBLISHED_LINKS)
    write_captions(args.pages, args.captions_of, args.captions_out)


if __name__ == "__main__":
    arguments = parser(__doc__, "template", "out", "published-out", "sources-out", "captions-out")
    for name, of in (
        ("pages", "report.html"),
        ("overviews", "tables/overview.csv"),
        ("published", "tables/published.csv"),
    ):
        arguments.add_argument(f"--{name}", required=True, nargs="+", type=Path, help=f"STUDY/{of}")
    for name in ("models", "resources"):
        arguments.add_argument(f"--{name}", required=True, type=json.loads, help="entries of the config, as JSON")
    arguments.add_argument("--manifests", required=True, nargs="+", type=Path, help="MODEL.json of each model")
    arguments.add_argument(
        "--captions-of", required=True, nargs="+", help="STUDY/figures/NAME.svg, STUDY/tables/NAME.csv"
    )
    arguments.add_argument("--left-out", type=json.loads, default=[], help="sentences on studies without data, as JSON")
    run(main, arguments)
