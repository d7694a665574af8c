"""Print how much CPU scoring takes with the store of answered questions, as a ratio to scoring without it, in rounds.

`python benchmarks/reuse.py [PROBES] [ROUNDS]`. In each round, probes are scored in the groups of 4,096 of a job without a
store (1), in the groups of a job today with an empty store (2), and with a store that lacks one probe of 40 (3). The first
two take turns.
"""

import statistics
import sys
import tempfile
import time
from dataclasses import replace
from functools import partial
from pathlib import Path

from measure import machine
from probes import CAUSAL, frequent_word_probes
from relprobe.lm.network.model import LanguageModel
from relprobe.lm.primitives.slots import slot_top_k
from relprobe.lm.requests import SlotProbe, Variant
from relprobe.lm.score_files.pace import first_size
from relprobe.lm.score_files.parts import PART, part_size, write_in_parts
from relprobe.lm.score_files.slots import slot_table
from relprobe.lm.settings import ModelSettings

K = 1000
SHARE = 40


def write(model: LanguageModel, probes: list[SlotProbe], path: Path, *, reuse: bool) -> float:
    """Score the probes into a file, and return the seconds of CPU, which other programs change least."""
    size = part_size(model.net) if reuse else PART
    first = first_size(size) if reuse else None
    start = time.process_time()
    answer = partial(slot_top_k, model, k=K)
    write_in_parts(probes, answer, slot_table, {}, path, size, first=first, reuse=reuse)
    return time.process_time() - start


def changed(probes: list[SlotProbe]) -> list[SlotProbe]:
    """Change the text of every SHARE-th probe."""
    return [
        replace(probe, variants=tuple(Variant(f"in fact, {one.text}", one.weight) for one in probe.variants))
        if number % SHARE == 0
        else probe
        for number, probe in enumerate(probes)
    ]


def main(count: int, rounds: int) -> None:
    """Measure the ratios and print them."""
    model = ModelSettings(CAUSAL, "causal").load_network()
    probes = list(frequent_word_probes(count))
    write(model, probes[:50], Path(tempfile.mkdtemp(), "warm.parquet"), reuse=False)
    ratios, again = [], []
    for number in range(rounds):
        with tempfile.TemporaryDirectory() as folder:
            path, times = Path(folder, "scores.parquet"), {}
            for reuse in (False, True) if number % 2 else (True, False):
                times[reuse] = write(model, probes, Path(folder, f"{reuse}.parquet"), reuse=reuse)
            path = Path(folder, "True.parquet")
            ratios.append(times[True] / times[False])
            again.append(write(model, changed(probes), path, reuse=True) / times[True])
        print(f"round {number + 1}: {times[False]:.1f} s without a store, ratio {ratios[-1]:.3f}; then {again[-1]:.3f}")
    print(f"{machine()}: {count} probes, groups of {part_size(model.net)}")
    print(f"with an empty store: {statistics.median(ratios):.3f} of the time without one")
    print(f"with one probe of {SHARE} changed: {statistics.median(again):.3f} of the first time")


if __name__ == "__main__":
    main(*(int(word) for word in [*sys.argv[1:], *["4444", "5"][len(sys.argv) - 1 :]]))
