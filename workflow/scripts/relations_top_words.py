"""Show what the agents answer to chosen probes."""

import argparse
from pathlib import Path

from relprobe.core.cli import parser, run
from relprobe.core.files import read_table, write_csv
from relprobe.studies.relations.schemas import PROBES, TOP_WORDS
from relprobe.studies.relations.shown_probes import default_probes, shown


def main(args: argparse.Namespace) -> None:
    """Write Table 5; each file is named after its agent."""
    words = {path.stem: read_table(path, TOP_WORDS) for path in args.agents}
    probes = read_table(args.probes, PROBES)
    write_csv(shown(words, probes, args.shown or default_probes(words, probes)), args.out)


if __name__ == "__main__":
    arguments = parser(__doc__, "probes", "out")
    arguments.add_argument("--agents", required=True, nargs="+", type=Path)
    arguments.add_argument(
        "--shown", nargs="*", default=[], help="PROMPT:TARGET of the probes; one per relation if none"
    )
    run(main, arguments)
