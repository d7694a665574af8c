"""Embed the words of the classifier's pairs in their contexts with one model."""

import argparse
from pathlib import Path

from relprobe.core.cli import parser, run
from relprobe.core.files import read_table
from relprobe.core.progress import track
from relprobe.lm.cli import add_model_arguments, load_model
from relprobe.lm.primitives.embeddings import embeddings
from relprobe.lm.score_files.parts import part_size, provenance, write_in_parts
from relprobe.studies.systematicity.requests import CONTEXTS, context_requests, embeddings_table


def main(args: argparse.Namespace) -> None:
    """Write a vector per context."""
    contexts = read_table(args.contexts, CONTEXTS)
    model = load_model(args)
    write_in_parts(
        track(context_requests(contexts), contexts.height, "contexts"),
        lambda part: embeddings(model, part, args.layer),
        embeddings_table,
        provenance(model, args.model, [args.contexts], Path(__file__), layer=args.layer),
        args.out,
        part_size(model.net),
    )
    model.log_work()


if __name__ == "__main__":
    arguments = add_model_arguments(parser(__doc__, "contexts", "out"))
    arguments.add_argument("--layer", required=True, type=int)
    run(main, arguments)
