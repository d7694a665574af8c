"""Look at what the models answer: kinds of errors, examples, the categories' log-probabilities and tokens."""

import argparse
from pathlib import Path

from relprobe.core.cli import parser, run
from relprobe.core.files import read_table, write_csv
from relprobe.core.manifest import fetched_folder
from relprobe.sources.wordnet import load
from relprobe.studies.systematicity.analyses import category_logprobs, several_tokens
from relprobe.studies.systematicity.error_kinds import error_kinds
from relprobe.studies.systematicity.examples import answers, shown
from relprobe.studies.systematicity.schemas import ITEMS, PROBES, RESPONSES


def main(args: argparse.Namespace) -> None:
    """Write a CSV file per table; each responses file is named after its model."""
    given = {path.stem: read_table(path, RESPONSES) for path in args.responses}
    probes, items = read_table(args.probes, PROBES), read_table(args.items, ITEMS)
    everything = answers(given, probes, items)
    write_csv(everything, args.folder / "answers.csv")
    write_csv(shown(everything), args.folder / "examples.csv")
    write_csv(category_logprobs(given, probes, items), args.folder / "category_logprobs.csv")
    write_csv(several_tokens(given), args.folder / "tokens.csv")
    write_csv(error_kinds(load(fetched_folder(args.wordnet)), given, probes, items), args.folder / "errors.csv")


if __name__ == "__main__":
    arguments = parser(__doc__, "probes", "items", "wordnet", "folder")
    arguments.add_argument("--responses", required=True, nargs="+", type=Path)
    run(main, arguments)
