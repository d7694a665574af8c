"""The device that a job computes on, and the lock that keeps other jobs of the same user off it."""

import logging
import os
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

import torch
from filelock import FileLock, Timeout
from torch import Tensor

from relprobe.core.errors import ConfigError

logger = logging.getLogger("relprobe")
Result = TypeVar("Result")
OUT_OF_MEMORY = ("allocate memory", "out of memory", "_STATUS_ALLOC_FAILED")
"""Words of errors of the CPU's allocator, of CUDA, and of its libraries, such as CUBLAS_STATUS_ALLOC_FAILED."""
LOGGED = 60.0
"""The seconds between two lines of the log that say that a job waits for a GPU."""
POLLED = 0.1
"""The seconds between two looks at the locks."""


def claim(device: str) -> tuple[str, tuple[FileLock, ...]]:
    """Return the device to compute on, and the locks to hold as long as it is in use.

    "auto" is the first GPU that no other job of this user has locked, or the CPU where there is no GPU. If other jobs hold
    all GPUs, it waits for the one that is free first, and logs that it waits. The CPU needs no lock.
    ConfigError: torch knows no such device, or sees no such GPU.

    >>> claim("cpu")
    ('cpu', ())
    """
    if device == "auto" and not torch.cuda.is_available():
        return "cpu", ()
    if device == "auto":
        return _first_free()
    try:
        torch_device = torch.device(device)
    except RuntimeError as error:
        raise ConfigError(f"{device!r} is no device: use auto, cpu, cuda or, of several GPUs, cuda:0.") from error
    if torch_device.type != "cuda":
        return device, ()
    count, index = torch.cuda.device_count() if torch.cuda.is_available() else 0, torch_device.index or 0
    if index >= count:
        raise ConfigError(
            f"the device {device!r} is asked for, but torch sees {count} GPUs here: use auto or cpu, or a build of torch "
            "with CUDA and a driver that fits it."
        )
    return device, (_wait(index),)


def set_up_gpus() -> None:
    """Set how torch computes on GPUs: float32 as float32, and attention in batches of many shapes without a delay.

    By default cuDNN rounds the inputs of convolutions, which Mamba and ConvBERT have, to TF32: 10 bits of mantissa. Products
    of matrices are in float32 by default. For attention cuDNN makes a plan for each new shape of a batch, which takes
    milliseconds, and batches of probes have ever new shapes; torch's other kernels need no plan.
    """
    torch.backends.cudnn.conv.fp32_precision = "ieee"  # type: ignore[attr-defined]
    torch.backends.cuda.enable_cudnn_sdp(False)


def claim_all() -> tuple[FileLock, ...]:
    """Lock every visible GPU, for a model that is spread over them; the order is fixed, so that two jobs cannot deadlock."""
    return tuple(_wait(index) for index in sorted(range(torch.cuda.device_count()), key=_lock_file))


def _first_free() -> tuple[str, tuple[FileLock, ...]]:
    """Lock the first GPU that is free, and wait as long as none is."""
    return _wait_for(range(torch.cuda.device_count()), "a GPU")


def _wait(index: int) -> FileLock:
    """Lock this GPU, and wait as long as another job holds it."""
    _, (lock,) = _wait_for([index], f"GPU {index}")
    return lock


def _wait_for(indices: Sequence[int], what: str) -> tuple[str, tuple[FileLock, ...]]:
    """Lock one of these GPUs; while other jobs hold all of them, say so once and then after every LOGGED seconds."""
    start = logged = time.monotonic()
    waiting = False
    while True:
        for index in indices:
            with suppress(Timeout):
                return f"cuda:{index}", (_lock(index),)
        now = time.monotonic()
        if not waiting or now - logged >= LOGGED:
            files = ", ".join(str(_lock_file(index)) for index in indices)
            logger.info("waiting for another job to release %s, for %.0f s now (%s)", what, now - start, files)
            waiting, logged = True, now
        time.sleep(POLLED)


def _lock(index: int) -> FileLock:
    """Lock a GPU. Timeout: another job holds it."""
    lock = FileLock(_lock_file(index), is_singleton=True)  # one process may have several models on its GPU
    lock.acquire(timeout=0)
    return lock


def _lock_file(index: int) -> Path:
    """Return the lock file of a GPU. Its name has the UUID, because the index depends on CUDA_VISIBLE_DEVICES."""
    uuid = torch.cuda.get_device_properties(index).uuid
    return Path(tempfile.gettempdir()) / f"relprobe-{os.getuid()}-{uuid}.lock"


def move(values: Tensor, device: torch.device) -> Tensor:
    """Return a tensor of the CPU on a device; on a GPU it arrives before the next operation there, and nothing waits for it.

    Only from pinned memory can a GPU copy by itself. Otherwise the CPU would wait until the GPU has finished all its work.

    >>> move(torch.tensor([1, 2]), torch.device("cpu"))
    tensor([1, 2])
    """
    if device.type != "cuda":
        return values.to(device)
    return values.pin_memory().to(device, non_blocking=True)


def is_out_of_memory(error: Exception) -> bool:
    """Return whether an error says that memory has run out.

    >>> is_out_of_memory(RuntimeError("CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling `cublasCreate(handle)`"))
    True
    """
    kinds = (MemoryError, torch.OutOfMemoryError)
    return isinstance(error, kinds) or any(words in str(error) for words in OUT_OF_MEMORY)


def unless_out_of_memory(device: torch.device, compute: Callable[..., Result], *args: Any) -> Result | None:
    """Return the result of `compute`, or None if memory has run out; by then its tensors are freed.

    >>> unless_out_of_memory(torch.device("cpu"), bytearray, 2**62)  # is None
    """
    try:
        return compute(*args)
    except (RuntimeError, MemoryError) as error:
        if not is_out_of_memory(error):
            raise
    if device.type == "cuda":  # outside of the handler, whose error keeps the tensors of the computation alive
        torch.cuda.empty_cache()
    return None


def input_device(net: Any) -> torch.device:
    """Return the device of a network's inputs; if accelerate has spread the network, the first device that computes."""
    spread: dict[str, Any] = getattr(net, "hf_device_map", None) or {}
    if not spread:
        return torch.device(net.device)
    return torch.device(next((device for device in spread.values() if device not in ("cpu", "disk")), "cpu"))
