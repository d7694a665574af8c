"""Which device a job computes on, and the lock that keeps another local job off it."""

import logging
import os
import tempfile
from pathlib import Path

import torch
from filelock import FileLock, Timeout

logger = logging.getLogger("relprobe")


def claim(device: str) -> tuple[str, tuple[FileLock, ...]]:
    """Return the device to compute on and the locks to hold as long as it is used.

    "auto" is the first GPU that no other job of ours holds, or the CPU where there is no GPU; if all are held it waits
    for the first. The CPU needs no lock.
    """
    if device == "auto" and not torch.cuda.is_available():
        return "cpu", ()
    if device == "auto":
        return _first_free()
    if torch.device(device).type != "cuda":
        return device, ()
    return device, (_wait(torch.device(device).index or 0),)


def claim_all() -> tuple[FileLock, ...]:
    """Lock every visible GPU, for a model spread over them; always in the same order, so that two jobs cannot deadlock."""
    return tuple(_wait(index) for index in sorted(range(torch.cuda.device_count()), key=_lock_file))


def _first_free() -> tuple[str, tuple[FileLock, ...]]:
    for index in range(torch.cuda.device_count()):
        try:
            return f"cuda:{index}", (_acquired(index, timeout=0),)
        except Timeout:
            continue
    return "cuda:0", (_wait(0),)


def _wait(index: int) -> FileLock:
    try:
        return _acquired(index, timeout=0)
    except Timeout:
        logger.info("waiting for another job to release GPU %d", index)
        return _acquired(index, timeout=-1)


def _acquired(index: int, timeout: float) -> FileLock:
    lock = FileLock(_lock_file(index), is_singleton=True)  # one process may have several models on its GPU
    lock.acquire(timeout=timeout)
    return lock


def _lock_file(index: int) -> Path:
    """Name a GPU by its UUID: its index depends on CUDA_VISIBLE_DEVICES."""
    uuid = torch.cuda.get_device_properties(index).uuid
    return Path(tempfile.gettempdir()) / f"relprobe-{os.getuid()}-{uuid}.lock"
