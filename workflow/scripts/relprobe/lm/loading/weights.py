"""The network of a snapshot: its class, its number format, and its weights."""

import logging
import math
from pathlib import Path
from typing import Any

import safetensors
import torch
from safetensors import SafetensorError
from transformers import AutoModelForMaskedLM, AutoModelForSeq2SeqLM
from transformers.quantizers import AutoHfQuantizer
from transformers.utils import logging as transformers_logging

from relprobe.core.errors import ModelError, first_line
from relprobe.core.files import read_json
from relprobe.lm.loading.text_part import AutoModelForTexts, check_text_part
from relprobe.lm.precision import LARGE
from relprobe.lm.words.encode import ModelKind


def default_dtype(folder: Path) -> torch.dtype | str:
    """Return the number format of a snapshot's network, if the config names none; "auto" leaves quantised weights alone."""
    config = read_json(folder / "config.json")
    if _quantisations(config):
        return "auto"
    return torch.float32 if _count_parameters(folder, config) < LARGE else torch.bfloat16


def _quantisations(config: dict[str, Any]) -> list[dict[str, Any]]:
    """Return how a config says that the weights of the network, or of its parts, are quantised.

    >>> _quantisations({"model_type": "mistral3", "text_config": {"quantization_config": {"quant_method": "fp8"}}})
    [{'quant_method': 'fp8'}]
    """
    parts = [part for part in (config, *config.values()) if isinstance(part, dict)]
    return [part["quantization_config"] for part in parts if "quantization_config" in part]


def _count_parameters(folder: Path, config: dict[str, Any]) -> float:
    """Count the parameters of a snapshot from the headers of its safetensors, or from the size of pickled weights."""
    files = sorted(folder.glob("*.safetensors"))
    if not files:
        half = config.get("dtype", config.get("torch_dtype")) in ("bfloat16", "float16")
        return sum(path.stat().st_size for path in folder.glob("*.bin")) / (2 if half else 4)
    try:
        return sum(map(_count_in_file, files))
    except (SafetensorError, OSError) as error:
        raise ModelError(f"{folder}: its *.safetensors are damaged ({first_line(error)}): get them anew.") from error


def _count_in_file(path: Path) -> int:
    with safetensors.safe_open(path, "pt") as file:  # type: ignore[no-untyped-call]
        return sum(math.prod(file.get_slice(name).get_shape()) for name in file.keys())  # noqa: SIM118


def network(folder: Path, kind: ModelKind, dtype: torch.dtype | str, device_map: str | dict[str, Any] | None) -> Any:
    """Return the network of a snapshot. ModelError: it is of another kind, or cannot be loaded."""
    if kind != "encoder-decoder" and read_json(folder / "config.json").get("is_encoder_decoder"):
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
    may be missing. ModelError: the files are damaged, or the weights do not fit the config.
    """
    transformers_logging.disable_progress_bar()
    logging.getLogger("bitsandbytes").setLevel(logging.ERROR)  # it warns of its casts at every product
    safe = {"local_files_only": True, "trust_remote_code": False, "use_safetensors": any(folder.glob("*.safetensors"))}
    try:
        for how in _quantisations(read_json(folder / "config.json")):
            if not AutoHfQuantizer.supports_quant_method(how):  # transformers would read the weights as plain numbers
                raise ValueError(f"transformers does not know how its weights are quantised: {how['quant_method']}")
        net, report = loader.from_pretrained(folder, output_loading_info=True, **safe, **settings)
    except SafetensorError as error:
        raise ModelError(f"{folder}: its *.safetensors are damaged ({first_line(error)}): get them anew.") from error
    except ImportError as error:
        raise ModelError(
            f"{folder}: its weights need a package that is not installed ({first_line(error)}): install it beside "
            "transformers, or choose weights that are not quantised."
        ) from error
    except (OSError, ValueError, KeyError, RuntimeError) as error:
        raise ModelError(f"{folder} cannot be loaded as {kind} ({first_line(error)}): {remedy}.") from error
    keys = sorted(map(str, [*report["missing_keys"], *report["mismatched_keys"]]))
    wrong = [key for key in keys if unused is None or unused not in key]
    if wrong:
        raise ModelError(
            f"{folder}: its weights do not fit its config as {kind}; missing or of another shape: "
            f"{', '.join(wrong[:3])} ({len(wrong)} in all): {remedy} and the files."
        )
    return net
