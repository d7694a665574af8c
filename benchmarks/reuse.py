"""Print how much CPU scoring takes with the store of answered questions, as a ratio to scoring without it, in rounds.

`python -m benchmarks.reuse [PROBES] [ROUNDS]`. In each round, probes are scored in the groups of 4,096 of a job without a
store (1), in the groups of a job today with an empty store (2), and with a store that lacks one probe of 40 (3). The first
two take turns. Then the same without the network, with made-up answers: what the store alone costs, and the tokens of both.
"""

import itertools
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
from relprobe.lm.network.model import LanguageModel
from relprobe.lm.primitives.slots import queries_of, slot_top_k
from relprobe.lm.requests import SlotProbe, SlotResponse, Variant
from relprobe.lm.score_files.pace import LAG, first_size
from relprobe.lm.score_files.parts import PART, part_size, write_in_parts
from relprobe.lm.score_files.slots import slot_table
from relprobe.lm.settings import ModelSettings

from benchmarks.measure import machine
from benchmarks.probes import CAUSAL, frequent_word_probes

K = 1000
SHARE = 40


Answer = Callable[[Iterable[SlotProbe]], Iterable[SlotResponse]]


def write(answer: Answer, probes: list[SlotProbe], path: Path, whole: int, *, reuse: bool) -> float:
    """Score the probes into a file, and return the seconds of CPU, which other programs change least.

    `whole`: the size of a group of a job with a store.
    """
    size = whole if reuse else PART
    first = first_size(size) if reuse else None
    start = time.process_time()
    write_in_parts(probes, answer, slot_table, {}, path, size, first=first, reuse=reuse)
    return time.process_time() - start


def changed(probes: list[SlotProbe]) -> list[SlotProbe]:
    """Change the text of every SHARE-th probe."""
    return [
        replace(
            probe, variants=tuple(Variant(f"in fact, {variant.text}", variant.weight) for variant in probe.variants)
        )
        if number % SHARE == 0
        else probe
        for number, probe in enumerate(probes)
    ]


def in_turns(answer: Answer, probes: list[SlotProbe], whole: int, rounds: int) -> Iterator[tuple[float, float, float]]:
    """Yield the seconds of each round: without a store, with an empty one, and with one probe of SHARE changed."""
    for number in range(rounds):
        with tempfile.TemporaryDirectory() as folder:
            times = {}
            for reuse in (False, True) if number % 2 else (True, False):
                times[reuse] = write(answer, probes, Path(folder, f"{reuse}.parquet"), whole, reuse=reuse)
            again = write(answer, changed(probes), Path(folder, "True.parquet"), whole, reuse=True)
        yield times[False], times[True], again


def made_up(probes: Iterable[SlotProbe]) -> list[SlotResponse]:
    """Return an answer of the usual size to each probe, without a network."""
    ids, logprobs = np.arange(K, dtype=np.int32), -np.arange(K, dtype=np.float32)
    return [SlotResponse(probe.id, ids, logprobs) for probe in probes]


def tokens_of(model: LanguageModel, probes: list[SlotProbe], size: int, first: int) -> int:
    """Return how many tokens the network computes if it gets probes in groups; a shared beginning counts once a group."""
    sizes = itertools.chain([first] * LAG, itertools.repeat(size))
    left, count = iter(probes), 0
    while group := list(itertools.islice(left, next(sizes))):
        queries = itertools.chain.from_iterable(queries_of(model, group))
        count += len({query.ids[: length + 1] for query in queries for length in range(len(query.ids))})
    return count


def main(count: int, rounds: int) -> None:
    """Measure the ratios and print them."""
    model = ModelSettings(CAUSAL, "causal").load_network()
    probes, whole = list(frequent_word_probes(count)), part_size(model.net)
    print(f"{machine()}: {count} probes, groups of {whole}", flush=True)
    answer = partial(slot_top_k, model, k=K)
    write(answer, probes[:50], Path(tempfile.mkdtemp(), "warm.parquet"), whole, reuse=False)
    ratios, again = [], []
    for number, (without, empty, later) in enumerate(in_turns(answer, probes, whole, rounds), 1):
        ratios.append(empty / without)
        again.append(later / empty)
        print(
            f"round {number}: {without:.1f} s without a store, ratio {ratios[-1]:.3f}; then {again[-1]:.3f}", flush=True
        )
    print(f"with an empty store: {statistics.median(ratios):.3f} of the time without one")
    print(f"with one probe of {SHARE} changed: {statistics.median(again):.3f} of the first time")
    few, many = tokens_of(model, probes, PART, PART), tokens_of(model, probes, whole, first_size(whole))
    print(f"tokens: {few:,} without a store, {many:,} with one")
    alone = [statistics.median(times) for times in zip(*in_turns(made_up, probes, whole, 2 * rounds), strict=True)]
    print(f"without the network: {alone[0]:.2f} s without a store, {alone[1]:.2f} s with an empty one")


if __name__ == "__main__":
    main(*(int(word) for word in [*sys.argv[1:], *["4444", "5"][len(sys.argv) - 1 :]]))
