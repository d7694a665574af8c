"""Score the sentences with one model: the (pseudo-)log-probability of each."""

import argparse
from pathlib import Path

import polars as pl
from relprobe.core.cli import parser, run
from relprobe.core.files import read_table
from relprobe.core.progress import track
from relprobe.lm.cli import add_model_arguments, load_model
from relprobe.lm.primitives.sentences import pseudo_logprob
from relprobe.lm.score_files.parts import part_size, provenance, write_in_parts
from relprobe.studies.analogies.requests import PART, SENTENCES, score_table, to_score


def main(args: argparse.Namespace) -> None:
    """Write the scores of the sentences of some partitions."""
    asked = read_table(args.sentences, SENTENCES).filter(pl.col("partition").is_in(args.partitions))
    model = load_model(args)
    requests = track(to_score(asked), asked["text"].n_unique(), "sentences")
    about = provenance(model, args.model, [args.sentences], Path(__file__), partitions=args.partitions)
    size = part_size(model.net, PART)
    write_in_parts(requests, lambda part: pseudo_logprob(model, part), score_table, about, args.out, size)
    model.log_work()


if __name__ == "__main__":
    arguments = add_model_arguments(parser(__doc__, "sentences", "out"))
    arguments.add_argument("--partitions", required=True, nargs="+", choices=["train", "test"])
    run(main, arguments)
