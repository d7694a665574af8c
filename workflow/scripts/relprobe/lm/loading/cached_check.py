"""The cached self-check: a network that has passed it once is only compared with its answers of then.

The check takes most of the time of loading, and a run loads the same network for each study. Its result is cached under the
four things that could change it (`key_of`): the model, the code, how the network computes, and the machine. If any of these
differs, the model is checked as if nothing were cached. Only a network that passed at once, on its fastest path and without
a warning, is cached.

The cache holds the answers of the plain forward to the short samples, and the model that is loaded must give them again: so
also other weights in memory, or a processor that fails, lead to the whole check.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import logging
import os
import platform
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import torch

from relprobe.core.manifest import model_files
from relprobe.lm.network.model import ComputePath, LanguageModel
from relprobe.lm.network.products import ProductLibrary
from relprobe.lm.network.self_check import SelfCheck, samples
from relprobe.lm.words.encode import Encoder

logger = logging.getLogger("relprobe")
FOLDER = ".checked"
"""The folder of the cached checks, beside the manifests of models."""
MOST = 20
"""How many checks are cached of a model: those of former code and of other machines are deleted, the oldest first."""
CODE = ("core", "lm")
"""The packages of relprobe whose code loads and checks a network."""
FACTS = ("cpuinfo", "sys/kernel/random/boot_id", "driver/nvidia/version")
"""What Linux says of the machine, in /proc: its processor, since when it runs, and the driver of its GPUs."""
CHANGING = ("cpu MHz", "bogomips")
"""Lines of cpuinfo that change while the machine runs."""
VARIABLES = ("ATEN_", "CUBLAS_", "CUDA_", "DNNL_", "KMP_", "MKL_", "NVIDIA_", "OMP_", "ONEDNN_", "PYTORCH_", "TORCH")
"""How the names of the variables begin that say how torch computes."""


@dataclass(frozen=True)
class CachedCheck:
    """The path on which a network has passed, and what its plain forward answered to the short samples.

    `products`: the library that was faster on this machine. `narrow`: its last layer computes the read positions only.
    `likely` holds the likeliest tokens of each short sample, and `expected` their natural-log probabilities.
    """

    path: ComputePath
    products: ProductLibrary
    narrow: bool
    likely: list[list[int]]
    expected: list[list[float]]

    @classmethod
    def of(cls, model: LanguageModel, check: SelfCheck) -> CachedCheck:
        """Return what is cached of a check that a model has passed."""
        short = check.short()
        return cls(
            model.path, model.products, model.last_layer is not None, short.likely.tolist(), short.expected.tolist()
        )

    def check(self, net: Any, encoder: Encoder) -> SelfCheck:
        """Return the check that the model gives the same answers as then."""
        likely, expected = (torch.tensor(values, device=net.device) for values in (self.likely, self.expected))
        return SelfCheck(samples(net, encoder)[: len(likely)], likely, expected)


def cache_file(manifest: Path, net: Any, encoder: Encoder, budget: int) -> Path:
    """Return the cache file of the check of a network and what it is used with; its name is the digest of `key_of`."""
    key = json.dumps(key_of(manifest, net, encoder, budget), sort_keys=True)
    return manifest.parent / FOLDER / f"{manifest.stem}.{_hash(key)}.json"


def read(file: Path) -> CachedCheck | None:
    """Return the check in a cache file; None if there is none, or if it is damaged."""
    try:
        content = json.loads(file.read_bytes())
        check = CachedCheck(**content["check"])
        return check if content["digest"] == _digest(file, check) else None
    except (OSError, ValueError, TypeError, LookupError):
        return None


def write(check: CachedCheck, file: Path) -> None:
    """Cache a check. Where nothing can be written, nothing is cached: the next job checks the model again."""
    partial = file.with_name(f".{file.name}.{platform.node()}.{os.getpid()}")  # other jobs may write the same at once
    try:
        file.parent.mkdir(exist_ok=True)
        partial.write_text(json.dumps({"digest": _digest(file, check), "check": asdict(check)}))
        partial.replace(file)
        for old in sorted(_checks_of_model(file), key=_time, reverse=True)[MOST:]:
            old.unlink(missing_ok=True)
    except OSError as error:
        logger.debug("the self-check is not cached (%s)", error)
        with contextlib.suppress(OSError):
            partial.unlink(missing_ok=True)


def key_of(manifest: Path, net: Any, encoder: Encoder, budget: int) -> dict[str, Any]:
    """Return the four things that a check depends on: the model, the code, how the network computes, and the machine.

    The files of the model were compared with those of the manifest.
    """
    return {
        "model": model_files(manifest),
        "code": [_own_code(), *_code_of_classes(net), *_packages(tuple(sys.path))],
        "computing": _computing(net) | {"texts": asdict(replace(encoder, tokenizer=None)), "budget": budget},
        "machine": _machine(),
    }


def _digest(file: Path, check: CachedCheck) -> str:
    return _hash(json.dumps([file.name, asdict(check)], sort_keys=True))


def _hash(*parts: str | bytes) -> str:
    return hashlib.sha256(b"\0".join(part.encode() if isinstance(part, str) else part for part in parts)).hexdigest()


def _checks_of_model(file: Path) -> list[Path]:
    """Return the cache files of the same model: a model's name may be the beginning of another one's."""
    model = Path(file.stem).stem
    return [path for path in file.parent.glob("*.json") if Path(path.stem).stem == model]


def _time(file: Path) -> float:
    try:
        return file.stat().st_mtime
    except FileNotFoundError:  # another job has deleted it
        return 0.0


@cache
def _own_code() -> str:
    """Return the digest of the modules of relprobe that load and check networks."""
    root = Path(__file__).parents[2]
    files = [file for name in CODE for file in sorted((root / name).rglob("*.py"))]
    return _hash(*(part for file in files for part in (str(file.relative_to(root)), file.read_bytes())))


def _code_of_classes(net: Any) -> list[str]:
    """Return the classes of a network and of its parts, each with the digest of the file that defines it."""
    classes = {cls for part in net.modules() for cls in type(part).__mro__}
    return sorted(f"{cls.__module__}.{cls.__qualname__} {_digest_of_file(_source(cls))}" for cls in classes)


def _source(cls: type) -> str | None:
    return getattr(sys.modules.get(cls.__module__), "__file__", None)


@cache
def _digest_of_file(file: str | None) -> str:
    return "" if file is None else _hash(Path(file).read_bytes())


@cache
def _packages(paths: tuple[str, ...]) -> list[str]:
    """Return the installed packages with their versions, as the names of their folders say them, and that of Python."""
    folders = [Path(path) for path in paths if Path(path).is_dir()]
    names = {entry.name for folder in folders for entry in folder.iterdir()}
    return [sys.version, *sorted(name for name in names if name.endswith((".dist-info", ".egg-info")))]


def _computing(net: Any) -> dict[str, Any]:
    """Return how a network computes: the formats and devices of its weights, its attention, and torch with its threads."""
    return {
        "formats": sorted({f"{type(weights).__name__} {weights.dtype}" for weights in net.parameters()}),
        "devices": [
            *sorted({str(weights.device) for weights in net.parameters()}),
            str(getattr(net, "hf_device_map", None)),
        ],
        "attention": getattr(net.config, "_attn_implementation", None),
        "torch": [torch.__version__, torch.__config__.show(), torch.__config__.parallel_info()],
    }


def _machine() -> list[str]:
    """Return what the machine is: its name, its processor, its GPUs, since when it runs, and its variables of libraries."""
    gpus = [str(torch.cuda.get_device_properties(index)) for index in range(torch.cuda.device_count())]
    variables = sorted(f"{name}={value}" for name, value in os.environ.items() if name.startswith(VARIABLES))
    return [platform.node(), platform.platform(), *gpus, *_facts(), *variables]


@cache
def _facts() -> list[str]:
    return ["\n".join(line for line in _lines(Path("/proc") / fact) if not line.startswith(CHANGING)) for fact in FACTS]


def _lines(file: Path) -> Iterator[str]:
    with contextlib.suppress(OSError):  # another system, or a machine without GPUs
        yield from file.read_text().splitlines()
