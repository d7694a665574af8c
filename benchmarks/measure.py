"""Measurements: the machine, time, floating-point work and memory."""

import platform
import resource
import sys
import time
from collections.abc import Callable
from pathlib import Path

import torch
from relprobe.lm.network.model import LanguageModel
from relprobe.lm.network.products import ProductLibrary, products_by, rates
from torch.nn.functional import linear

Clock = Callable[[], float]


def machine() -> str:
    """Name the processor, its cores and the version of torch."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.is_file() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    name = names[0] if names else platform.processor()
    return f"{name} ({torch.backends.cpu.get_cpu_capability()}), {torch.get_num_threads()} cores, torch {torch.__version__}"


def seconds(work: Callable[[], object], now: Clock = time.perf_counter) -> float:
    """Return how long `work` takes, by a clock: that of the day, or `time.process_time`, that of the processor."""
    start = now()
    work()
    return now() - start


def seconds_on(device: torch.device, work: Callable[[], object]) -> float:
    """Return how long `work` takes, until the device has done all of it."""

    def whole() -> None:
        work()
        if device.type == "cuda":
            torch.cuda.synchronize(device)

    return seconds(whole)


@torch.inference_mode()
def gemm_rate(rows: int, inner: int, columns: int, least_s: float = 2.0, now: Clock = time.perf_counter) -> float:
    """Return the machine's fp32 rate, in operations a second, for (rows, inner) x (inner, columns) as in a linear layer.

    It is that of the faster library of those that round nowhere (`relprobe.lm.network.products`), each timed for `least_s`
    by the clock `now`.
    """
    states, weights = torch.randn(rows, inner), torch.randn(columns, inner)

    def rate(library: ProductLibrary) -> float:
        products, duration = 0, 0.0
        with products_by(library):
            while duration < least_s:
                duration += seconds(lambda: linear(states, weights), now)
                products += 1
        return 2 * rows * inner * columns * products / duration

    return max(rate(library) for library in rates(inner, columns))


def work_of(model: LanguageModel, texts: list[str]) -> float:
    """Return the operations that the texts need: 2 x parameters x unique tokens in the body, and the head once per text.

    A causal model has one unique token per different beginning of an input, a masked model those of all different inputs.
    """
    queries = {model.encoder.slot(text, f"{text} [V]") for text in texts}
    if model.encoder.masked:
        tokens = sum(len(query.ids) for query in queries)
    else:
        tokens = len({query.ids[: i + 1] for query in queries for i in range(len(query.ids))})
    body = sum(
        p.numel() for name, p in model.net.base_model.named_parameters() if "embed" not in name
    )  # embeddings are looked up
    head = sum(p.numel() for p in model.net.get_output_embeddings().parameters())
    return 2.0 * (body * tokens + head * len(queries))


def peak_mb(process: int | None = None) -> float:
    """Return the peak resident memory of a process up to now, in MB: of this one, or, on Linux, of the one with this id.

    On Linux ru_maxrss includes the memory of the parent at the start of a process; the line VmHWM does not. A process that
    has ended has no such line, and 0 is returned.
    """
    status = Path(f"/proc/{process or 'self'}/status")
    if process or status.is_file():
        return next((int(line.split()[1]) for line in status.read_text().splitlines() if "VmHWM" in line), 0) / 1e3
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1e6 if sys.platform == "darwin" else 1e3)
