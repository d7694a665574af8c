"""Adapters: the small weights that peft trains beside those of a network, such as LoRA's, become part of the network."""

import re
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import safetensors
import torch
from safetensors import SafetensorError

from relprobe.core.errors import ModelError, first_line
from relprobe.core.files import read_json
from relprobe.lm.child import ChildError, in_child

WEIGHTS = "adapter_model.safetensors"
"""The file of an adapter's weights, as peft names it."""
PATTERNS = ("target_modules", "exclude_modules", "layers_pattern", "target_parameters")
"""The keys of an adapter's config that may be a regular expression."""
CONFIG = "adapter_config.json"
"""The file that says which products of which network the adapter changes, and how."""


def check(name: str, folder: Path) -> None:
    """Raise a ModelError if a folder holds no adapter of peft in safetensors; `name` ("models.bert.peft") is for errors."""
    for file, remedy in (
        (CONFIG, "is this an adapter in the form of peft?"),
        (WEIGHTS, "save it with `safe_serialization=True`."),
    ):
        if not (folder / file).is_file():
            raise ModelError(f"{name}: its source holds no {file}: {remedy}")


def apply_adapter(net: Any, folder: Path) -> Any:
    """Return a network with an adapter, of the same class as before.

    LoRA adds the product of two narrow matrices, (out, r) and (r, in), to a weight matrix (out, in). The sum is computed
    once, so the network is as fast as without the adapter, and is computed in the same way. Quantised weights keep the
    adapter beside them: the sum would be rounded to the few values of the format, and give the scores of another network.
    ModelError: peft is not installed, the adapter is of another network, or it has no weights to add, as soft prompts have
    none.
    """
    try:
        import peft
    except ImportError as error:
        raise ModelError(f"{folder}: an adapter needs another package: pip install peft.") from error
    try:
        if peft.PeftConfig.from_pretrained(str(folder)).is_prompt_learning:
            raise ModelError(
                f"{folder}: this adapter puts trained vectors before the input, which cannot be added to the weights of a "
                "network: choose one that can, such as LoRA."
            )
        _check_config(net, folder)
        _check_shapes(net, folder)
        with warnings.catch_warnings():
            warnings.simplefilter(
                "ignore"
            )  # of names that transformers gives up, and of weights, which are checked here
            adapted = peft.PeftModel.from_pretrained(net, str(folder))
            _check_names(adapted, folder)
            if getattr(net, "is_quantized", False):
                _check_numbers(adapted)
                return adapted.get_base_model()  # with the adapter's matrices beside the weights
            return adapted.merge_and_unload(safe_merge=True)  # safe: NaN in the sum is an error
    except SafetensorError as error:
        raise ModelError(f"{folder}: its {WEIGHTS} is damaged ({first_line(error)}): get it anew.") from error
    except (ModelError, MemoryError):
        raise
    except Exception as error:  # its config can make peft fail in any way
        raise ModelError(
            f"{folder}: this adapter cannot be added to a {type(net).__name__} ({first_line(error)}): is the model the one "
            "that it was trained on?"
        ) from error


def _check_config(net: Any, folder: Path) -> None:
    """Raise a ModelError if the config of an adapter asks for matrices that it has not, or has a pattern without an end.

    Peft matches the names of all parts of the network with its patterns, which are regular expressions of its author.
    """
    config = read_json(folder / CONFIG)
    patterns = [config[key] for key in PATTERNS if isinstance(config.get(key), str)]
    patterns += [key for table in ("rank_pattern", "alpha_pattern") for key in config.get(table) or {}]
    names = [name for name, _ in net.named_modules()]
    try:
        if not all(re.fullmatch(r"[\w.-]*", pattern) for pattern in patterns):
            in_child(_match, patterns, names)
    except ChildError as error:
        raise ModelError(
            f"{folder}: a pattern of its {CONFIG}, {' or '.join(map(repr, patterns))[:100]}, cannot be matched with the "
            f"names of the network's parts ({error}): correct it, or choose another adapter."
        ) from error
    with safetensors.safe_open(folder / WEIGHTS, "pt") as file:  # type: ignore[no-untyped-call]
        largest = max((size for name in file.keys() for size in file.get_slice(name).get_shape()), default=0)  # noqa: SIM118
    ranks = [config.get("r"), *(config.get("rank_pattern") or {}).values()]
    if any(isinstance(rank, int) and rank > largest for rank in ranks):
        raise ModelError(f"{folder}: its {CONFIG} says a rank that none of its matrices has: get the adapter anew.")


def _match(patterns: Sequence[str], names: Sequence[str]) -> None:
    """Match names with patterns as peft does."""
    for pattern in patterns:
        for name in names:
            re.fullmatch(pattern, name)
            re.match(rf"(.*\.)?({pattern})$", name)


def _check_shapes(net: Any, folder: Path) -> None:
    """Raise a ModelError if an adapter has whole matrices of another number of tokens than the network has."""
    shapes = {name: weights.shape for name, weights in net.named_parameters(remove_duplicate=False)}
    with safetensors.safe_open(folder / WEIGHTS, "pt") as file:  # type: ignore[no-untyped-call]
        for name in file.keys():  # noqa: SIM118
            plain = re.sub(r"^base_model\.model\.|\.(base_layer|modules_to_save|original_module)(\.default)?", "", name)
            stored, expected = file.get_slice(name).get_shape(), shapes.get(plain)
            if expected is not None and list(stored) != list(expected):
                raise ModelError(
                    f"{folder}: this adapter holds a {plain} of {stored[0]:,} rows, and the network has {expected[0]:,}: "
                    "tokens were added when it was trained, so merge it into its model (merge_and_unload), save that with "
                    "its tokenizer, and give that folder as the model."
                )


def _check_numbers(adapted: Any) -> None:
    """Raise a ValueError if a weight of the adapter is NaN or infinite."""
    from peft import get_peft_model_state_dict

    broken = [name for name, weights in get_peft_model_state_dict(adapted).items() if not torch.isfinite(weights).all()]
    if broken:
        raise ValueError(f"NaN or infinite numbers in {broken[0]}")


def _check_names(adapted: Any, folder: Path) -> None:
    """Check that the weights of the file are those of the adapted network; peft leaves others out with a warning at most."""
    from peft import get_peft_model_state_dict

    with safetensors.safe_open(folder / WEIGHTS, "pt") as file:  # type: ignore[no-untyped-call]
        stored = set(file.keys())
    expected = set(get_peft_model_state_dict(adapted))
    left_out = tuple(f"{part}." for part in getattr(adapted.get_base_model(), "left_out", ()))
    names = (re.sub(r"^base_model\.model\.", "", name) for name in stored ^ expected)
    odd = sorted(name for name in names if not name.startswith(left_out))
    if odd:
        raise ModelError(
            f"{folder}: {len(odd)} of its weights do not fit a {type(adapted.get_base_model()).__name__}, such as {odd[0]}: "
            "is the model the one that the adapter was trained on?"
        )
