"""Time the scoring engine against the libraries that people use today, on the relation probes of the default study.

All sides get the same texts on the same machine in the same minutes: each side has a process of its own, and the processes
take turns. The ratios are medians over the rounds, to the engine.
The share of GEMM is the work of the plain network (2 x parameters x unique tokens, and the head) per second, divided by the
machine's best rate for a float32 product of the model's own size, by MKL or by oneDNN. As that rate drifts on a shared
machine, products and engines take turns, too, and the share is that of their means. A few hundred probes share fewer
beginnings than the study does; the first 2,000 share about as many.
"""

import argparse
import statistics
import subprocess
import sys
from collections.abc import Callable, Mapping

import torch
from relprobe.lm.loading.load import BUDGET
from relprobe.lm.network.model import LanguageModel

from benchmarks import sides
from benchmarks.measure import gemm_rate, machine, work_of
from benchmarks.probes import study_probes, texts
from benchmarks.sides import Side

ENGINE = "engine, top 1000"
CAUSAL_SIDES = {
    ENGINE: sides.engine_causal,
    "engine, one candidate": sides.engine_candidate,
    "minicons, top 1000": sides.minicons,
    "lm-eval, one candidate": sides.harness,
}
MASKED_SIDES = {
    ENGINE: sides.engine_masked,
    "fill-mask, top 1000": sides.fill_mask,
    "fill-mask, top 5": sides.fill_mask_five,
}


def main(args: argparse.Namespace) -> None:
    """Print the tables."""
    torch.set_num_threads(args.threads)
    print(machine(), flush=True)
    if "causal" in args.parts:
        compare("SmolLM2-135M, causal", sides.causal_model(), CAUSAL_SIDES, args)
    if "masked" in args.parts:
        compare("BERT-base's size, masked", sides.masked_model(), MASKED_SIDES, args)
    if "memory" in args.parts:
        for count in (1_000, 10_000, 100_000):
            print(f"peak memory of the engine, small model, {count:7,} probes: {memory(count)} MB", flush=True)


def compare(
    title: str,
    model: LanguageModel,
    makers: Mapping[str, Callable[[sides.Probes], sides.Work]],
    args: argparse.Namespace,
) -> None:
    """Let the sides take turns and print one table."""
    running = [Side(name, make, args.probes, args.threads) for name, make in makers.items()]
    engine = next(side for side in running if side.name == ENGINE)
    share, possible = share_of_gemm(model, engine, args)
    times: dict[str, list[float]] = {side.name: [] for side in running}
    for _ in range(args.rounds):
        for side in running:
            times[side.name].append(side.turn())
    print(f"\n{title}: {args.probes:,} probes; path {model.path}; last, times the seconds of the engine")
    for side in running:
        print(line(side, times[side.name], times[ENGINE], args.probes))
    print(f"{ENGINE}: {share:.0%} of GEMM ({possible / 1e9:.0f} Gflop/s)", flush=True)


def share_of_gemm(model: LanguageModel, engine: Side, args: argparse.Namespace) -> tuple[float, float]:
    """Return the engine's share of the rate of matrix products, and that rate in operations a second."""
    rates: list[float] = []
    times: list[float] = []
    for _ in range(2 * args.rounds):
        rates.append(rate(model))
        times.append(engine.turn())
    possible = statistics.mean(rates)
    return work_of(model, texts(study_probes(args.probes))) / statistics.mean(times) / possible, possible


def line(side: Side, times: list[float], engine: list[float], probes: int) -> str:
    """End a side and return its line of the table."""
    typical = statistics.median(times)
    ratio = statistics.median(other / own for other, own in zip(times, engine, strict=True))
    return f"{side.name:24} {typical:8.2f} s {probes / typical:8.1f} probes/s {side.close():8,.0f} MB {ratio:7.2f}"


def rate(model: LanguageModel) -> float:
    """Return the machine's rate at this moment for a product of the model's size, in operations a second."""
    config = model.net.config
    return gemm_rate(BUDGET["cpu"], config.hidden_size, config.intermediate_size)


def memory(count: int) -> str:
    """Return the peak memory, in MB, of scoring in a process of its own."""
    command = [sys.executable, "-m", "benchmarks.memory", str(count)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()  # noqa: S603


if __name__ == "__main__":
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--probes", type=int, default=2000)
    arguments.add_argument("--rounds", type=int, default=3)
    arguments.add_argument("--threads", type=int, default=torch.get_num_threads())
    arguments.add_argument("--parts", nargs="+", default=["causal", "masked", "memory"])
    main(arguments.parse_args())
