"""Measure the cost of answers of any length: tokens and seconds a probe, by k and by the size of the word list.

Beside them stand the 1,000 likeliest tokens of the same probes, and brute force, which scores words one by one; it is
measured on a random sample of the largest list, and the last line is in proportion to that.
The share of GEMM is the work of the network per second, divided by the machine's rate for a matrix
product of the model's own size: 2 x parameters for each token that the network has computed, and the head for each position
that was read.
"""

import argparse
import multiprocessing
import random
from pathlib import Path

import torch
import wordfreq
from relprobe.lm.loading.load import BUDGET, fastest_model, load
from relprobe.lm.network.cpu import keep_freed_memory
from relprobe.lm.network.model import LanguageModel
from relprobe.lm.primitives.continuation import continuation_logprob
from relprobe.lm.primitives.slots import slot_top_k
from relprobe.lm.primitives.top_words import slot_top_words
from relprobe.lm.requests import Continuation
from relprobe.lm.words.encode import Encoder
from relprobe.lm.words.tokenizer import tokenizer_of
from relprobe.lm.words.word_list import WordList
from transformers import LlamaConfig, LlamaForCausalLM

from benchmarks.measure import gemm_rate, machine, peak_mb, seconds
from benchmarks.probes import CAUSAL, study_probes

SHARP = 30.0
"""A factor for the logits of a random network."""
BRUTE_WORDINGS = 2
"""The wordings in which brute force scores its words."""


def main(args: argparse.Namespace) -> None:
    """Print a line per size of the list and per k."""
    print(machine())
    model, probes = load(args.model, masked=False), study_probes(args.probes)
    wordings = sum(len(probe.variants) for probe in probes)
    print(
        f"{len(probes):,} probes in {wordings:,} wordings\nwords        k  tokens  inputs  seconds  share of GEMM",
        flush=True,
    )
    for size in args.sizes:
        words = frequent_words(size)
        list(slot_top_words(model, probes[:1], words, 1))  # the words are spelled once
        for k in args.ks:
            search = report(
                f"{size:6,} {k:6}",
                model,
                lambda k=k, words=words: list(slot_top_words(model, probes, words, k)),
                wordings,
            )
    report("all tokens, 1000", model, lambda: list(slot_top_k(model, probes, 1000)), wordings)
    if args.brute:
        sample = tuple(random.Random(1).sample(words.words, args.brute))  # noqa: S311
        some = [variant for probe in probes for variant in probe.variants][:BRUTE_WORDINGS]
        requests = [Continuation(str(i), probe.text, sample) for i, probe in enumerate(some)]
        brute = report(
            f"{args.brute:,} one by one",
            model,
            lambda: list(continuation_logprob(model, requests, word_boundary=True)),
            len(some),
        )
        times = brute / search * len(words.words) / args.brute
        print(
            f"all {len(words.words):,} words one by one would take {times:,.0f} times as long as the last search",
            flush=True,
        )
    if args.memory:
        context = multiprocessing.get_context("spawn")
        for count in args.memory:
            process = context.Process(target=memory, args=(count,))
            process.start()
            process.join()


def frequent_words(size: int) -> WordList:
    """Return the most frequent alphabetic words of English."""
    words = [word for word in wordfreq.top_n_list("en", 2 * size) if word.isalpha()][:size]
    return WordList(tuple(words), tuple(wordfreq.word_frequency(word, "en") for word in words))


def report(name: str, model: LanguageModel, work: object, wordings: int) -> float:
    """Time some work and print tokens and inputs a wording, the seconds, and the share of GEMM; return seconds a wording."""
    tokens, inputs = model.tokens, model.inputs
    before = rate(model)
    duration = seconds(work)  # type: ignore[arg-type]
    possible = (before + rate(model)) / 2
    tokens, inputs = model.tokens - tokens, model.inputs - inputs
    share = operations(model, tokens, inputs) / duration / possible
    print(
        f"{name:>16} {tokens / wordings:7.1f} {inputs / wordings:7.1f} {duration:8.1f} s, "
        f"{wordings / duration:6.1f} wordings/s, {share:.0%} of GEMM ({possible / 1e9:.0f} Gflop/s)",
        flush=True,
    )
    return duration / wordings


def rate(model: LanguageModel) -> float:
    """Return the machine's rate at this moment for a product of the model's size, in operations a second."""
    return gemm_rate(BUDGET["cpu"], model.net.config.hidden_size, model.net.config.intermediate_size, least_s=1.0)


def operations(model: LanguageModel, tokens: int, positions: int) -> float:
    """Return the operations of the body for so many tokens, and of the head for so many positions."""
    body = sum(p.numel() for name, p in model.net.base_model.named_parameters() if "embed" not in name)
    head = sum(p.numel() for p in model.net.get_output_embeddings().parameters())
    return 2.0 * (body * tokens + head * positions)


def memory(count: int) -> None:
    """Print the peak memory of `count` probes in this process, for a small network.

    A network of random weights finds all words nearly equally likely, so that no search would stop; the factor SHARP makes
    some words as likely as a trained network does.
    """
    keep_freed_memory()
    torch.manual_seed(0)
    tokenizer = tokenizer_of(CAUSAL.with_suffix(""))
    config = LlamaConfig(
        vocab_size=len(tokenizer), hidden_size=64, intermediate_size=128, num_hidden_layers=2, num_attention_heads=2
    )
    net = LlamaForCausalLM(config).eval()
    with torch.no_grad():
        net.lm_head.weight.mul_(SHARP)
    model = fastest_model(net, Encoder.of(tokenizer, masked=False, max_length=512), BUDGET["cpu"])
    probes, words = study_probes(count), frequent_words(50_000)
    duration = seconds(lambda: sum(1 for _ in slot_top_words(model, probes, words, 10)))
    wordings = sum(len(probe.variants) for probe in probes)
    print(
        f"peak memory of a small network, {count:,} probes in {wordings:,} wordings, k = 10: {peak_mb():,.0f} MB "
        f"({duration:.0f} s, {model.tokens / wordings:.1f} tokens a wording)",
        flush=True,
    )


if __name__ == "__main__":
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--model", type=Path, default=CAUSAL)
    arguments.add_argument("--probes", type=int, default=100)
    arguments.add_argument("--sizes", type=int, nargs="+", default=[10_000, 50_000])
    arguments.add_argument("--ks", type=int, nargs="+", default=[10, 30, 100])
    arguments.add_argument("--brute", type=int, default=1_000, help="the number of words that brute force scores")
    arguments.add_argument("--memory", type=int, nargs="*", default=[200, 2_000], help="numbers of probes")
    main(arguments.parse_args())
