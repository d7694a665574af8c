"""Measure the cost of probes by the size of a model: tokens, seconds, floating-point rate and peak memory.

The models are Llama networks with SmolLM2's tokenizer and random weights, which are as fast as trained ones. Each runs in a
process of its own, so that the peak memory is its own. The probes are those of the default study.
"""

import argparse
import multiprocessing

import torch
from relprobe.lm.loading.load import BUDGET, fastest_model
from relprobe.lm.network.cpu import keep_freed_memory
from relprobe.lm.primitives.slots import slot_top_k
from relprobe.lm.words.encode import Encoder
from relprobe.lm.words.tokenizer import tokenizer_of
from transformers import LlamaConfig, LlamaForCausalLM

from benchmarks.measure import machine, peak_mb, seconds, work_of
from benchmarks.probes import CAUSAL, study_probes, texts

K = 1000
SIZES = ((384, 1024, 12), (576, 1536, 30), (960, 2560, 32), (2048, 5632, 22))
"""Width, width of the feed-forward layers, layers: the second and third are SmolLM2's, the last TinyLlama's."""


def main(args: argparse.Namespace) -> None:
    """Print one line per size."""
    print(machine())
    print("parameters  probes  tokens  seconds  Gflop/s  peak GB", flush=True)
    context = multiprocessing.get_context("spawn")
    for size in SIZES:
        process = context.Process(target=measure, args=(size, args.probes))
        process.start()
        process.join()


def measure(size: tuple[int, int, int], count: int) -> None:
    """Score the probes and print the line."""
    keep_freed_memory()
    torch.manual_seed(0)
    tokenizer = tokenizer_of(CAUSAL.with_suffix(""))
    width, inner, layers = size
    config = LlamaConfig(
        vocab_size=len(tokenizer),
        hidden_size=width,
        intermediate_size=inner,
        num_hidden_layers=layers,
        num_attention_heads=width // 64,
        tie_word_embeddings=True,
    )
    net = LlamaForCausalLM(config).eval()
    model = fastest_model(net, Encoder.of(tokenizer, masked=False, max_length=512), BUDGET["cpu"])
    probes = study_probes(count)
    before = model.tokens
    duration = seconds(lambda: list(slot_top_k(model, probes, K)))
    rate = work_of(model, texts(probes)) / duration
    tokens, parameters = model.tokens - before, net.num_parameters()
    print(
        f"{parameters:10.2e} {count:7,} {tokens:7,} {duration:8.1f} {rate / 1e9:8.0f} {peak_mb() / 1e3:8.2f}",
        flush=True,
    )


if __name__ == "__main__":
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--probes", type=int, default=300)
    main(arguments.parse_args())
