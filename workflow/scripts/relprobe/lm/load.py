"""Loading a snapshot, and checking before its first use that the fast path computes what the plain forward does."""

import logging
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from torch import Tensor
from transformers import AutoModelForCausalLM, AutoModelForMaskedLM
from transformers.utils import logging as transformers_logging

from relprobe.errors import ModelError, first_line
from relprobe.lm.allocator import keep_freed_memory
from relprobe.lm.blocks import can_attend_in_blocks
from relprobe.lm.devices import claim, claim_all
from relprobe.lm.encode import Encoder
from relprobe.lm.model import ComputePath, LanguageModel, sliding_window
from relprobe.lm.requests import SLOT, Query
from relprobe.lm.tokenizer import tokenizer_of
from relprobe.manifest import fetched_folder

logger = logging.getLogger("relprobe")
BUDGET = {"cpu": 2048, "cuda": 16_384}
TOLERANCE = {torch.float32: 1e-3, torch.bfloat16: 0.25, torch.float16: 0.05}
"""How far natural-log probabilities of likely tokens may lie from the plain forward; measured in fp32: 5e-5."""
LONG, LONGEST = 300, 1040
"""Tokens of the longest samples, without and with a sliding window to outgrow."""
SAMPLES = (
    "a robin is a kind of a",
    "a robin is a kind of an",
    "the word bird has a more general meaning than the word",
    "it is",
)


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
) -> LanguageModel:
    """Load the snapshot that `manifest` describes, ready to score; a GPU it uses is locked as long as the model lives.

    `dtype` is float32 on CPU and bfloat16 on GPU unless given; the log-softmax is float32 always. `context` is a text
    placed before every probe. `device_map` "auto" spreads a model that is larger than one GPU over all of them, and what
    is left over onto the CPU, whatever `device` says. The fastest of the model's paths that passes the self-check is taken,
    with a warning if it is not the first. ModelError: not loadable as this kind of model.
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
    return replace(checked(net, encoder, budget), held=locks)


def checked(net: Any, encoder: Encoder, budget: int) -> LanguageModel:
    """Return the model on the fastest path whose log-probabilities agree with the plain forward's (TOLERANCE)."""
    queries = _samples(net, encoder)
    plain = LanguageModel(net, encoder, "plain", budget)
    expected = plain.log_probs(plain.states(queries))
    likely = expected.topk(min(100, expected.shape[1])).indices
    for path in _paths(net, encoder):
        model = LanguageModel(net, encoder, path, budget)
        worst = _difference(model, queries, expected, likely)
        if worst <= TOLERANCE[net.dtype]:
            return model
        logger.warning("%s: the %s path is %.1e off the plain forward: falling back", type(net).__name__, path, worst)
    return plain


def _paths(net: Any, encoder: Encoder) -> list[ComputePath]:
    """Return the fast paths to try: tries need layers that attend, as recurrent ones would mix the branches."""
    kinds = set(getattr(net.config.get_text_config(), "layer_types", None) or ())
    tries = not encoder.masked and kinds <= {"full_attention", "sliding_attention"}
    if not tries:
        return ["grouped"]
    return ["blocks", "trie", "grouped"] if can_attend_in_blocks(net) else ["trie", "grouped"]


def _samples(net: Any, encoder: Encoder) -> list[Query]:
    """Return a few short probes, and two long ones that begin alike: longer than a sliding window and than a block."""
    short = replace(encoder, context="")
    queries = [short.slot(text, f"{text} {SLOT}") for text in SAMPLES]
    window = sliding_window(net.config)
    length = min(encoder.max_length, max(LONG, min(window.size + 8, LONGEST) if window else 0))
    words = [
        token for query in queries for token in query.ids[len(encoder.before) : len(query.ids) - len(encoder.after)]
    ]
    ids = (words * (length // len(words) + 1))[: length - len(encoder.before) - len(encoder.after)]
    twin = [*ids[: -len(ids) // 3], *reversed(ids[-len(ids) // 3 :])]
    for body in (ids, twin):
        whole = (*encoder.before, *body, *encoder.after)
        queries.append(Query(whole, (len(whole) - len(encoder.after) - 1,)))
    return queries


def _difference(model: LanguageModel, queries: list[Query], expected: Tensor, likely: Tensor) -> float:
    """Return the largest difference in log-probability over the likely tokens; infinite if the path fails."""
    try:
        found = model.log_probs(model.states(queries))
    except (RuntimeError, TypeError, ValueError, AttributeError, KeyError, ModelError) as error:
        logger.warning("%s: the %s path fails (%s)", type(model.net).__name__, model.path, first_line(error))
        return float("inf")
    if found.shape != expected.shape:
        return float("inf")
    return float((found.gather(1, likely) - expected.gather(1, likely)).abs().max())


def max_length(net: Any, tokenizer: Any) -> int:
    """Return how many tokens an input may have: the lesser of what the tokenizer says and the positions there are."""
    positions = getattr(net.config.get_text_config(), "max_position_embeddings", None) or tokenizer.model_max_length
    embeddings: Any = getattr(net.base_model, "embeddings", None)
    if hasattr(embeddings, "create_position_ids_from_input_ids"):  # RoBERTa counts positions from padding_idx + 1
        positions -= embeddings.padding_idx + 1
    return int(min(positions, tokenizer.model_max_length))


def _network(folder: Path, masked: bool, dtype: torch.dtype, device_map: str | dict[str, Any] | None) -> Any:
    loader = AutoModelForMaskedLM if masked else AutoModelForCausalLM
    kind = f"a {'masked' if masked else 'causal'} model"
    return pretrained(loader, folder, kind, "check `type`", dtype=dtype, device_map=device_map)


def pretrained(loader: Any, folder: Path, kind: str, remedy: str, unused: str | None = None, **settings: Any) -> Any:
    """Load the weights of a snapshot by one of transformers' classes, which makes it `kind` ("a masked model").

    Weights with `unused` in their names may be missing. ModelError: damaged files, or weights that do not fit.
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
