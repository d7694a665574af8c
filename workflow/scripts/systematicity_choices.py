"""Score the categories as answers to every probe with one model."""

import argparse
from pathlib import Path

from relprobe.cli import parser, run
from relprobe.files import read_table
from relprobe.lm.cli import add_model_arguments, load_model
from relprobe.lm.continuation import continuation_logprob
from relprobe.lm.parts import provenance, write_in_parts
from relprobe.progress import track
from relprobe.systematicity.requests import PROBES, closed_requests, closed_table


def main(args: argparse.Namespace) -> None:
    """Write the log-probabilities of the candidates, at the slot and with the rest of the sentence."""
    probes = read_table(args.probes, PROBES)
    words = dict(probes.select("probe_id", "candidates").iter_rows())
    model = load_model(args)
    asked = list(closed_requests(probes, model.encoder.masked))
    write_in_parts(
        track(asked, len(asked), "probes"),
        lambda part: continuation_logprob(model, part),
        lambda responses: closed_table(responses, words),
        provenance(model, args.model, [args.probes], Path(__file__)),
        args.out,
    )


if __name__ == "__main__":
    arguments = add_model_arguments(parser(__doc__))
    for name in ("probes", "out"):
        arguments.add_argument(f"--{name}", required=True, type=Path)
    run(main, arguments)
