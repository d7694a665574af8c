"""Score the probes with one model, for one kind of rater."""

import argparse
from pathlib import Path

from relprobe.cli import parser, run
from relprobe.degrees.engine import KINDS, PART, ask
from relprobe.degrees.requests import PROBES
from relprobe.files import read_table
from relprobe.lm.cli import add_model_arguments, load_model
from relprobe.lm.parts import part_size, provenance, write_in_parts
from relprobe.progress import track


def main(args: argparse.Namespace) -> None:
    """Write what the model answers to the requests of the kind."""
    probes = read_table(args.probes, PROBES)
    model = load_model(args)
    asked = ask(args.kind, model, probes, args.layer)
    requests = track(asked.requests, len(asked.requests), "requests")
    about = provenance(model, args.model, [args.probes], Path(__file__), kind=args.kind, layer=args.layer)
    write_in_parts(requests, asked.answer, asked.table, about, args.out, part_size(model.net, PART))
    model.log_work()


if __name__ == "__main__":
    arguments = add_model_arguments(parser(__doc__, "probes", "out"))
    arguments.add_argument("--kind", required=True, choices=KINDS)
    arguments.add_argument("--layer", type=int, default=0, help="of hidden states")
    run(main, arguments)
