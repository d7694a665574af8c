"""Measure what a probe costs beside the network and the ranking: reading, encoding, batches, tables and files.

The network has one layer of width 64 and a vocabulary of 50,000, so it leaves the host no time to hide its work in. Its
tokenizer is SmolLM2's, and the probes are the study's prompts with frequent words. "alone" is the time of a stage by itself,
and "together" is the whole job, in which threads encode the next inputs and write in the background. With `--cpu` the times
are those of the processor in all threads, which other work on the machine changes less. Network and ranking are then
measured alone, and what is left of the whole job is all work of the host, also that which it does beside the network.
"""

import argparse
import itertools
import statistics
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import torch
from relprobe.lm.loading.load import BUDGET, fastest_model
from relprobe.lm.network.cpu import keep_freed_memory
from relprobe.lm.network.model import LanguageModel
from relprobe.lm.primitives import slots
from relprobe.lm.primitives.stream import ENCODED_AT_ONCE, chunks
from relprobe.lm.requests import SlotProbe, SlotResponse
from relprobe.lm.score_files.parts import PART, write_in_parts
from relprobe.lm.score_files.slots import slot_table
from relprobe.lm.words.encode import Encoder
from relprobe.lm.words.tokenizer import tokenizer_of
from transformers import LlamaConfig, LlamaForCausalLM

from benchmarks.measure import machine
from benchmarks.probes import CAUSAL, frequent_word_probes

K = 1000
VOCABULARY = 50_000
BAR = 150e-6
"""The seconds that the host may take for a probe."""
Now = Callable[[], float]
"""A clock: the time of day, or that of the processor in all threads of this process."""


def main(args: argparse.Namespace) -> None:
    """Print the microseconds of a probe in each stage."""
    torch.set_num_threads(args.threads)
    print(machine())
    model = small_model(args.model)
    probes = list(frequent_word_probes(args.probes))
    now = time.process_time if args.cpu else time.perf_counter
    rounds = [measure(model, probes, now) for _ in range(args.rounds)]
    kind = "of the processor " if args.cpu else ""
    print(f"{args.probes:,} probes, {K} words each; microseconds {kind}a probe, the medians of {args.rounds} rounds")
    typical = {stage: statistics.median(times[stage] for times in rounds) / args.probes for stage in rounds[0]}
    for stage, duration in typical.items():
        print(f"{stage:44} {duration * 1e6:8.1f}")
    host = typical[HOST]
    print(f"bar: {BAR * 1e6:.0f}, {'kept' if host <= BAR else 'NOT KEPT'}")


def small_model(manifest: Path) -> LanguageModel:
    """Return a causal model of one layer with a published tokenizer."""
    keep_freed_memory()  # as load() does
    torch.manual_seed(0)
    size = {"hidden_size": 64, "intermediate_size": 128, "num_hidden_layers": 1, "num_attention_heads": 1}
    net = LlamaForCausalLM(LlamaConfig(vocab_size=VOCABULARY, **size)).eval()
    encoder = Encoder.of(tokenizer_of(manifest.with_suffix("")), masked=False, max_length=512)
    return fastest_model(net, encoder, BUDGET["cpu"])


HOST = "together: all but network and ranking"


def measure(model: LanguageModel, probes: list[SlotProbe], now: Now) -> dict[str, float]:
    """Return the seconds of all probes in each stage."""
    clock: dict[str, float] = {}
    with timed(model, clock, now):
        total = seconds(lambda: write(probes, lambda part: slots.slot_top_k(model, part, K)), now)
    stages = alone(model, probes, now)
    if now is time.process_time:  # while the network runs, it counts the threads beside it, too
        clock = {stage: stages[f"alone: {stage}"] for stage in clock}
    return {
        **stages,
        "together: network": clock["network"],
        "together: ranking": clock["ranking"],
        HOST: total - clock["network"] - clock["ranking"],
        "together: total": total,
    }


def seconds(work: Callable[[], object], now: Now) -> float:
    """Return how long `work` takes by a clock."""
    start = now()
    work()
    return now() - start


def write(probes: Iterable[SlotProbe], answer: Callable[[Iterable[SlotProbe]], Iterable[SlotResponse]]) -> None:
    """Write a score file, as the steps do."""
    with tempfile.TemporaryDirectory() as folder:
        write_in_parts(probes, answer, slot_table, {}, Path(folder) / "scores.parquet")


def encode(encoder: Encoder, probes: list[SlotProbe]) -> None:
    """Encode the texts, in groups as the primitives do."""
    for group in chunks(probes, lambda _: 1, ENCODED_AT_ONCE):
        encoder.slots([(probe.id, variant.text) for probe in group for variant in probe.variants])


def alone(model: LanguageModel, probes: list[SlotProbe], now: Now) -> dict[str, float]:
    """Return the seconds of each stage by itself, for all probes."""
    texts = [(probe.id, variant.text) for probe in probes for variant in probe.variants]
    encoded = seconds(lambda: encode(model.encoder, probes), now)
    queries = iter(model.encoder.slots(texts))
    groups = [
        (group, [query for probe in group for query in itertools.islice(queries, len(probe.variants))])
        for group in chunks(probes, lambda probe: len(probe.variants), model.chunk)
    ]
    clock: dict[str, float] = {}
    with timed(model, clock, now):
        answers = seconds(
            lambda: [slots.best_at_states(model, some, model.states(asked), K, ()) for some, asked in groups], now
        )
    responses = list(slots.slot_top_k(model, probes[:PART], K))
    table = seconds(lambda: slot_table(responses), now) * len(probes) / len(responses)
    files = seconds(lambda: write(probes, lambda part: responses[: len(list(part))]), now)
    return {
        "alone: encode": encoded,
        "alone: batches and states, without network": answers - clock["network"] - clock["ranking"],
        "alone: network": clock["network"],
        "alone: ranking": clock["ranking"],
        "alone: tables": table,
        "alone: keys, tables and files": files,
    }


@contextmanager
def timed(model: LanguageModel, clock: dict[str, float], now: Now) -> Iterator[None]:
    """Add the seconds of the network (body and head) and of the ranking to `clock`."""
    starts: list[float] = []

    def start(*_: Any) -> None:
        starts.append(now())

    def stop(*_: Any) -> None:
        clock["network"] = clock.get("network", 0) + now() - starts.pop()

    def clocked(function: Callable[..., Any], stage: str) -> Callable[..., Any]:
        def call(*args: Any, **kwargs: Any) -> Any:
            begin = now()
            result = function(*args, **kwargs)
            clock[stage] = clock.get(stage, 0) + now() - begin
            return result

        return call

    logits, rank = model.logits, slots._rank
    body = model.net.base_model
    hooks = [body.register_forward_pre_hook(start), body.register_forward_hook(stop)]
    model.logits, slots._rank = clocked(logits, "network"), clocked(rank, "ranking")  # type: ignore[method-assign]
    try:
        yield
    finally:
        model.logits, slots._rank = logits, rank  # type: ignore[method-assign]
        for hook in hooks:
            hook.remove()


if __name__ == "__main__":
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--probes", type=int, default=4 * PART)
    arguments.add_argument("--rounds", type=int, default=3)
    arguments.add_argument("--threads", type=int, default=torch.get_num_threads())
    arguments.add_argument("--cpu", action="store_true", help="count the time of the processor, in all threads")
    arguments.add_argument("--model", type=Path, default=CAUSAL, help="the manifest of a model with a tokenizer")
    main(arguments.parse_args())
