"""Time the scoring engine against the libraries that people use today, on the relation probes of the default study.

All sides get the same texts on the same machine in the same minutes: each side has a process of its own, and the processes
take turns. The ratios are medians over the rounds, to the engine. Then each side answers a hundred texts, and its
log-probabilities are compared with those of the plain forward of transformers in float32, one text at a time.
The share of GEMM is the work of the plain network (2 x parameters x unique tokens, and the head) per second, divided by the
machine's best rate for a float32 product of the model's own size, by MKL or by oneDNN. As that rate drifts on a shared
machine, products and engines take turns, too, and the share is that of their means. A few hundred probes share fewer
beginnings than the study does; the first 2,000 share about as many. With `--cpu` the seconds are those of the processor, in
all threads, which other work on the machine changes less.
"""

import argparse
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from relprobe.lm.loading.load import BUDGET
from relprobe.lm.network.model import LanguageModel

from benchmarks import sides
from benchmarks.measure import Clock, gemm_rate, machine, work_of
from benchmarks.peers import Answer
from benchmarks.probes import study_probes, texts
from benchmarks.sides import Side, SideError

ENGINE = "engine, top 1000"
CAUSAL_SIDES = {
    ENGINE: sides.engine_causal,
    "engine, one candidate": sides.engine_candidate,
    "transformers, top 1000": sides.transformers,
    "minicons, top 1000": sides.minicons,
    "lm-eval, one candidate": sides.harness,
    "OpenVINO, top 1000": sides.openvino,
    "ONNX Runtime, top 1000": sides.onnx_runtime,
    "llama.cpp, 4 bits, top 1000": sides.llama_cpp,
}
MASKED_SIDES = {
    ENGINE: sides.engine_masked,
    "fill-mask, top 1000": sides.fill_mask,
    "fill-mask, top 5": sides.fill_mask_five,
}
COMPARED = 100
"""The wordings whose answers are compared with the plain forward."""
FIRST = 10
"""How many of a side's likeliest tokens are compared."""


def main(args: argparse.Namespace) -> None:
    """Print the tables."""
    torch.set_num_threads(args.threads)
    print(machine(), flush=True)
    if "causal" in args.parts:
        compare("SmolLM2-135M, causal", sides.causal_model(), sides.smollm2(), CAUSAL_SIDES, args)
    if "masked" in args.parts:
        compare("BERT-base's size, masked", sides.masked_model(), sides.bert_base(), MASKED_SIDES, args)
    if "memory" in args.parts:
        for count in (1_000, 10_000, 100_000):
            print(f"peak memory of the engine, small model, {count:7,} probes: {memory(count)} MB", flush=True)


def compare(
    title: str,
    model: LanguageModel,
    plain: tuple[Any, Any],
    makers: Mapping[str, Callable[[], sides.Ask]],
    args: argparse.Namespace,
) -> None:
    """Let the sides take turns and print one table. `plain`: the network and the tokenizer that all are compared with."""
    wanted = {
        name: make for name, make in makers.items() if name == ENGINE or not args.sides or matches(name, args.sides)
    }
    running = [side for name, make in wanted.items() if (side := started(name, make, args)) is not None]
    engine = next(side for side in running if side.name == ENGINE)
    share, possible = share_of_gemm(model, engine, args)
    times: dict[str, list[float]] = {side.name: [] for side in running}
    for _ in range(args.rounds):
        for side in running:
            times[side.name].append(side.turn())
    sample = sides.single_wordings(COMPARED)
    expected = sides.references(*plain, sample)
    print(
        f"\n{title}: {args.probes:,} probes; path {model.path}; times the seconds of the engine; then, over {len(sample)} "
        f"texts, the same likeliest token as the plain forward, and the mean and largest difference of the natural-log "
        f"probabilities of a side's first {FIRST}"
    )
    for side in running:
        said = difference(side.answers(sample), expected)
        print(line(side, times[side.name], times[ENGINE], args.probes), said)
    print(f"{ENGINE}: {share:.0%} of GEMM ({possible / 1e9:.0f} Gflop/s)", flush=True)


def matches(name: str, parts: Sequence[str]) -> bool:
    """Return whether the name of a side has one of these parts."""
    return any(part.lower() in name.lower() for part in parts)


def started(name: str, make: Callable[[], sides.Ask], args: argparse.Namespace) -> Side | None:
    """Return a side that has loaded its model; None, and a line, if it cannot."""
    try:
        return Side(name, make, args.probes, args.threads, clock(args))
    except SideError as error:
        print(f"{error}: it has no line in the table", flush=True)
        return None


def difference(answers: Sequence[Answer], expected: Sequence[NDArray[np.float64]]) -> str:
    """Say how the answers of a side differ from the log-probabilities of all tokens after the same texts."""
    pairs = list(zip(answers, expected, strict=True))
    gaps = np.concatenate([abs(values[:FIRST] - every[ids[:FIRST]]) for (ids, values), every in pairs])
    same = np.mean([ids[0] == every.argmax() for (ids, _), every in pairs if len(ids) > 1] or [np.nan])
    return f"{'' if np.isnan(same) else f'{same:.0%}':>5} {gaps.mean():9.1e} {gaps.max():9.1e}"


def share_of_gemm(model: LanguageModel, engine: Side, args: argparse.Namespace) -> tuple[float, float]:
    """Return the engine's share of the rate of matrix products, and that rate in operations a second."""
    rates: list[float] = []
    times: list[float] = []
    for _ in range(2 * args.rounds):
        rates.append(rate(model, clock(args)))
        times.append(engine.turn())
    possible = statistics.mean(rates)
    return work_of(model, texts(study_probes(args.probes))) / statistics.mean(times) / possible, possible


def line(side: Side, times: list[float], engine: list[float], probes: int) -> str:
    """End a side and return its line of the table."""
    typical = statistics.median(times)
    ratio = statistics.median(other / ours for other, ours in zip(times, engine, strict=True))
    return f"{side.name:28} {typical:8.2f} s {probes / typical:8.1f} probes/s {side.close():8,.0f} MB {ratio:7.2f}"


def clock(args: argparse.Namespace) -> Clock:
    """Return the clock that turns are timed by."""
    return time.process_time if args.cpu else time.perf_counter


def rate(model: LanguageModel, now: Clock) -> float:
    """Return the machine's rate at this moment for a product of the model's size, in operations a second."""
    config = model.net.config
    return gemm_rate(BUDGET["cpu"], config.hidden_size, config.intermediate_size, now=now)


def memory(count: int) -> str:
    """Return the peak memory, in MB, of scoring in a process of its own."""
    command = [sys.executable, "-m", "benchmarks.memory", str(count)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()  # noqa: S603


if __name__ == "__main__":
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--probes", type=int, default=2000)
    arguments.add_argument("--rounds", type=int, default=3)
    arguments.add_argument("--threads", type=int, default=torch.get_num_threads())
    arguments.add_argument("--cpu", action="store_true", help="seconds of the processor, and not of the day")
    arguments.add_argument("--sides", nargs="+", help="parts of the names of sides beside the engine (default: all)")
    arguments.add_argument("--parts", nargs="+", default=["causal", "masked", "memory"])
    main(arguments.parse_args())
