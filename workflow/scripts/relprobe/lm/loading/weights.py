"""The network of a snapshot: its class, its number format, and its weights."""

import logging
import pickle
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from transformers import AutoConfig, AutoModelForMaskedLM, AutoModelForSeq2SeqLM, GenerationConfig
from transformers.utils import logging as transformers_logging

from relprobe.core.errors import ModelError, first_line
from relprobe.lm.loading.files import SAFE, count_parameters, object_in, quantisations
from relprobe.lm.loading.room import require_memory
from relprobe.lm.loading.text_part import AutoModelForTexts, check_text_part
from relprobe.lm.precision import LARGE
from relprobe.lm.words.encode import ModelKind

VOCABULARY = ("embed", "lm_head", "wte", "predictions", "decoder.bias")
"""Parts of the names of weights that have a row for each token."""


def default_dtype(folder: Path) -> torch.dtype | str:
    """Return the number format of a snapshot's network, if the config names none; "auto" leaves quantised weights alone."""
    config = object_in(folder / "config.json")
    if quantisations(config):
        return "auto"
    return torch.float32 if count_parameters(folder, config) < LARGE else torch.bfloat16


def format_of(folder: Path) -> str:
    """Return the name of the number format that `default_dtype` gives a snapshot's network, such as float32.

    That of quantised weights is what their config says.
    """
    dtype = default_dtype(folder)
    return str(config_of(folder).dtype if dtype == "auto" else dtype).removeprefix("torch.")


def config_of(folder: Path) -> Any:
    """Return the config of a snapshot. ModelError: transformers cannot read it."""
    try:
        return _config(folder, local_files_only=True, trust_remote_code=False)
    except Exception as error:  # its values can make transformers fail in any way
        raise ModelError(f"{folder / 'config.json'} cannot be read ({first_line(error)}): get it anew.") from error


def generation_config_of(folder: Path) -> Any:
    """Return how a snapshot writes by default; None if it does not say so."""
    if not (folder / "generation_config.json").is_file():
        return None
    return GenerationConfig.from_pretrained(folder, local_files_only=True)


def network(folder: Path, kind: ModelKind, dtype: torch.dtype | str, device_map: str | dict[str, Any] | None) -> Any:
    """Return the network of a snapshot. ModelError: it is of another kind, or cannot be loaded."""
    if kind != "encoder-decoder" and object_in(folder / "config.json").get("is_encoder_decoder"):
        raise ModelError(
            f"{folder} holds an encoder-decoder network, and no {kind} model: say `type: encoder-decoder` "
            '(kind="encoder-decoder").'
        )
    loader = {"masked": AutoModelForMaskedLM, "causal": AutoModelForTexts, "encoder-decoder": AutoModelForSeq2SeqLM}
    words = "an encoder-decoder network" if kind == "encoder-decoder" else f"a {kind} model"
    net = load_weights(loader[kind], folder, words, "check `type`", dtype=dtype, device_map=device_map)
    check_text_part(net, folder)
    return net


def load_weights(loader: Any, folder: Path, kind: str, remedy: str, unused: str | None = None, **settings: Any) -> Any:
    """Load the weights of a snapshot with one of transformers' classes, the `loader`.

    `kind` ("a masked model") and `remedy` ("check `type`") are words of the errors. Weights with `unused` in their names
    may be missing. ModelError: the files are damaged, the weights do not fit the config, or they have no room in memory.
    """
    require_memory(folder, settings["dtype"], settings["device_map"])
    transformers_logging.disable_progress_bar()
    logging.getLogger("bitsandbytes").setLevel(logging.ERROR)  # it warns of its casts at every product
    safe = {"local_files_only": True, "trust_remote_code": False}
    try:
        settings |= {"config": _config(folder, **safe), "use_safetensors": any(folder.glob(SAFE)), **safe}
        settings["ignore_mismatched_sizes"] = True  # they are named below, where the library only points to a table
        net, report = loader.from_pretrained(folder, output_loading_info=True, **settings)
    except SafetensorError as error:
        raise ModelError(f"{folder}: its *.safetensors are damaged ({first_line(error)}): get them anew.") from error
    except pickle.UnpicklingError as error:
        raise ModelError(
            f"{folder}: its pickled weights hold something else than weights, which may be code: get the model anew, as "
            "safetensors."
        ) from error
    except ImportError as error:
        raise ModelError(
            f"{folder}: its weights need a package that is not installed ({first_line(error)}): install it beside "
            "transformers, or choose weights that are not quantised."
        ) from error
    except MemoryError:
        raise
    except Exception as error:  # a config can make transformers fail in any way
        raise ModelError(f"{folder} cannot be loaded as {kind} ({first_line(error)}): {remedy}.") from error
    mismatched = sorted(str(key[0] if isinstance(key, tuple) else key) for key in report["mismatched_keys"])
    missing = sorted(key for key in map(str, report["missing_keys"]) if unused is None or unused not in key)
    wrong = sorted({*mismatched, *missing})
    sizes = [key for key in mismatched if any(part in key for part in VOCABULARY)]
    if sizes and sizes == wrong:
        raise ModelError(
            f"{folder}: its weights have another number of tokens than the `vocab_size` of its config.json, by {sizes[0]}: "
            "write the number of rows of these weights there, as a vocabulary that was extended has more."
        )
    if wrong:
        raise ModelError(
            f"{folder}: its weights do not fit its config as {kind}; missing or of another shape: "
            f"{', '.join(wrong[:3])} ({len(wrong)} in all): {remedy} and the files."
        )
    if beyond := sorted(key for key in map(str, report["unexpected_keys"]) if _is_beyond(net, key)):
        raise ModelError(
            f"{folder}: its weights have more layers than its config.json says, such as {beyond[0]}: get config.json anew."
        )
    return net


def _is_beyond(net: Any, key: str) -> bool:
    """Return whether weights that a network leaves out are those of one more of its layers, or of its other parts.

    Layers that predict later tokens (`num_nextn_predict_layers`) are left out on purpose.
    """
    later = getattr(net.config, "num_nextn_predict_layers", 0) or 0
    parts = key.split(".")
    for depth, part in enumerate(parts):
        if part.isdecimal():
            try:
                above = net.get_submodule(".".join(parts[:depth]))
            except AttributeError:
                return False
            if isinstance(above, torch.nn.ModuleList) and int(part) >= len(above) + later:
                return True
    return False


def _config(folder: Path, **safe: bool) -> Any:
    """Return the config of a snapshot without its choice of code: that of attention and experts is transformers' own.

    A config may name a kernel of Hugging Face's hub there, which is code of its author.
    """
    config = AutoConfig.from_pretrained(folder, **safe)
    for name in ("_attn_implementation", "_experts_implementation"):
        if getattr(config, name, None) is not None:
            setattr(config, name, None)  # in the configs of its parts, too
    return config
