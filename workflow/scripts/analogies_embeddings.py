"""Embed the four words of every sentence with one model."""

import argparse
from functools import partial
from pathlib import Path

from relprobe.core.cli import parser, run
from relprobe.core.files import read_table
from relprobe.core.progress import track
from relprobe.lm.cli import add_model_arguments, load_model
from relprobe.lm.primitives.embeddings import embeddings
from relprobe.lm.score_files.parts import part_size, provenance, write_in_parts
from relprobe.studies.analogies.requests import SENTENCES, embedding_table, to_embed
from relprobe.studies.analogies.template import Template


def main(args: argparse.Namespace) -> None:
    """Write the embeddings."""
    asked = read_table(args.sentences, SENTENCES)
    model = load_model(args)
    requests = track(to_embed(asked, Template.of(args.template)), asked.height, "sentences")
    about = provenance(model, args.model, [args.sentences], Path(__file__), layer=args.layer)
    answer = partial(embeddings, model, layer=args.layer)
    write_in_parts(requests, answer, embedding_table, about, args.out, part_size(model.net))
    model.log_work()


if __name__ == "__main__":
    arguments = add_model_arguments(parser(__doc__, "sentences", "out"))
    arguments.add_argument("--template", required=True)
    arguments.add_argument("--layer", required=True, type=int)
    run(main, arguments)
