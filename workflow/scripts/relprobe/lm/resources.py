"""The memory and the time that a job asks of a cluster, by the size of its model and by the device.

Sites refuse jobs that ask for more than their nodes have, so the numbers are generous but not wild. A job that is killed for
its memory or time is tried again with twice as much, then with three times as much: `attempt` counts from 1.
"""

from pathlib import Path

from relprobe.lm.precision import LARGE

LIBRARIES_MB = 3000
"""Megabytes that every job of a model needs: the interpreter, torch, and a part of the probes."""
SMALL = 5e8
"""The parameters below which a model is small: in float32, two such jobs take about 6 GB of memory (docs/scale.md)."""
SHARD_BYTES = 10e9
"""The largest file of a checkpoint. Published checkpoints of large models come in shards of 5 to 10 GB."""
GPU_FILES = (Path("/dev/nvidia0"), Path("/dev/kfd"))
"""Files of the drivers of NVIDIA's and AMD's GPUs: one of them is there if a GPU is. To import torch takes seconds."""
THREADS = 8
"""The most threads of a job that runs a model."""


def threads(parameters: float, cores: int | None) -> int:
    """Return the threads of a job that runs a model of so many parameters.

    `cores`: those that several jobs share, None if each job has its own. Much of a small model's job is work for one core:
    imports, texts, tables. Two of them at once, on half of the cores each, took 0.8 of the time that they take one after
    the other on all cores (docs/scale.md).

    >>> threads(135e6, 2), threads(135e6, 12), threads(7e9, 12), threads(135e6, None)
    (1, 6, 8, 8)
    """
    return max(1, min(THREADS, cores // 2)) if cores and parameters < SMALL else THREADS


def gpu_is_used(device: str) -> bool:
    """Return whether this machine has a GPU that models of a `scoring.device` run on.

    >>> gpu_is_used("cpu")
    False
    """
    return device != "cpu" and any(file.exists() for file in GPU_FILES)


def weight_bytes(parameters: float, dtype: str | None = None) -> float:
    """Return the bytes of so many weights, and about those of their files, in a format; without one the size decides.

    >>> weight_bytes(135e6), weight_bytes(7e9), weight_bytes(7e9, "float32")
    (540000000.0, 14000000000.0, 28000000000.0)
    """
    float32 = dtype == "float32" if dtype else parameters < LARGE
    return (4 if float32 else 2) * parameters


def memory_mb(
    parameters: float, dtype: str | None = None, *, gpu: bool, attempt: int = 1, untrained: bool = False
) -> int:
    """Return the megabytes of main memory for a job that loads a model of so many parameters.

    `dtype`: the number format of the config entry; without it the model's size decides. On a CPU the weights lie in main
    memory, and once more while they are read: 4 bytes each in float32, else 2. On a GPU they go straight to the device,
    shard by shard: main memory holds one shard, and once more while it is copied. `untrained`: an untrained network of the
    same shape stands beside it (`maps.untrained`), which is made in main memory, in float32, on a GPU as well.

    >>> memory_mb(135e6, gpu=False), memory_mb(7e9, gpu=False), memory_mb(7e9, gpu=True), memory_mb(70e9, gpu=True)
    (4080, 31000, 23000, 23000)
    >>> [memory_mb(7e9, gpu=gpu, untrained=True) for gpu in (False, True)]
    [59000, 51000]
    """
    weights = weight_bytes(parameters, dtype)
    held = 2 * min(weights, SHARD_BYTES) if gpu else 2 * weights
    held += 4 * parameters if untrained else 0
    return attempt * (LIBRARIES_MB + round(held / 1e6))


def conversion_mb(parameters: float, attempt: int = 1) -> int:
    """Return the megabytes of main memory for a job that converts a GGUF file of so many parameters.

    The weights lie in memory once, in float32, and the file is mapped beside them. Measured on files of 4 bits: 860 MB and
    1.17 times the weights.

    >>> conversion_mb(135e6), conversion_mb(7e9)
    (3810, 45000)
    """
    return attempt * (LIBRARIES_MB + round(1.5 * 4 * parameters / 1e6))


def minutes(parameters: float, *, gpu: bool, attempt: int = 1, networks: int = 1) -> int:
    """Return the minutes for a job that scores or embeds with a model of so many parameters.

    On a CPU a billion parameters take about 100 minutes for the probes of a study. On a GPU that takes one or two, and
    loading decides: a checkpoint of 140 GB (70 billion parameters) from a network file system of 0.1 GB/s takes 25 minutes.
    `networks`: how many of this size the job asks the same.

    >>> minutes(7e9, gpu=False), minutes(7e9, gpu=True), minutes(70e9, gpu=True)
    (900, 44, 170)
    """
    per_billion = 2 if gpu else 120
    fixed = 30 if gpu else 60
    return attempt * (fixed + round(networks * parameters * per_billion / 1e9))


def served_minutes(attempt: int = 1) -> int:
    """Return the minutes for a job that asks a server. It waits for other machines, and continues where it was stopped.

    >>> served_minutes(), served_minutes(2)
    (480, 960)
    """
    return attempt * 480


def hidden_width(parameters: float) -> int:
    """Return the width of the hidden states as it goes with the size.

    >>> hidden_width(1e9), hidden_width(7e9)
    (2204, 4215)
    """
    return round((10.7 * parameters) ** (1 / 3))
