"""Time the relation probes of the default study with three solved examples before each, against the same without.

The probes are scored as the study does it: without examples those of a target together, with examples those of a prompt.
The two take turns. A study of fewer probes shares fewer beginnings.
"""

import argparse
import statistics
from collections.abc import Iterator
from pathlib import Path

import polars as pl
import torch
from relprobe.lm.primitives.slots import slot_top_k
from relprobe.lm.requests import SlotProbe
from relprobe.studies.relations.method import requests
from relprobe.studies.relations.probes import in_prompts, prefixes

from benchmarks.measure import machine, seconds
from benchmarks.peers import K
from benchmarks.probes import EXAMPLES, STUDY
from benchmarks.sides import causal_model


def main(args: argparse.Namespace) -> None:
    """Print the seconds of both, and their ratio."""
    torch.set_num_threads(args.threads)
    print(machine(), flush=True)
    model, table = causal_model(), pl.read_parquet(args.study).head(args.probes)
    before = prefixes(args.examples, args.shots)

    def work(todo: Iterator[SlotProbe]) -> tuple[float, int]:
        model.tokens = 0
        return seconds(lambda: list(slot_top_k(model, todo, K))), model.tokens

    ratios = []
    for _ in range(args.rounds):
        bare, tokens = work(requests(table))
        few, more_tokens = work(requests(in_prompts(table), before))
        ratios.append(few / bare)
        print(
            f"bare {bare:.1f} s, {tokens:,} tokens; {args.shots} examples {few:.1f} s, {more_tokens:,} tokens",
            flush=True,
        )
    print(f"{table.height:,} probes: {statistics.median(ratios):.2f} times as long with {args.shots} examples")


if __name__ == "__main__":
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--study", type=Path, default=STUDY)
    arguments.add_argument("--examples", type=Path, default=EXAMPLES)
    arguments.add_argument("--probes", type=int, default=4000)
    arguments.add_argument("--shots", type=int, default=3)
    arguments.add_argument("--rounds", type=int, default=3)
    arguments.add_argument("--threads", type=int, default=torch.get_num_threads())
    main(arguments.parse_args())
