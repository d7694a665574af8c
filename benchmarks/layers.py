"""Time the answers after every layer against those of the last layer alone, and compare them with a computation by hand.

The two take turns in one process. The head reads the states of every layer, which is most of the additional work: the number
of operations says how many times as long all layers take at least. By hand means: `output_hidden_states` of transformers,
one input at a time, and the network's own norm and head on each of the states. The probes are those of the default study.
"""

import argparse
import itertools
import statistics
from collections.abc import Sequence
from pathlib import Path

import polars as pl
import torch
from relprobe.lm.loading.load import load
from relprobe.lm.network.lens import layer_count
from relprobe.lm.network.model import LanguageModel
from relprobe.lm.primitives.layers import View, slot_top_k_of_layers
from relprobe.lm.primitives.slots import queries_of, slot_top_k
from relprobe.lm.requests import Query, SlotProbe
from relprobe.studies.relations.method import requests
from relprobe.studies.relations.probes import in_prompts, prefixes
from torch import Tensor

from benchmarks.measure import machine, seconds, work_of
from benchmarks.probes import CAUSAL, EXAMPLES, MASKED, STUDY, study_probes, texts

K = 100
CLOSE = {CAUSAL: 5e-4, MASKED: 1e-4}
"""The largest difference of log-probabilities from those by hand, which come from another order of sums in float32."""


def main(args: argparse.Namespace) -> None:
    """Print the seconds, their ratio, and the differences; an exit status of 1 says that a bound does not hold."""
    torch.set_num_threads(args.threads)
    print(machine(), flush=True)
    within = [agrees(path, study_probes(args.compared)) for path in (CAUSAL, MASKED)]
    model = load(CAUSAL, masked=False)
    for way, probes in ways(args.probes).items():
        for every in (1, 3):
            layers = [*range(0, layer_count(model.net.config), every), layer_count(model.net.config)]
            ratio, least = overhead(model, probes, layers, args.rounds), operations(model, probes, len(layers))
            print(
                f"{way}: {len(layers)} layers take {ratio:.2f} times as long as the last; operations {least:.2f} times"
            )
    if not all(within):
        raise SystemExit(1)


def ways(count: int) -> dict[str, list[SlotProbe]]:
    """Return the first probes of the default study, asked directly and with three examples, each as a job has them."""
    table = pl.read_parquet(STUDY).head(count)
    return {
        "asked directly": list(requests(table)),
        "three examples": list(requests(in_prompts(table), prefixes(EXAMPLES, 3))),
    }


def operations(model: LanguageModel, probes: Sequence[SlotProbe], layers: int) -> float:
    """Return how many times as many operations the answers of several layers need as those of the last layer."""
    last = work_of(model, texts(list(probes)))
    reads = len(set(itertools.chain.from_iterable(queries_of(model, probes))))
    head = 2.0 * reads * sum(weights.numel() for weights in model.net.get_output_embeddings().parameters())
    return (last + (layers - 1) * head) / last


def overhead(model: LanguageModel, probes: Sequence[SlotProbe], layers: Sequence[int], rounds: int) -> float:
    """Return how many times as long the answers after some layers take, the median of rounds in which both take turns."""
    views = [View(layer) for layer in layers]
    ratios = []
    for _ in range(rounds):
        last = seconds(lambda: list(slot_top_k(model, probes, K)))
        every = seconds(lambda: list(slot_top_k_of_layers(model, probes, K, views)))
        ratios.append(every / last)
        print(f"{len(probes):,} probes: last layer {last:.1f} s, {len(views)} layers {every:.1f} s", flush=True)
    return statistics.median(ratios)


def agrees(path: Path, probes: Sequence[SlotProbe]) -> bool:
    """Say whether the log-probabilities after each layer, over the whole vocabulary, are those by hand."""
    model = load(path, masked=path == MASKED)
    queries = list(itertools.chain.from_iterable(queries_of(model, probes)))
    layers = range(layer_count(model.net.config) + 1)
    states = model.lens(queries, layers)
    worst = 0.0
    for place, query in enumerate(queries):
        ours, other = model.log_probs(states[:, place]), by_hand(model, query)
        known = ours.isfinite()
        worst = max(worst, float((ours - other)[known].abs().max()))
    count = f"{len(queries)} inputs of {len(probes)} probes, {len(layers)} layers"
    print(f"{path.stem}: at most {worst:.1e} from the log-probabilities by hand ({count}; at most {CLOSE[path]})")
    return worst <= CLOSE[path]


@torch.inference_mode()
def by_hand(model: LanguageModel, query: Query) -> Tensor:
    """Return the log-probabilities at the first read position after each layer, shape (layers, vocabulary)."""
    net = model.net
    every = net(input_ids=torch.tensor([query.ids]), output_hidden_states=True).hidden_states
    *earlier, last = [states[0, query.positions[0]] for states in every]
    if model.encoder.masked:
        return torch.stack([net.cls(states) for states in (*earlier, last)]).log_softmax(-1)
    normed = [net.model.norm(states) for states in earlier]  # transformers has normed the last states already
    return net.lm_head(torch.stack([*normed, last])).log_softmax(-1)


if __name__ == "__main__":
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--probes", type=int, default=2000)
    arguments.add_argument("--compared", type=int, default=50)
    arguments.add_argument("--rounds", type=int, default=3)
    arguments.add_argument("--threads", type=int, default=torch.get_num_threads())
    main(arguments.parse_args())
