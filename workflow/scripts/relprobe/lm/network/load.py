"""Loading: a snapshot becomes a model on the fastest path whose results equal those of the plain forward."""

import logging
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from transformers import AutoModelForCausalLM, AutoModelForMaskedLM
from transformers.utils import logging as transformers_logging

from relprobe.core.errors import ModelError, first_line
from relprobe.core.manifest import fetched_folder
from relprobe.lm.network.allocator import keep_freed_memory
from relprobe.lm.network.blocks import can_attend_in_blocks
from relprobe.lm.network.compiling import compile_layers, restore_layers
from relprobe.lm.network.devices import claim, claim_all
from relprobe.lm.network.last_layer import narrow_last_layer
from relprobe.lm.network.model import ComputePath, LanguageModel, input_device
from relprobe.lm.network.self_check import FAILURES, SelfCheck
from relprobe.lm.words.encode import Encoder
from relprobe.lm.words.tokenizer import tokenizer_of

logger = logging.getLogger("relprobe")
BUDGET = {"cpu": 2048, "cuda": 16_384}
"""The tokens of a batch, by kind of device."""


def load(
    manifest: Path,
    *,
    masked: bool,
    dtype: torch.dtype | None = None,
    device: str = "auto",
    budget: int | None = None,
    bos: bool | None = None,
    context: str = "",
    device_map: str | dict[str, Any] | None = None,
    use_compiler: bool = False,
) -> LanguageModel:
    """Load the snapshot that `manifest` describes; a GPU that the model uses is locked as long as the model lives.

    - `dtype`: by default float32 on a CPU and bfloat16 on a GPU; the log-softmax is always in float32.
    - `budget`: the tokens of a batch, by default BUDGET; `bos`: does an input begin with the BOS token (`Encoder.of`)?
    - `context`: a text that stands before every probe.
    - `device_map`: "auto" spreads a model over all GPUs, and the rest of it onto the CPU, whatever `device` says.

    The model takes the fastest path that passes the self-check (`fastest_model`), with a warning if that is not its first.
    ModelError: the snapshot cannot be loaded as a model of this kind.
    """
    keep_freed_memory()
    folder = fetched_folder(manifest)
    where, locks = ("auto", claim_all()) if device_map else claim(device)
    on_gpu = torch.cuda.is_available() if device_map else torch.device(where).type == "cuda"
    dtype = dtype or (torch.bfloat16 if on_gpu else torch.float32)
    net = _network(folder, masked, dtype, device_map)
    net = (net if device_map else net.to(where)).eval()
    tokenizer = tokenizer_of(folder)
    encoder = Encoder.of(tokenizer, masked=masked, max_length=max_length(net, tokenizer), bos=bos, context=context)
    budget = budget or BUDGET["cuda" if on_gpu else "cpu"]
    return replace(fastest_model(net, encoder, budget, use_compiler=use_compiler), locks=locks)


def fastest_model(net: Any, encoder: Encoder, budget: int, *, use_compiler: bool = False) -> LanguageModel:
    """Return the model on the fastest path that agrees with the plain forward; if none does, on the plain path.

    Its last layer computes the read positions only, and with `use_compiler` torch compiles its layers, unless that fails or
    disagrees with the plain forward.
    """
    plain = LanguageModel(net, encoder, "plain", budget)
    check = SelfCheck.of(plain)
    paths = (LanguageModel(net, encoder, path, budget) for path in _paths(net, encoder))
    model = next((model for model in paths if check.passes(model, f"the {model.path} path")), plain)
    if model.path != "plain":
        model = _with_narrow_last_layer(model, check)
    if use_compiler:
        compile_layers(net, last=model.last_layer is None)
        if not check.passes(model, "the compiled network"):
            restore_layers(net)
    return model


def _with_narrow_last_layer(model: LanguageModel, check: SelfCheck) -> LanguageModel:
    """Return the model with its last layer at read positions only, or the same model if that fails or disagrees."""
    sample = torch.tensor([check.queries[0].ids], device=input_device(model.net))
    try:
        narrow_model = replace(model, last_layer=narrow_last_layer(model.net, sample))
    except FAILURES as error:
        logger.warning(
            "%s: its last layer is computed at every position (%s)", type(model.net).__name__, first_line(error)
        )
        return model
    if narrow_model.last_layer is None or not check.passes(narrow_model, "the last layer at read positions only"):
        return model
    return narrow_model


def _paths(net: Any, encoder: Encoder) -> list[ComputePath]:
    """Return the fast paths to try, fastest first. Recurrent layers take no tries, as they would mix the branches."""
    kinds = set(getattr(net.config.get_text_config(), "layer_types", None) or ())
    tries = not encoder.masked and kinds <= {"full_attention", "sliding_attention"}
    if not tries:
        return ["grouped"]
    return ["blocks", "trie", "grouped"] if can_attend_in_blocks(net) else ["trie", "grouped"]


def max_length(net: Any, tokenizer: Any) -> int:
    """Return how many tokens an input may have: the lesser of the tokenizer's limit and the number of positions."""
    positions = getattr(net.config.get_text_config(), "max_position_embeddings", None) or tokenizer.model_max_length
    embeddings: Any = getattr(net.base_model, "embeddings", None)
    if hasattr(embeddings, "create_position_ids_from_input_ids"):  # RoBERTa's positions begin at padding_idx + 1
        positions -= embeddings.padding_idx + 1
    return int(min(positions, tokenizer.model_max_length))


def _network(folder: Path, masked: bool, dtype: torch.dtype, device_map: str | dict[str, Any] | None) -> Any:
    loader = AutoModelForMaskedLM if masked else AutoModelForCausalLM
    kind = f"a {'masked' if masked else 'causal'} model"
    return pretrained(loader, folder, kind, "check `type`", dtype=dtype, device_map=device_map)


def pretrained(loader: Any, folder: Path, kind: str, remedy: str, unused: str | None = None, **settings: Any) -> Any:
    """Load the weights of a snapshot with one of transformers' classes, the `loader`.

    `kind` ("a masked model") and `remedy` ("check `type`") are words of the errors. Weights with `unused` in their names
    may be missing. ModelError: the files are damaged, or the weights do not fit the config.
    """
    transformers_logging.disable_progress_bar()
    safe = {"local_files_only": True, "trust_remote_code": False, "use_safetensors": any(folder.glob("*.safetensors"))}
    try:
        net, report = loader.from_pretrained(folder, output_loading_info=True, **safe, **settings)
    except SafetensorError as error:
        raise ModelError(f"{folder}: its *.safetensors are damaged ({first_line(error)}): get them anew.") from error
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
