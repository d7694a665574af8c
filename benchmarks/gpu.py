"""Measure the engine on a GPU in at most eight minutes, and print one Markdown table.

First the tests of the engine that need a GPU run. Then three random networks answer the same relation probes: of Llama's
kind with 135 million and with 1.2 billion parameters, and a BERT-base; each in float32 and in bfloat16. The columns are

- probes a second, from texts to the 1,000 likeliest tokens;
- the share of GEMM: the work of the plain network (2 x parameters x unique tokens, and the head once for each text) a
  second, divided by the GPU's best rate for a matrix product in the same format;
- host: the microseconds of a probe in which the GPU has nothing to do, which are those of the whole less those of its
  kernels (torch's profiler);
- memory: the most that torch has held on the GPU.

minicons and lm-evaluation-harness take their turns where they are installed. A part that would begin after seven minutes is
left out, and a line says so. Without a GPU nothing is measured, and a line says so. `--device cpu --small` runs every part
on a processor with toy networks: it shows that the script works, and its numbers mean nothing.

    python -m benchmarks.gpu
"""

import argparse
import functools
import gc
import importlib.util
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

import torch
from relprobe.lm.loading.load import BUDGET, fastest_model
from relprobe.lm.network.devices import set_up_gpus
from relprobe.lm.network.model import LanguageModel
from relprobe.lm.primitives.slots import slot_top_k
from relprobe.lm.requests import SlotProbe
from relprobe.lm.words.encode import Encoder
from torch.profiler import ProfilerActivity, profile
from transformers import BertConfig, BertForMaskedLM, LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

from benchmarks.measure import seconds_on, work_of
from benchmarks.probes import ROOT, frequent_word_probes, texts

K = 1000
LAST_START_S = 420.0
"""After so many seconds no further part begins, so that all is done within eight minutes."""
TESTS = [
    "tests/lm/primitives/test_gpu.py",
    "tests/lm/network/test_devices.py",
    "tests/studies/analogies/measure/test_half_precision.py",
]
NO_GPU = "No GPU: torch sees none, so nothing was measured on one."


@dataclass(frozen=True)
class Size:
    """A network to measure: its name, whether it is masked, and the settings of its config."""

    name: str
    masked: bool
    config: dict[str, int]

    def toy(self) -> "Size":
        """Return a network of the same kind that a processor computes at once."""
        small = {"hidden_size": 64, "intermediate_size": 128, "num_hidden_layers": 2, "num_attention_heads": 2}
        heads = {"num_key_value_heads": 1} if "num_key_value_heads" in self.config else {}
        return replace(self, config={**small, **heads})


SIZES = (
    Size(
        "Llama's kind, 135M",  # SmolLM2-135M's shape
        masked=False,
        config={
            "hidden_size": 576,
            "intermediate_size": 1536,
            "num_hidden_layers": 30,
            "num_attention_heads": 9,
            "num_key_value_heads": 3,
        },
    ),
    Size(
        "Llama's kind, 1.2B",  # Llama-3.2-1B's shape
        masked=False,
        config={
            "hidden_size": 2048,
            "intermediate_size": 8192,
            "num_hidden_layers": 16,
            "num_attention_heads": 32,
            "num_key_value_heads": 8,
        },
    ),
    Size(
        "BERT-base",
        masked=True,
        config={
            "hidden_size": 768,
            "intermediate_size": 3072,
            "num_hidden_layers": 12,
            "num_attention_heads": 12,
        },
    ),
)
VOCABULARY = {False: 49_152, True: 30_522}


@dataclass(frozen=True)
class Row:
    """A row of the table; None where a side does not say."""

    network: str
    side: str
    dtype: str
    probes_s: float
    share: float | None = None
    host_us: float | None = None
    memory_gb: float | None = None

    def line(self) -> str:
        """Return the row in Markdown."""
        share = "" if self.share is None else f"{self.share:.0%}"
        host = "" if self.host_us is None else f"{self.host_us:.0f}"
        memory = "" if self.memory_gb is None else f"{self.memory_gb:.1f}"
        cells = (self.network, self.side, self.dtype, f"{self.probes_s:,.0f}", share, host, memory)
        return f"| {' | '.join(cells)} |"


HEAD = """| network | side | format | probes a second | share of GEMM | host, us a probe | memory, GB |
|---|---|---|---:|---:|---:|---:|"""


def main(args: argparse.Namespace) -> None:
    """Run the tests, then print the table."""
    if args.device == "cuda" and not torch.cuda.is_available():
        print(NO_GPU)
        return
    start = time.monotonic()
    device = torch.device(args.device)
    set_up_gpus()
    print(machine(device), flush=True)
    if not args.no_tests:
        print(tests(), flush=True)
    probes = list(frequent_word_probes(args.probes))
    print(f"\n{len(probes):,} probes in {len(texts(probes)):,} wordings, {K} words each\n\n{HEAD}", flush=True)
    for size in SIZES:
        for dtype in (torch.float32, torch.bfloat16):
            if time.monotonic() - start > LAST_START_S:
                print(f"\n{size.name} in {dtype} was left out: seven minutes were over.", flush=True)
                continue
            for row in rows(size.toy() if args.small else size, dtype, device, probes):
                print(row.line(), flush=True)
            free(device)
    print(f"\n{time.monotonic() - start:.0f} s in all", flush=True)


def machine(device: torch.device) -> str:
    """Name the device, its memory and the version of torch."""
    if device.type != "cuda":
        return f"no GPU: {device}, torch {torch.__version__}"
    properties = torch.cuda.get_device_properties(device)
    return f"{properties.name}, {properties.total_memory / 1e9:.0f} GB, torch {torch.__version__}, CUDA {torch.version.cuda}"


def tests() -> str:
    """Run the engine's tests, those that need a GPU among them, and return pytest's last line."""
    command = [sys.executable, "-m", "pytest", "-q", "-m", "not slow", *TESTS]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)  # noqa: S603
    last = done.stdout.strip().splitlines()[-1:] or [done.stderr.strip()[-200:]]
    return f"tests: {last[0]}"


def rows(size: Size, dtype: torch.dtype, device: torch.device, probes: list[SlotProbe]) -> Iterable[Row]:
    """Yield the engine's row, then those of the other libraries."""
    net, tokenizer = network(size, dtype, device)
    encoder = Encoder.of(tokenizer, masked=size.masked, max_length=512)
    model = fastest_model(net, encoder, BUDGET[device.type])
    yield engine(size, model, probes)
    if not size.masked and dtype == torch.float32:
        for name, peer in peers(net, tokenizer, device).items():
            inputs = texts(probes)
            peer(inputs[:64])
            speed = len(probes) / seconds_on(device, functools.partial(peer, inputs))
            yield Row(size.name, name, str(dtype).removeprefix("torch."), speed)


def network(size: Size, dtype: torch.dtype, device: torch.device) -> tuple[Any, Any]:
    """Return a random network on the device, and a tokenizer of whole words with as many tokens as its kind has."""
    torch.manual_seed(0)
    vocabulary = VOCABULARY[size.masked]
    config = (BertConfig if size.masked else LlamaConfig)(vocab_size=vocabulary, **size.config)
    with torch.device(device):
        net = (BertForMaskedLM if size.masked else LlamaForCausalLM)(config).to(dtype).eval()
    return net, word_tokenizer(vocabulary)


def word_tokenizer(vocabulary: int) -> PreTrainedTokenizerFast:
    """Return a tokenizer whose tokens are the most frequent words of English, filled up to a vocabulary."""
    import wordfreq
    from tokenizers import Tokenizer
    from tokenizers.models import WordLevel
    from tokenizers.pre_tokenizers import WhitespaceSplit

    special = ["[UNK]", "[MASK]", "[PAD]", "[EOS]"]
    words = [*special, *wordfreq.top_n_list("en", vocabulary - len(special))]
    words += [f"[unused{number}]" for number in range(vocabulary - len(words))]
    tokenizer = Tokenizer(WordLevel({word: number for number, word in enumerate(words)}, unk_token="[UNK]"))  # noqa: S106
    tokenizer.pre_tokenizer = WhitespaceSplit()
    # lm-evaluation-harness begins each text with the token that ends one.
    names = {"unk_token": "[UNK]", "mask_token": "[MASK]", "pad_token": "[PAD]", "eos_token": "[EOS]"}
    return PreTrainedTokenizerFast(tokenizer_object=tokenizer, **names)


def engine(size: Size, model: LanguageModel, probes: list[SlotProbe]) -> Row:
    """Measure the engine: once to warm up, once for the time, and once under the profiler."""
    device = model.net.device
    list(slot_top_k(model, probes, K))
    if device.type == "cuda":
        torch.cuda.reset_peak_memory_stats(device)
    duration = seconds_on(device, lambda: list(slot_top_k(model, probes, K)))
    config = model.net.config
    possible = gemm_rate(device, model.net.dtype, BUDGET[device.type], config.hidden_size, config.intermediate_size)
    memory = torch.cuda.max_memory_allocated(device) / 1e9 if device.type == "cuda" else None
    return Row(
        size.name,
        f"relprobe, {model.path}",
        str(model.net.dtype).removeprefix("torch."),
        len(probes) / duration,
        work_of(model, texts(probes)) / duration / possible,
        host_us(model, probes),
        memory,
    )


def host_us(model: LanguageModel, probes: list[SlotProbe]) -> float | None:
    """Return the microseconds of a probe in which no kernel runs on the GPU; None on a processor."""
    device = model.net.device
    if device.type != "cuda":
        return None
    with profile(activities=[ProfilerActivity.CUDA]) as profiler:
        duration = seconds_on(device, lambda: list(slot_top_k(model, probes, K)))
    busy = sum(event.self_device_time_total for event in profiler.key_averages()) / 1e6  # kernels of one stream
    return max(0.0, duration - busy) / len(probes) * 1e6


@torch.inference_mode()
def gemm_rate(device: torch.device, dtype: torch.dtype, tokens: int, width: int, inner: int) -> float:
    """Return the device's best rate for a matrix product, in operations a second.

    It is the highest of three: a batch through the two matrices of a feed-forward layer, (tokens, width) x (width, inner)
    and back, and 8,192 x 8,192 x 8,192. One shape alone can run at half the rate of another.
    """
    square = 8192 if device.type == "cuda" else 512
    shapes = [(tokens, width, inner), (tokens, inner, width), (square, square, square)]
    return max(_rate(device, dtype, *shape) for shape in shapes)


def _rate(device: torch.device, dtype: torch.dtype, rows: int, inner: int, columns: int) -> float:
    states = torch.randn(rows, inner, device=device, dtype=dtype)
    weights = torch.randn(columns, inner, device=device, dtype=dtype)
    products = 50 if device.type == "cuda" else 3

    def multiply() -> None:
        for _ in range(products):
            states @ weights.T

    multiply()
    return 2 * rows * inner * columns * products / min(seconds_on(device, multiply) for _ in range(2))


def peers(net: Any, tokenizer: Any, device: torch.device) -> dict[str, Callable[[list[str]], object]]:
    """Return the installed libraries of others, by their names, with the same network."""
    if any(importlib.util.find_spec(name) is None for name in ("minicons", "lm_eval")):
        return {}
    from benchmarks.peers import Harness, Minicons

    place = str(device)
    return {
        "minicons, top 1,000": Minicons(net, tokenizer, place),
        "lm-evaluation-harness, one candidate": Harness(net, tokenizer, place),
    }


def free(device: torch.device) -> None:
    """Give the memory of the last network back."""
    gc.collect()
    if device.type == "cuda":
        torch.cuda.empty_cache()


if __name__ == "__main__":
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--probes", type=int, default=4000)
    arguments.add_argument("--device", default="cuda")
    arguments.add_argument("--small", action="store_true", help="toy networks: does the script work?")
    arguments.add_argument("--no-tests", action="store_true")
    main(arguments.parse_args())
