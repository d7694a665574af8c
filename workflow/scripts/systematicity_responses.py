"""Ask one model the probes: its first words at the slot, and its scores of the categories."""

import argparse
from pathlib import Path

from relprobe.core.cli import parser, run
from relprobe.core.files import read_table
from relprobe.core.progress import track
from relprobe.lm.cli import add_model_arguments, load_model
from relprobe.lm.score_files.parts import part_size, provenance, write_in_parts
from relprobe.lm.words.lexicon import LEXICON
from relprobe.studies.systematicity.requests import PROBES, requests
from relprobe.studies.systematicity.responses import answer, table, words_by_token


def main(args: argparse.Namespace) -> None:
    """Write the responses of one model."""
    probes, vocabulary = read_table(args.probes, PROBES), words_by_token(read_table(args.lexicon, LEXICON))
    candidates = dict(probes.select("probe_id", "candidates").iter_rows())
    model = load_model(args)
    asked = list(requests(probes, model.encoder.masked))
    write_in_parts(
        track(asked, len(asked), "requests"),
        lambda part: answer(model, list(part), args.top_k),
        lambda responses: table(responses, candidates, vocabulary),
        provenance(model, args.model, [args.probes], Path(__file__), k=args.top_k),
        args.out,
        part_size(model.net),
    )
    model.log_work()


if __name__ == "__main__":
    arguments = add_model_arguments(parser(__doc__, "lexicon", "probes", "out"))
    arguments.add_argument("--top-k", required=True, type=int)
    run(main, arguments)
