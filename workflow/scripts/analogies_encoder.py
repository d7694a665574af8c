"""Embed every pair of words with an encoder, as RelBERT does."""

import argparse
from pathlib import Path

import torch
from relprobe.core.cli import parser, run
from relprobe.core.files import read_table
from relprobe.core.manifest import fetched_folder
from relprobe.lm.score_files.parts import made_of, part_size, write_in_parts
from relprobe.studies.analogies.encoder import load
from relprobe.studies.analogies.pairs import pairs, vector_table
from relprobe.studies.analogies.schemas import INSTANCES


def main(args: argparse.Namespace) -> None:
    """Write the vectors of the pairs."""
    torch.set_num_threads(args.threads)
    encoder = load(fetched_folder(args.encoder), args.template, args.pooling, args.device)
    settings = {"template": encoder.template, "pooling": encoder.pooling}
    about = made_of([args.encoder, args.instances], Path(__file__), **settings)
    asked, size = pairs(read_table(args.instances, INSTANCES)), part_size(encoder.net)
    write_in_parts(asked, encoder.embed, vector_table, about, args.out, size)


if __name__ == "__main__":
    arguments = parser(__doc__, "encoder", "instances", "out")
    arguments.add_argument("--template", help="the encoder's own if not given")
    arguments.add_argument("--pooling", choices=["average_no_mask", "average", "mask"])
    arguments.add_argument("--device", default="auto")
    arguments.add_argument("--threads", type=int, default=1)
    run(main, arguments)
