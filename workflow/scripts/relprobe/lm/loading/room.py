"""Whether a model has room: on the disk before it is downloaded, and in memory before its weights are read.

What is refused would fail for certain, and only later: the least that a model takes is compared with the most that there is.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import huggingface_hub
import torch
from huggingface_hub.constants import HF_HUB_CACHE
from huggingface_hub.errors import DryRunError, HfHubHTTPError

from relprobe.core.errors import ModelError, SourceError
from relprobe.core.room import REMEDY, memory, require_disk, scores_here, size_in_words, swap
from relprobe.lm.loading.files import count_parameters, object_in, quantisations, weight_files

WEIGHTS = (".safetensors", ".bin")
"""The endings of files of weights."""
BYTES = {"F64": 2, "F32": 2, "BF16": 2, "F16": 2}
"""The least bytes that a weight of a format of safetensors takes in memory: a plain one can be loaded in 16 bits."""


def require_for_download(name: str, entry: Mapping[str, Any], patterns: list[str]) -> None:
    """Check that the files of a model at Hugging Face that its cache lacks have room there; `name` is for errors.

    A run that asks its models on this machine also needs memory for the weights. Without a connection nothing is known, and
    nothing is checked. SourceError: there is no room. The client's errors: the model cannot be read.
    """
    try:
        files = huggingface_hub.snapshot_download(
            entry["huggingface"], revision=entry["revision"], allow_patterns=patterns, dry_run=True
        )
    except (DryRunError, OSError) as error:
        if isinstance(error, HfHubHTTPError):
            raise
        return
    model = f"{name}: {entry['huggingface']}"
    require_disk(
        model, sum(file.file_size or 0 for file in files if file.will_download), Path(HF_HUB_CACHE), SourceError
    )
    stored = sum(file.file_size or 0 for file in files if file.filename.endswith(WEIGHTS))
    if stored and scores_here() and (least := least_at_hub(entry, stored)) > most():
        raise SourceError(_too_large(model, least, most()))


def least_at_hub(entry: Mapping[str, Any], stored: float) -> float:
    """Return the least bytes of memory for weights at Hugging Face, which take `stored` bytes there.

    It is counted by their formats where Hugging Face says them; else they may be stored in 32 bits.
    """
    info = huggingface_hub.model_info(entry["huggingface"], revision=entry["revision"], expand=["safetensors"])
    if info.safetensors is None:
        return stored / 2
    return min(stored, sum(BYTES.get(kind, 0.5) * number for kind, number in info.safetensors.parameters.items()))


def require_here(name: str, folder: Path) -> None:
    """Check that the weights of a folder have room here if the run asks its models here. ModelError: they have none."""
    if scores_here() and (least := least_of(folder)) > most():
        raise ModelError(_too_large(name, least, most()))


def require_memory(folder: Path, dtype: torch.dtype | str | None, device_map: str | Mapping[str, Any] | None) -> None:
    """Check that the weights of a folder have room where they are to be loaded. ModelError: they have none.

    The arguments are those of transformers: without a map of devices they go into main memory.
    """
    plain = getattr(torch, dtype, dtype) if isinstance(dtype, str) else dtype
    size = least_of(folder)
    if isinstance(plain, torch.dtype) and not quantisations(object_in(folder / "config.json")):
        size = _parameters(folder) * plain.itemsize
    room = room_on(device_map)
    if size > room:
        raise ModelError(_too_large(str(folder), size, room))


def room_on(device_map: str | Mapping[str, Any] | None) -> float:
    """Return the bytes that weights may take: of the GPU that a map names, of all that there is, or of main memory."""
    if device_map is None:
        return main_memory()
    device_kinds = (
        {torch.device(device).type for device in device_map.values()} if isinstance(device_map, Mapping) else set()
    )
    if isinstance(device_map, str) or len(device_map) > 1:
        return most()
    if device_kinds != {"cuda"}:
        return main_memory()
    return float(torch.cuda.get_device_properties(next(iter(device_map.values()))).total_memory)


def most() -> float:
    """Return the bytes that weights may take at most: those of all GPUs and of main memory."""
    gpus = (torch.cuda.get_device_properties(index) for index in range(torch.cuda.device_count()))
    return main_memory() + sum(gpu.total_memory for gpu in gpus)


def main_memory() -> float:
    """Return the bytes of main memory that a process may take, with what the system can put on the disk."""
    return memory() + swap()


def least_of(folder: Path) -> float:
    """Return the least bytes of memory for the weights of a folder: those of its files, or 2 for each if plain."""
    stored = float(sum(path.stat().st_size for path in weight_files(folder)))
    return stored if quantisations(object_in(folder / "config.json")) else min(stored, 2 * _parameters(folder))


def _parameters(folder: Path) -> float:
    return count_parameters(folder, object_in(folder / "config.json"))


def _too_large(what: str, size: float, room: float) -> str:
    return f"{what} takes at least {size_in_words(size)} of memory, and {size_in_words(room)} are there: {REMEDY}."
