"""Relation embeddings as RelBERT makes them (Ushio et al. 2021): the mean state of a template that holds the pair."""

import functools
import logging
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Any, Literal, get_args

import numpy as np
import torch
from numpy.typing import NDArray
from transformers import AutoModel

from relprobe.core.errors import ModelError
from relprobe.core.files import read_json
from relprobe.core.manifest import fetched_folder
from relprobe.lm.loading.weights import load_weights
from relprobe.lm.network.devices import claim, claim_all, input_device, unless_out_of_memory
from relprobe.lm.network.products import ProductLibrary, fastest_library, lay_out, products_by
from relprobe.lm.score_files.parts import part_size
from relprobe.lm.words.tokenizer import tokenizer_of
from relprobe.studies.analogies.pair_vectors import PairVector, PairVectors, RelationPair, pairs
from relprobe.studies.analogies.schemas import Instances
from relprobe.studies.analogies.template import check_pair_template

Pooling = Literal["average_no_mask", "average", "mask", "cls", "last"]
TEMPLATE = "Today, I finally discovered the relation between {h} and {t} : {h} is the {mask} of {t}"
"""RelBERT's first template, for checkpoints that name no template."""
BATCH = 128
"""Inputs of a batch; where memory runs out, the encoder halves its batches."""

logger = logging.getLogger("relprobe")


def encoder(
    encoder: Path,
    instances: Instances,
    *,
    template: str | None = None,
    pooling: Pooling | None = None,
    dtype: Literal["float32", "bfloat16", "float16"] = "float32",
    device_map: Literal["none", "auto"] = "none",
    device: str = "auto",
    threads: int = 1,
    reuse: bool = True,
    results: Path | None = None,
) -> PairVectors:
    """Embed every pair of words with an encoder, as RelBERT does; its own template and pooling are the defaults.

    `encoder`: the manifest of its snapshot. `dtype`: that of the weights; `device_map` auto spreads them over all GPUs.
    `reuse`: pairs that an earlier job has embedded are taken from its store, and a new store takes over what others in the
    folder `results` hold of the same network. The network is loaded when it must embed a pair.
    """
    torch.set_num_threads(threads)
    form = form_of(fetched_folder(encoder, weights=False), template, pooling)

    @functools.cache
    def network() -> Encoder:
        spread = device_map == "auto"
        return load(fetched_folder(encoder), template, pooling, device, getattr(torch, dtype), spread=spread)

    return PairVectors(
        partial(pairs, instances),
        lambda part: network().embed(part),
        {"template": form[0], "pooling": form[1], "dtype": dtype},
        lambda: part_size(network().net),
        reuse,
        results,
        encoder,
    )


@dataclass(frozen=True)
class Encoder:
    """An encoder without a language-modelling head, on its device, with the locks that keep other jobs off the device."""

    net: Any
    tokenizer: Any
    template: str
    pooling: Pooling
    locks: tuple[Any, ...]
    products: ProductLibrary = "torch"  # what computes its products in float32

    def embed(self, pairs: Iterable[RelationPair]) -> Iterator[PairVector]:
        """Yield the relation embedding of each pair, in order: the mean of the last hidden states of the tokens.

        "average" is over all tokens of the template, "average_no_mask" over all but the mask, "mask" is the mask's state,
        "cls" that of the first token (as in BERT), and "last" that of the last one (as in causal encoders). Inputs of one
        length make batches, so that none is padded. Where memory runs out, batches are halved.

        ModelError: the states hold NaN or infinite values, or memory runs out for one input.
        """
        pairs, size = list(pairs), BATCH
        ids = [self._ids(pair) for pair in pairs]
        vectors: dict[int, NDArray[np.float32]] = {}
        by_length = sorted(range(len(pairs)), key=lambda number: len(ids[number]))
        for _, group in groupby(by_length, key=lambda number: len(ids[number])):
            numbers = list(group)
            while numbers:
                batch = numbers[:size]
                computed = self._vectors_if_they_fit([ids[number] for number in batch])
                if computed is None:
                    size = len(batch) // 2
                    continue
                vectors.update(zip(batch, computed, strict=True))
                numbers = numbers[len(batch) :]
        for number, pair in enumerate(pairs):
            yield PairVector(pair, vectors[number])

    def _ids(self, pair: RelationPair) -> list[int]:
        text = self.template.format(h=pair.head, t=pair.tail, mask=self.tokenizer.mask_token or "")
        ids: list[int] = self.tokenizer(text).input_ids
        return ids

    def _vectors_if_they_fit(self, ids: Sequence[Sequence[int]]) -> NDArray[np.float32] | None:
        """Return the embeddings of inputs of one length; None if the memory is too small for so many."""
        vectors = unless_out_of_memory(input_device(self.net), self._vectors, ids)
        if vectors is not None:
            return vectors
        if len(ids) == 1:
            raise ModelError(
                f"the encoder {self.tokenizer.name_or_path} runs out of memory on one input: "
                "set `dtype: bfloat16` or `device_map: auto`, or use a larger GPU."
            )
        logger.info("out of memory with %d inputs: batches are halved", len(ids))
        return None

    @torch.inference_mode()
    def _vectors(self, ids: Sequence[Sequence[int]]) -> NDArray[np.float32]:
        """Return the embeddings (inputs, width), float32, of inputs of one length."""
        inputs = torch.tensor(ids, device=input_device(self.net))
        with products_by(self.products):
            states = self.net(input_ids=inputs).last_hidden_state.float()
        if not states.isfinite().all():
            name = self.tokenizer.name_or_path
            raise ModelError(f"the encoder {name} computes NaN or infinite states: its weights are broken.")
        masks = inputs == (-1 if self.tokenizer.mask_token_id is None else self.tokenizer.mask_token_id)
        weights = _weights(masks, self.pooling).to(states.device)
        vectors: NDArray[np.float32] = torch.einsum("ij,ijk->ik", weights, states).cpu().numpy()
        return vectors


def _weights(masks: torch.Tensor, pooling: Pooling) -> torch.Tensor:
    """Return how much each token counts, float (inputs, tokens); `masks` says which tokens are masks.

    >>> masks = torch.tensor([[False, True, False]])
    >>> [_weights(masks, pooling).tolist()[0] for pooling in ("average_no_mask", "cls", "last")]
    [[0.5, 0.0, 0.5], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]
    """
    positions = torch.arange(masks.shape[1], device=masks.device).expand_as(masks)
    pooled = {
        "average": torch.ones_like(masks),
        "average_no_mask": ~masks,
        "mask": masks,
        "cls": positions == 0,
        "last": positions == masks.shape[1] - 1,
    }[pooling]
    return pooled.float() / pooled.sum(dim=1, keepdim=True)


def load(
    folder: Path,
    template: str | None,
    pooling: Pooling | None,
    device: str,
    dtype: torch.dtype = torch.float32,
    *,
    spread: bool = False,
) -> Encoder:
    """Load a snapshot as an encoder. Its weights have the `dtype`; `spread` puts them on all GPUs and the CPU's memory.

    Without a template or pooling the encoder uses those that it was trained with, which RelBERT checkpoints name in their
    config.json; without these, TEMPLATE and "average_no_mask". Of an encoder-decoder network, such as T5, the encoder is
    taken. ModelError: the weights do not fit the config, or the pooling needs a mask token that the tokenizer lacks.
    ConfigError: the template has another form.
    """
    template, pooling = form_of(folder, template, pooling)
    where, locks = ("auto", claim_all()) if spread else claim(device)
    device_map = None if where == "cpu" else "auto" if spread else {"": where}
    net = load_weights(
        AutoModel, folder, "an encoder", "check its source", unused="pooler.", dtype=dtype, device_map=device_map
    )
    if net.config.is_encoder_decoder:  # the decoder writes, and would ask for a text of its own
        net = net.get_encoder()
    tokenizer = tokenizer_of(folder)
    if pooling == "mask" and tokenizer.mask_token_id is None:
        raise ModelError(f"{folder}: its tokenizer has no mask token: set `pooling: average`.")
    products = fastest_library(net)
    lay_out(net, products)
    return Encoder(net.eval(), tokenizer, template, pooling, locks, products)


def form_of(folder: Path, template: str | None, pooling: Pooling | None) -> tuple[str, Pooling]:
    """Return the template and the pooling of an encoder (`load`), which needs no weights. The errors are those of `load`."""
    config = _relbert_config(folder)
    template = template or _relbert_template(config) or TEMPLATE
    pooling = pooling or config.get("mode", "average_no_mask")
    if pooling not in get_args(Pooling):
        raise ModelError(f"{folder}: its pooling {pooling!r} is unknown: set `pooling` to one of {get_args(Pooling)}.")
    check_pair_template(template, pooling, f"the template of {folder}")
    return template, pooling


def _relbert_config(folder: Path) -> dict[str, Any]:
    """Return the RelBERT part of a checkpoint's config.json; {} if it has none."""
    config = read_json(folder / "config.json")
    part = config.get("relbert_config") if isinstance(config, dict) else None
    return part if isinstance(part, dict) else {}


def _relbert_template(config: dict[str, Any]) -> str:
    """Return the template of a RelBERT config with our marks for the words; "" if it has none."""
    marks = {"<subj>": "{h}", "<obj>": "{t}", "<mask>": "{mask}"}
    text = str(config.get("template") or "")
    for theirs, ours in marks.items():
        text = text.replace(theirs, ours)
    return text
