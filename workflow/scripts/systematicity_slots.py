"""Score the probes whose vocabulary is open with one model: its top tokens at every slot."""

import argparse
from pathlib import Path

import pyarrow as pa
from relprobe.cli import parser, run
from relprobe.files import read_table
from relprobe.lm.cli import add_model_arguments, load_model
from relprobe.lm.lexicon import LEXICON
from relprobe.lm.parts import provenance, write_in_parts
from relprobe.lm.score_file import slot_table
from relprobe.lm.scoring import slot_top_k
from relprobe.progress import track
from relprobe.systematicity.requests import PROBES, open_requests


def main(args: argparse.Namespace) -> None:
    """Write the model's first tokens for each probe."""
    names = pa.array(read_table(args.lexicon, LEXICON)["token"].to_list(), pa.string())
    model = load_model(args)
    asked = list(open_requests(read_table(args.probes, PROBES), model.encoder.masked))
    write_in_parts(
        track(asked, len(asked), "probes"),
        lambda part: slot_top_k(model, part, args.top_k),
        lambda responses: slot_table(responses, names),
        provenance(model, args.model, [args.probes], Path(__file__), k=args.top_k),
        args.out,
    )


if __name__ == "__main__":
    arguments = add_model_arguments(parser(__doc__))
    for name in ("lexicon", "probes", "out"):
        arguments.add_argument(f"--{name}", required=True, type=Path)
    arguments.add_argument("--top-k", required=True, type=int)
    run(main, arguments)
