"""The files of a model before anything of them is loaded: what may be read, and of several sets of weights which."""

from __future__ import annotations

import codecs
import math
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import safetensors
import transformers
from safetensors import SafetensorError
from transformers import AutoConfig
from transformers.quantizers import AutoHfQuantizer

from relprobe.core.errors import DataError, ModelError, first_line, shorten
from relprobe.core.files import LFS_POINTER, read_json
from relprobe.core.room import REMEDY, size_in_words
from relprobe.lm.loading import adapter

SAFE, PICKLED = "*.safetensors", "*.bin"
"""The files of weights: tensors alone, and PyTorch's pickles, which can run code when they load."""
WHOLE = {SAFE: "model.safetensors", PICKLED: "pytorch_model.bin"}
"""The names of all weights in one file."""
INDEX = ".index.json"
"""The end of the name of the file that says which file, a shard, has which weights."""
OBJECTS = ("*tokenizer*.json", "generation_config.json", "special_tokens_map.json", "added_tokens.json")
"""The files of transformers, beside config.json, that hold a JSON object."""
PARTS = re.compile(r"(^|_)(layers?|experts?|blocks|depth|stages)$")
"""The keys of a config.json that say how many parts a network has; each is made before any weights are read."""
MOST_PARTS = 2048
"""A network may have so many parts of one kind, or as many as its files have tensors."""
QUANTISERS = {"modelopt": "vLLM or TensorRT-LLM", "exl2": "ExLlamaV2", "exl3": "ExLlamaV3"}
"""Formats of weights that transformers cannot read, and what reads them."""
QUANTIZERS = {"hf_quant_config.json": "modelopt", "quantize_config.json": "GPTQ", "quant_config.json": "AWQ"}
"""Files that say how weights are quantised where config.json does not say it, and what writes them."""


def check_files(folder: Path, *, allow_pickle: bool) -> None:
    """Check the files of a model before they are loaded.

    ModelError: there is no config.json, or an adapter in its place or beside it; a file holds no JSON object; there are no
    weights that may be loaded, or two sets of them, or two of one name; an index names a file that is not in the folder; the
    weights are quantised in a way that is not known; the config describes a network that the files cannot be.
    """
    if (folder / adapter.CONFIG).is_file():
        raise ModelError(
            f"{folder} holds an adapter{_base_of(folder)}, and no whole model: name the model that it was trained on, and "
            "this folder as its `peft` (`adapter` in Python). If a whole model is there, too, give each a folder of its own."
        )
    if not (folder / "config.json").is_file():
        raise ModelError(f"{folder} holds no config.json: {_model_below(folder)}")
    _check_beginnings(folder)
    config = object_in(folder / "config.json")
    for path in sorted({path for pattern in OBJECTS for path in folder.glob(pattern)}):
        if not path.read_bytes()[:64].lstrip().startswith(b"{"):
            raise ModelError(f"{path} holds no JSON object: get it anew.")
    if not any(folder.glob(SAFE)) and not (allow_pickle and any(folder.glob(PICKLED))):
        raise ModelError(
            f"{folder} holds no *.safetensors: choose a revision that does, or set `allow_pickle: true` (allow_pickle=True) "
            "if you trust its pickled weights."
        )
    _check_quantisation(folder, config)
    _check_parts(folder, config)
    try:
        AutoConfig.from_pretrained(folder, local_files_only=True, trust_remote_code=False)
    except Exception as error:  # its values can make transformers fail in any way
        reason = shorten(str(error))
        raise ModelError(
            f"{folder / 'config.json'} cannot be read by transformers ({reason}): {_remedy(config, str(error))}."
        ) from error


def _check_beginnings(folder: Path) -> None:
    """Check how the files of a model begin. ModelError: one is a pointer of Git LFS, or JSON behind a byte-order mark."""
    for path in sorted(path for path in folder.iterdir() if path.is_file()):
        with path.open("rb") as file:
            begin = file.read(len(LFS_POINTER))
        if begin == LFS_POINTER.encode():
            raise ModelError(
                f"{path} is a pointer of Git LFS in the place of the file: get it by `git lfs pull`, or download the model."
            )
        if path.suffix == ".json" and begin.startswith(codecs.BOM_UTF8):
            raise ModelError(
                f"{path} begins with a byte-order mark, which transformers does not read: save it as UTF-8 without one."
            )


def check_place(folder: Path) -> None:
    """Check that a folder is that of a model, and not one above it. ModelError, which names the model: it is."""
    if not (folder / "config.json").is_file() and not any(folder.glob("*.gguf")) and _folders_below(folder):
        raise ModelError(f"{folder} holds no config.json: {_model_below(folder)}")


def _folders_below(folder: Path) -> list[Path]:
    """Return the folders below one that have a config.json, the last one that was changed at the end."""
    folders = {file.parent for pattern in ("*/config.json", "snapshots/*/config.json") for file in folder.glob(pattern)}
    return sorted(folders, key=lambda path: (path.stat().st_mtime, path.name))


def _model_below(folder: Path) -> str:
    """Return what to name in place of a folder without a config.json, as a cache and an output folder have models below.

    Of the snapshots of a cache, it is the one that its last download has made, and of checkpoints the last one.
    """
    folders = _folders_below(folder)
    if not folders:
        return "is this a model in Hugging Face's form?"
    several = f", which is the last of {len(folders)}" if len(folders) > 1 else ""
    return f"models lie in the folders below it, so name {folders[-1]}{several}."


def _remedy(config: Mapping[str, Any], reason: str) -> str:
    """Return what to do about a config.json that transformers does not read."""
    if "auto_map" in config or "trust_remote_code" in reason:
        return "the model has code of its own, which is not run: choose one whose architecture transformers has itself"
    if "model_type" not in config and not config.get("architectures"):
        return "write its `model_type`, or get the file anew"
    if "does not recognize" in reason or "Unrecognized" in reason:
        return (
            f"this transformers ({transformers.__version__}) does not know the architecture, which may be a newer one: "
            "upgrade transformers, or choose another model"
        )
    return "get it anew"


def quantisations(config: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return how a config says that the weights of the network, or of its parts, are quantised.

    >>> quantisations({"model_type": "mistral3", "text_config": {"quantization_config": {"quant_method": "fp8"}}})
    [{'quant_method': 'fp8'}]
    """
    parts = [part for part in (config, *config.values()) if isinstance(part, dict)]
    return [part["quantization_config"] for part in parts if part.get("quantization_config") is not None]


def _check_quantisation(folder: Path, config: Mapping[str, Any]) -> None:
    """Raise a ModelError if weights are quantised, and transformers would not know how: it would read them as plain."""
    remedy = "choose the model's weights in another format, such as those that were not quantised"
    hows = quantisations(config)
    for file, maker in QUANTIZERS.items():
        if not hows and (folder / file).is_file():
            raise ModelError(
                f"{folder / file} says that {maker} has quantised the weights, but config.json does not: {remedy}."
            )
    for how in hows:
        method = (how.get("quant_method") or how.get("quant_algo")) if isinstance(how, dict) else None
        if not isinstance(method, str):
            raise ModelError(
                f"{folder / 'config.json'} has a `quantization_config` without a `quant_method`, so that its weights "
                f"cannot be read: {remedy}."
            )
        if not AutoHfQuantizer.supports_quant_method({"quant_method": method, **how}):
            reader = f"; {QUANTISERS[method]} reads them" if method in QUANTISERS else ""
            raise ModelError(
                f"{folder}: transformers does not know how its weights are quantised: {method}{reader}: {remedy}."
            )


def object_in(path: Path) -> dict[str, Any]:
    """Return the JSON object of a file. ModelError: the file holds something else."""
    try:
        value = read_json(path)
    except DataError as error:
        raise ModelError(str(error)) from error
    if not isinstance(value, dict):
        raise ModelError(f"{path} holds no JSON object: get it anew.")
    return value


def _base_of(folder: Path) -> str:
    base = object_in(folder / adapter.CONFIG).get("base_model_name_or_path")
    return f" of {base}" if isinstance(base, str) and base else ""


def weight_files(folder: Path) -> list[Path]:
    """Return the files of weights that are loaded from a folder: safetensors, or else PyTorch's pickles.

    ModelError: there are two sets of them, all in one file and in shards, or an index names a file that is not there.
    """
    pattern = SAFE if any(folder.glob(SAFE)) else PICKLED
    single = folder / WHOLE[pattern]
    index = folder / f"{WHOLE[pattern]}{INDEX}"
    if not index.is_file():
        return [single] if single.is_file() else sorted(folder.glob(pattern))
    shards = _shards(index)
    if single.is_file() and shards != [single]:
        raise ModelError(
            f"{folder} holds two sets of weights, {single.name} and the shards of {index.name}: delete those that are not "
            "the model's."
        )
    return shards


def _shards(index: Path) -> list[Path]:
    """Return the files that an index names. ModelError: it has another form, or a file is not in its folder."""
    names = object_in(index).get("weight_map")
    if not isinstance(names, dict) or not names or not all(isinstance(name, str) for name in names.values()):
        raise ModelError(f"{index} does not say which file has which weights (`weight_map`): get it anew.")
    shards = sorted({index.parent / name for name in names.values()})
    for shard, name in zip(shards, sorted(set(names.values())), strict=True):
        if Path(name).is_absolute() or ".." in Path(name).parts or not name.endswith((SAFE[1:], PICKLED[1:])):
            raise ModelError(f"{index} names {name!r}, which is no file of weights in its folder: get the model anew.")
        if not shard.is_file():
            raise ModelError(f"{index} names {name}, which is not there: get the model anew.")
        if any((index.parent / part).is_symlink() for part in Path(name).parents if part != Path()):
            raise ModelError(
                f"{index} names {name!r}, which leads through a link to another folder: get the model anew."
            )
    return shards


def count_parameters(folder: Path, config: Mapping[str, Any]) -> float:
    """Count the parameters of a snapshot from the headers of its safetensors, or from the size of pickled weights."""
    files = weight_files(folder)
    if not all(path.suffix == ".safetensors" for path in files):
        is_half_precision = config.get("dtype", config.get("torch_dtype")) in ("bfloat16", "float16")
        return sum(path.stat().st_size for path in files) / (2 if is_half_precision else 4)
    return sum(math.prod(shape) for path in files for shape in _tensors(path).values())


def _tensors(path: Path) -> dict[str, list[int]]:
    """Return the names of the tensors in a file, and their shapes. ModelError: it is damaged, or has no room in memory."""
    try:
        with safetensors.safe_open(path, "pt") as file:  # type: ignore[no-untyped-call]
            return {name: file.get_slice(name).get_shape() for name in file.keys()}  # noqa: SIM118
    except (SafetensorError, OSError) as error:
        raise ModelError(
            f"{path.parent}: its *.safetensors are damaged ({first_line(error)}): get them anew."
        ) from error
    except RuntimeError as error:  # torch maps the whole file
        size = size_in_words(path.stat().st_size)
        raise ModelError(
            f"{path} takes {size}, which have no room in memory ({first_line(error)}): {REMEDY}."
        ) from error


def _check_parts(folder: Path, config: Mapping[str, Any]) -> None:
    """Raise a ModelError if a config asks for more layers, experts or other parts than its weights can be of.

    Such a network would be built for hours before its weights are looked at. ModelError, too: two shards hold weights of one
    name, of which the last ones would be taken in silence.
    """
    file_of: dict[str, str] = {}
    for file in (path for path in weight_files(folder) if path.suffix == SAFE[1:]):
        for name in _tensors(file):
            if file_of.setdefault(name, file.name) != file.name:
                raise ModelError(f"{file} and {file_of[name]} both hold the weights {name!r}: get the model anew.")
    most = max(MOST_PARTS, len(file_of))
    for key, value in _numbers(config):
        if PARTS.search(key) and (value > most or (value < 0 and key.startswith(("num_", "n_")))):
            raise ModelError(
                f"{folder / 'config.json'} says {key}: {value:,}, which no network of these weights has: get the model anew."
            )


def _numbers(config: Mapping[str, Any]) -> Iterator[tuple[str, float]]:
    """Yield the numbers of a config and of the configs in it, with their keys.

    >>> list(_numbers({"num_layers": 2, "tie": True, "text_config": {"n_head": 4}}))
    [('num_layers', 2), ('n_head', 4)]
    """
    for key, value in config.items():
        if isinstance(value, dict):
            yield from _numbers(value)
        elif isinstance(value, int | float) and not isinstance(value, bool):
            yield str(key), value
