"""Time the scoring engine against the libraries that people use today, on the relation probes of the default study.

All sides get the same texts on the same machine in the same minutes: they take turns, and the ratios are medians over
the rounds. The share of GEMM is the work that cannot be avoided (2 x parameters x unique tokens, and the head) over the
time taken, against the rate of a matrix product of the model's own size measured in the same round.
"""

import argparse
import statistics
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
from measure import gemm_rate, machine, peak_mb, seconds, work_of
from peers import FillMask, Harness, Minicons
from probes import CAUSAL, MASKED, study_probes, texts
from relprobe.lm.continuation import continuation_logprob
from relprobe.lm.encode import Encoder
from relprobe.lm.load import BUDGET, checked, load
from relprobe.lm.model import LanguageModel
from relprobe.lm.requests import Continuation, SlotProbe
from relprobe.lm.scoring import slot_top_k
from relprobe.lm.tokenizer import tokenizer_of
from transformers import BertConfig, BertForMaskedLM

K = 1000
Work = Callable[[], object]


def main(args: argparse.Namespace) -> None:
    """Print the tables."""
    torch.set_num_threads(args.threads)
    print(machine())
    causal(load(CAUSAL, masked=False), study_probes(args.probes), args.rounds)
    masked(bert_base(), study_probes(args.probes), args.rounds)
    print(f"peak memory of all the above: {peak_mb():,.0f} MB")
    for count in (1_000, 10_000, 100_000):
        print(f"peak memory of the engine alone, small model, {count:7,} probes: {memory(count)} MB")


def causal(model: LanguageModel, probes: list[SlotProbe], rounds: int) -> None:
    """Time SmolLM2-135M."""
    asked = texts(probes)
    minicons, harness = (peer(model.net, model.encoder.tokenizer) for peer in (Minicons, Harness))
    candidates = [Continuation(text, f"{text} [V]", ("animal",)) for text in asked]
    sides: dict[str, Work] = {
        "engine, top 1000": lambda: list(slot_top_k(model, probes, K)),
        "engine, one candidate": lambda: list(continuation_logprob(model, candidates)),
        "minicons, top 1000": lambda: minicons(asked),
        "lm-eval, one candidate": lambda: harness(asked),
    }
    report("SmolLM2-135M, causal", model, asked, len(probes), compare(sides, model.net.config, rounds))


def masked(model: LanguageModel, probes: list[SlotProbe], rounds: int) -> None:
    """Time a masked model of BERT-base's size."""
    asked = texts(probes)
    all_words, five = (FillMask(model.net, model.encoder.tokenizer, k) for k in (K, 5))
    sides: dict[str, Work] = {
        "engine, top 1000": lambda: list(slot_top_k(model, probes, K)),
        "fill-mask, top 1000": lambda: all_words(asked),
        "fill-mask, top 5": lambda: five(asked),
    }
    report("BERT-base's size, masked", model, asked, len(probes), compare(sides, model.net.config, rounds))


def bert_base() -> LanguageModel:
    """Return BERT-base (uncased) with random weights, which take as long as trained ones."""
    torch.manual_seed(0)
    tokenizer = tokenizer_of(MASKED.with_suffix(""))
    net = BertForMaskedLM(BertConfig(vocab_size=len(tokenizer))).eval()
    return checked(net, Encoder.of(tokenizer, masked=True, max_length=512), BUDGET["cpu"])


def compare(sides: dict[str, Work], config: Any, rounds: int) -> dict[str, list[float]]:
    """Return the seconds of every side in every round, and the GEMM rates ("gemm") measured before each side."""
    taken: dict[str, list[float]] = {name: [] for name in ("gemm", *sides)}
    for _ in range(rounds):
        rates = []
        for name, work in sides.items():
            rates.append(gemm_rate(BUDGET["cpu"], config.hidden_size, config.intermediate_size))
            taken[name].append(seconds(work))
        taken["gemm"].append(max(rates[:2]))  # those just before and after the engine
    return taken


def report(title: str, model: LanguageModel, asked: list[str], probes: int, taken: dict[str, list[float]]) -> None:
    """Print one table."""
    rates = taken.pop("gemm")
    (first, engine), *_ = taken.items()
    print(
        f"\n{title}: {probes:,} probes, {len(asked):,} inputs; path {model.path}; GEMM {max(rates) / 1e9:.0f} Gflop/s"
    )
    for name, times in taken.items():
        ratio = statistics.median(other / own for other, own in zip(times, engine, strict=True))
        print(
            f"{name:24} {statistics.median(times):8.2f} s {probes / statistics.median(times):8.1f} probes/s {ratio:7.2f}"
        )
    shares = [work_of(model, asked) / time / rate for time, rate in zip(engine, rates, strict=True)]
    print(f"{first}: {statistics.median(shares):.0%} of GEMM")


def memory(count: int) -> str:
    """Return the peak memory of a process of its own."""
    script = Path(__file__).with_name("memory.py")
    done = subprocess.run([sys.executable, str(script), str(count)], capture_output=True, text=True, check=True)  # noqa: S603
    return done.stdout.strip()


if __name__ == "__main__":
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--probes", type=int, default=1000)
    arguments.add_argument("--rounds", type=int, default=3)
    arguments.add_argument("--threads", type=int, default=torch.get_num_threads())
    main(arguments.parse_args())
