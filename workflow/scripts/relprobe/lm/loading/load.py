"""Loading: a snapshot becomes a model on the fastest path whose results equal those of the plain forward."""

import logging
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch

from relprobe.core.errors import ModelError, first_line
from relprobe.core.manifest import adapter_folder, model_folder, read_manifest
from relprobe.lm.loading import cached_check
from relprobe.lm.loading.adapter import apply_adapter
from relprobe.lm.loading.cached_check import CachedCheck
from relprobe.lm.loading.files import check_files
from relprobe.lm.loading.weights import config_of, default_dtype, generation_config_of, network
from relprobe.lm.network.causality import require_causality
from relprobe.lm.network.config_values import layer_values
from relprobe.lm.network.cpu import keep_freed_memory
from relprobe.lm.network.devices import claim, claim_all, input_device, set_up_gpus
from relprobe.lm.network.last_layer import narrow_last_layer
from relprobe.lm.network.model import ComputePath, LanguageModel
from relprobe.lm.network.packing import reason_against_tries
from relprobe.lm.network.products import ProductLibrary, fastest_library, lay_out
from relprobe.lm.network.self_check import FAILURES, Proof, SelfCheck, warn
from relprobe.lm.requests import SLOT
from relprobe.lm.words.blank import Blank
from relprobe.lm.words.chat import Chat, Conversation, frame
from relprobe.lm.words.encode import Encoder, ModelKind
from relprobe.lm.words.tokenizer import tokenizer_of
from relprobe.lm.words.tokens import Reading, reading_of

logger = logging.getLogger("relprobe")
BUDGET = {"cpu": 2048, "cuda": 16_384}
"""The tokens of a batch, by kind of device."""
COSTS: dict[ComputePath, str] = {
    "grouped": "beginnings that inputs share are computed again for each, which takes about 2.5 times as long",
    "plain": "each input is computed alone and whole, which takes many times as long",
}
"""What a path costs beside the next faster one. Measured: SmolLM2 computes 2,078 tokens in place of 827 for 160 probes."""
TEXTS = ("a robin is a", "it is")
"""Texts whose special tokens are compared with the tokenizer's own."""


def load(
    manifest: Path,
    *,
    masked: bool,
    encoder_decoder: bool = False,
    dtype: torch.dtype | None = None,
    device: str = "auto",
    budget: int | None = None,
    bos: bool | None = None,
    context: str = "",
    device_map: str | dict[str, Any] | None = None,
    chat: Chat = "none",
    conversation: Conversation | None = None,
    adapter: Path | None = None,
    allow_pickle: bool = False,
) -> LanguageModel:
    """Load the snapshot that `manifest` describes, or the model in the folder `manifest`.

    A GPU that the model uses is locked as long as the model lives.

    - `masked`: it is a masked model; `encoder_decoder`: it has an encoder and a decoder; else it is a causal model.
    - `dtype`: by default float32 for a network of fewer than LARGE parameters and bfloat16 for a larger one, on every
      device; quantised weights stay as they are. Logits and their log-softmax are always in float32.
    - `budget`: the tokens of a batch, by default BUDGET; `bos`: does an input begin with the BOS token (`Encoder.of`)?
    - `context`: a text that stands before every probe.
    - `chat`: how the model is asked in its chat template, with the lines of `conversation` (`relprobe.lm.words.chat`).
    - `device_map`: "auto" spreads a model over all GPUs, and the rest of it onto the CPU, whatever `device` says.
    - `adapter`: the folder of an adapter of the model (`apply_adapter`); by default that of an adapter's manifest.
    - `allow_pickle`: read pickled weights of a folder, too; those of a manifest were allowed when they were fetched.

    The model takes the fastest path that passes the self-check (`fastest_model`).
    ModelError: the snapshot cannot be loaded as a model of this kind, or a text gets other ids than from its tokenizer.
    """
    keep_freed_memory()
    folder = model_folder(manifest)
    check_files(folder, allow_pickle=allow_pickle or not manifest.is_dir())
    tokenizer = tokenizer_of(folder)
    if manifest.is_file():
        _warn_of_another_reading(manifest, reading_of(tokenizer))
    around = (
        None if chat == "none" else frame(tokenizer, conversation or {}, chat)
    )  # its errors come before the weights
    where, locks = ("auto", claim_all()) if device_map else claim(device)
    on_gpu = torch.cuda.is_available() if device_map else torch.device(where).type == "cuda"
    if on_gpu:
        set_up_gpus()
    placement = device_map or (None if where == "cpu" else {"": where})  # the weights go straight to their device
    kind: ModelKind = "encoder-decoder" if encoder_decoder else "masked" if masked else "causal"
    net = network(folder, kind, dtype or default_dtype(folder), placement).eval()
    _warn_of_offloading(net)
    weights = adapter or adapter_folder(manifest)
    if weights is not None:
        net = apply_adapter(net, weights).eval()
    longest = max_length(net, tokenizer)
    encoder = Encoder.of(
        tokenizer,
        masked=masked,
        max_length=longest,
        bos=bos,
        context=context,
        frame=around,
        blank=blank_of(net, tokenizer) if encoder_decoder else None,
    )
    _check_special_tokens(encoder, bos if around is None else False)
    budget = budget or BUDGET["cuda" if on_gpu else "cpu"]
    snapshot = manifest if manifest.is_file() and adapter is None else None
    return replace(fastest_model(net, encoder, budget, snapshot), locks=locks)


def _warn_of_another_reading(manifest: Path, reading: Reading) -> None:
    """Log that a tokenizer reads a text otherwise than when the model was fetched, as another version of a library does."""
    former = read_manifest(manifest).get("tokens", {})
    if text := next((text for text, tokens in reading.items() if former.get(text, tokens) != tokens), None):
        logger.warning(
            "%s: the tokenizer makes %s of %r, and made %s when the model was fetched, with other versions of libraries: "
            "a sample of the stored answers is asked again", manifest, reading[text], text, former[text],
        )  # fmt: skip


def encoder_of_files(
    manifest: Path,
    kind: ModelKind,
    *,
    bos: bool | None = None,
    context: str = "",
    chat: Chat = "none",
    conversation: Conversation | None = None,
) -> Encoder:
    """Return the encoder of a model from its tokenizer and config; the network is not loaded.

    It takes texts of any length that the tokenizer takes. The arguments and errors are those of `load`.
    """
    folder = model_folder(manifest, weights=False)
    tokenizer = tokenizer_of(folder)
    around = None if chat == "none" else frame(tokenizer, conversation or {}, chat)
    blank = None
    if kind == "encoder-decoder":
        blank = Blank.of(tokenizer, decoder_start(config_of(folder), generation_config_of(folder)))
    length = int(tokenizer.model_max_length)
    masked = kind == "masked"
    return Encoder.of(tokenizer, masked=masked, max_length=length, bos=bos, context=context, frame=around, blank=blank)


def _warn_of_offloading(net: Any) -> None:
    """Log which part of a spread network does not lie on a GPU."""
    placement = getattr(net, "hf_device_map", None) or {}
    slow = [name for name, device in placement.items() if str(device) in ("cpu", "disk")]
    if slow and len(placement) > 1:
        logger.warning(
            "%s: %d of its %d parts, such as %s, lie in the main memory or on the disk and take many times as long: "
            "use more or larger GPUs, or a smaller `dtype`",
            type(net).__name__, len(slow), len(placement), slow[0],
        )  # fmt: skip


def _check_special_tokens(encoder: Encoder, bos: bool | None) -> None:
    """Raise a ModelError if a text of the encoder has other ids around it than its tokenizer puts there."""
    tokenizer, plain = encoder.tokenizer, replace(encoder, context="", closing="")
    for text in TEXTS:
        query = plain.slot(text, f"{text} {SLOT}")
        ids = query.source or query.ids
        if encoder.both_sides:
            token = tokenizer.mask_token if encoder.blank is None else encoder.blank.token
            expected = tuple(tokenizer(f"{text}{token}").input_ids)
        else:
            start = () if bos is None else encoder.before  # the config overrides the tokenizer
            expected = (*start, *tokenizer(text, add_special_tokens=bos is None).input_ids)
            expected = expected[: len(ids)]  # nothing stands after the text of a causal model
        if ids != expected:
            raise ModelError(
                f"the tokenizer of {tokenizer.name_or_path} makes {list(expected)} of {text!r}, but the model would get "
                f"{list(ids)}: its special tokens depend on the text, and this is not supported."
            )


def fastest_model(net: Any, encoder: Encoder, budget: int, manifest: Path | None = None) -> LanguageModel:
    """Return the model on the fastest path that agrees with the plain forward; if none does, on the plain path.

    A path must be right on a small network of the same architecture (`Proof`), and for the model itself (`SelfCheck`), with
    the library of products that is faster on this machine, or else with torch's own. Its last layer computes the read
    positions only, unless that fails or disagrees with the plain forward (`_checked`).
    `manifest`: that of the network's files; a check that is cached beside it takes the place of a new one (`cached_check`).
    ModelError: the tokenizer is that of another model, the network cannot be computed as one of its kind, or that of a
    causal model reads later tokens (`require_causality`), or it computes NaN or infinite values.
    """
    _require_ids(net, encoder)
    encoder = replace(encoder, width=net.config.get_text_config().vocab_size)
    file = None if manifest is None else cached_check.cache_file(manifest, net, encoder, budget)
    model = None if file is None else _from_cache(net, encoder, budget, cached_check.read(file))
    return _with_check(net, encoder, budget, file) if model is None else model


def _from_cache(net: Any, encoder: Encoder, budget: int, cached: CachedCheck | None) -> LanguageModel | None:
    """Return the model on the path of a cached check; None if there is none, or if the model answers otherwise by now."""
    if cached is None:
        return None
    lay_out(net, cached.products)
    model = LanguageModel(net, encoder, cached.path, budget, products=cached.products)
    check = cached.check(net, encoder)
    if cached.narrow:
        return _with_narrow_last_layer(model, check)[0]
    return model if check.trouble(model) is None else None


def _with_check(net: Any, encoder: Encoder, budget: int, file: Path | None) -> LanguageModel:
    """Return the fastest model that passes the whole check; the check is cached in `file` if it logged nothing."""
    plain = LanguageModel(net, encoder, "plain", budget)
    proof = Proof.of(net, encoder)
    check = _self_check(plain, proof)
    paths = _paths(net, encoder, proof)
    libraries = _libraries(net)
    for path in paths:
        for products in libraries if proof is None or proof.passes(path, budget) else ():
            lay_out(net, products)
            model, trouble = _checked(LanguageModel(net, encoder, path, budget, products=products), check)
            if model is not None:
                if path == "grouped" and encoder.kind == "causal" and reason_against_tries(net, encoder) is None:
                    _warn_of_cost(net, path)
                at_once = (path, products) == (paths[0], libraries[0])
                if file is not None and proof is not None and at_once and trouble is None:
                    cached_check.write(CachedCheck.of(model, check), file)
                return model
    if check.depends_on_batch(net, encoder):
        logger.warning("%s: its scores depend on which inputs share a batch", type(net).__name__)
    _warn_of_cost(net, "plain")
    return plain


def _warn_of_cost(net: Any, path: ComputePath) -> None:
    """Log what it costs that a network does not take the path that its architecture allows for."""
    logger.warning("%s: %s", type(net).__name__, COSTS[path])


def _require_ids(net: Any, encoder: Encoder) -> None:
    """Raise a ModelError if a tokenizer has more tokens than its network, apart from added ones."""
    tokenizer, size = encoder.tokenizer, net.config.get_text_config().vocab_size
    token_ids = encoder.token_ids - set(tokenizer.added_tokens_decoder)
    needed = {*encoder.before, *encoder.after, tokenizer.mask_token_id if encoder.masked else 0}
    if max(token_ids | needed) >= size:
        raise ModelError(
            f"the tokenizer of {tokenizer.name_or_path or type(net).__name__} has {len(encoder.token_ids):,} tokens, but "
            f"{type(net).__name__} has {size:,}: it is that of another model, so give its own."
        )


def _self_check(plain: LanguageModel, proof: Proof | None) -> SelfCheck:
    """Return the check of a network that is causal, if it should be, and that computes its inputs at all."""
    try:
        if not plain.encoder.masked:
            require_causality(plain, proof)
        return SelfCheck.of(plain)
    except ModelError:
        raise
    except FAILURES as error:
        kind = "masked" if plain.encoder.masked else "causal"
        raise ModelError(
            f"{type(plain.net).__name__} cannot be computed as a {kind} network ({first_line(error)}): check `type` "
            "(`kind` in Python), and that the tokenizer is its own."
        ) from error


def _paths(net: Any, encoder: Encoder, proof: Proof | None) -> list[ComputePath]:
    """Return the fast paths to try, fastest first; without a proof there are no tries."""
    return ["grouped"] if proof is None or reason_against_tries(net, encoder) else ["packed", "grouped"]


def _libraries(net: Any) -> list[ProductLibrary]:
    """Return the libraries of products to try, fastest first; torch's own is that of the plain forward."""
    if fastest_library(net) == "torch":
        return ["torch"]
    logger.info("%s: oneDNN computes its products, as it is the faster library on this processor", type(net).__name__)
    return ["oneDNN", "torch"]


def _checked(model: LanguageModel, check: SelfCheck) -> tuple[LanguageModel | None, str | None]:
    """Return the model, with its last layer at read positions only if that is right, and what is wrong with that layer.

    None in place of the model: it is wrong itself. One pass over the samples checks both. Only if it finds a difference, the
    model is also checked without that layer.
    """
    narrow, trouble = _with_narrow_last_layer(model, check)
    if narrow is not None:
        return narrow, None
    if not check.passes(model):
        return None, trouble
    if trouble is not None:
        warn(model.net, "the last layer at read positions only", trouble)
    return model, trouble


def _with_narrow_last_layer(model: LanguageModel, check: SelfCheck) -> tuple[LanguageModel | None, str | None]:
    """Return the model with its last layer at read positions only; or None and what is wrong with it.

    Nothing is wrong with a network that has no last layer of its own, or with an encoder-decoder network, whose decoder has
    few positions to read.
    """
    if model.encoder.blank is not None:
        return None, None
    sample = torch.tensor([check.queries[0].ids], device=input_device(model.net))
    try:
        last_layer = narrow_last_layer(model.net, sample)
    except FAILURES as error:
        return None, f"fails ({first_line(error)})"
    if last_layer is None:
        return None, None
    narrow = replace(model, last_layer=last_layer)
    trouble = check.trouble(narrow)
    if trouble is None:
        return narrow, None
    last_layer.release()
    return None, trouble


def max_length(net: Any, tokenizer: Any) -> int:
    """Return how many tokens an input may have: the lesser of the tokenizer's limit and the number of positions."""
    config = net.config.get_text_config()
    names = ("max_position_embeddings", "max_seq_len")  # the latter: MPT
    limits = [limit for name in names for limit in layer_values(config, name)]
    positions = min([limit for limit in limits if limit > 0] or [tokenizer.model_max_length])  # XLNet: -1
    embeddings: Any = getattr(net.base_model, "embeddings", None)
    padding = getattr(getattr(embeddings, "position_embeddings", None), "padding_idx", None)
    if padding is not None:  # positions begin after the padding's, as in RoBERTa and MPNet
        positions -= padding + 1
    return int(min(positions, tokenizer.model_max_length))


def blank_of(net: Any, tokenizer: Any) -> Blank:
    """Return what stands in the slot of an encoder-decoder network. ModelError: its tokenizer or config lacks it."""
    return Blank.of(tokenizer, decoder_start(net.config, net.generation_config))


def decoder_start(*configs: Any) -> int | None:
    """Return the token that a decoder begins with: that of the first of the network's configs that has one."""
    starts = (getattr(config, "decoder_start_token_id", None) for config in configs)
    return next((start for start in starts if start is not None), None)
