"""Score the probes with one model: the probability of every word that is asked for with a definition."""

import argparse
from functools import partial
from pathlib import Path

from relprobe.core.cli import parser, run
from relprobe.core.progress import track
from relprobe.lm.cli import add_model_arguments, load_model
from relprobe.lm.score_files.parts import part_size, provenance, write_in_parts
from relprobe.studies.definitions import scores
from relprobe.studies.definitions.prompts import read
from relprobe.studies.definitions.requests import numbers, requests


def main(args: argparse.Namespace) -> None:
    """Write the scores under every pattern for the model's type."""
    patterns = read(args.prompts)[args.type]
    asked, questions = numbers(args.probes, patterns)
    model = load_model(args)
    about = provenance(model, args.model, [args.probes, args.prompts], Path(__file__), capitals=args.capitals)
    todo = track(requests(args.probes, patterns, capitals=args.capitals == "yes"), asked, "definitions in patterns")
    table = partial(scores.table, masked=args.type == "masked")
    write_in_parts(todo, partial(scores.answer, model), table, about, args.out, part_size(model.net, scores.PART))
    scores.log_inputs(args.out, questions)
    model.log_work()


if __name__ == "__main__":
    arguments = add_model_arguments(parser(__doc__, "probes", "prompts", "out"))
    arguments.add_argument("--capitals", required=True, choices=["yes", "no"])
    run(main, arguments)
