"""Embed every pair of words with an encoder, as RelBERT does."""

import argparse
from pathlib import Path

import torch
from relprobe.analogies.encoder import load
from relprobe.analogies.pairs import pairs, vector_table
from relprobe.analogies.schemas import INSTANCES
from relprobe.cli import parser, run
from relprobe.files import read_table, sha256
from relprobe.lm.parts import write_in_parts
from relprobe.manifest import fetched_folder


def main(args: argparse.Namespace) -> None:
    """Write the vectors of the pairs."""
    torch.set_num_threads(args.threads)
    encoder = load(fetched_folder(args.encoder), args.template, args.pooling, args.device)
    inputs = {path.name: sha256(path) for path in (args.encoder, args.instances)}
    about = {"inputs": inputs, "template": args.template, "pooling": args.pooling}
    write_in_parts(pairs(read_table(args.instances, INSTANCES)), encoder.embed, vector_table, about, args.out)


if __name__ == "__main__":
    arguments = parser(__doc__)
    for name in ("encoder", "instances", "out"):
        arguments.add_argument(f"--{name}", required=True, type=Path)
    arguments.add_argument("--template", help="the encoder's own if not given")
    arguments.add_argument("--pooling", choices=["average_no_mask", "average", "mask"])
    arguments.add_argument("--device", default="auto")
    arguments.add_argument("--threads", type=int, default=1)
    run(main, arguments)
