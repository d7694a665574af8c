"""Score the probes with one model: its top tokens at every slot."""

import argparse
from pathlib import Path

import pyarrow as pa
from relprobe.core.cli import parser, run
from relprobe.core.files import read_table
from relprobe.core.progress import track
from relprobe.lm.cli import add_model_arguments, load_model
from relprobe.lm.primitives.slots import slot_top_k
from relprobe.lm.score_files.parts import part_size, provenance, write_in_parts
from relprobe.lm.score_files.slots import slot_table
from relprobe.lm.words.lexicon import LEXICON
from relprobe.studies.relations.requests import PROBES, answerable, requests


def main(args: argparse.Namespace) -> None:
    """Write the responses to the probes whose target is one token of the model."""
    lexicon = read_table(args.lexicon, LEXICON)
    probes = answerable(read_table(args.probes, PROBES), lexicon)
    model = load_model(args)
    excluded = model.encoder.tokenizer.all_special_ids if args.special_tokens == "drop" else ()
    asked = track(requests(probes), probes.height, "probes")
    about = provenance(model, args.model, [args.probes], Path(__file__), k=args.top_k, special=args.special_tokens)
    names = pa.array(lexicon["token"].to_list(), pa.string())
    write_in_parts(
        asked,
        lambda part: slot_top_k(model, part, args.top_k, excluded),
        lambda responses: slot_table(responses, names),
        about,
        args.out,
        part_size(model.net),
    )
    model.log_work()


if __name__ == "__main__":
    arguments = add_model_arguments(parser(__doc__, "lexicon", "probes", "out"))
    arguments.add_argument("--top-k", required=True, type=int)
    arguments.add_argument("--special-tokens", required=True, choices=["keep", "drop"])
    run(main, arguments)
