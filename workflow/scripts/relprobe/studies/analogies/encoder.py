"""Relation embeddings as RelBERT makes them (Ushio et al. 2021): a pair of words in a template, its tokens averaged."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any, Literal, get_args

import numpy as np
import torch
from numpy.typing import NDArray
from transformers import AutoModel

from relprobe.core.errors import ModelError
from relprobe.core.files import read_json
from relprobe.lm.network.devices import claim
from relprobe.lm.network.load import pretrained
from relprobe.lm.words.tokenizer import tokenizer_of
from relprobe.studies.analogies.pairs import Pair, PairVector
from relprobe.studies.analogies.template import check_pair_template

Pooling = Literal["average_no_mask", "average", "mask"]
TEMPLATE = "Today, I finally discovered the relation between {h} and {t} : {h} is the {mask} of {t}"
"""RelBERT's first template, for encoders that bring none."""
BATCH = 128


@dataclass(frozen=True)
class Encoder:
    """An encoder without a language-modelling head, on its device, with the locks that keep other jobs off it."""

    net: Any
    tokenizer: Any
    template: str
    pooling: Pooling
    locks: tuple[Any, ...]

    def embed(self, asked: Iterator[Pair] | Sequence[Pair]) -> Iterator[PairVector]:
        """Yield the relation embedding of each pair, in order: the mean of the last hidden states of all its tokens.

        "average_no_mask" leaves the mask out of the mean, "mask" takes its state alone.
        """
        wanted = list(asked)
        ids = [self._ids(pair) for pair in wanted]
        vectors: dict[int, NDArray[np.float32]] = {}
        by_length = sorted(range(len(wanted)), key=lambda number: len(ids[number]))
        for _, group in groupby(by_length, key=lambda number: len(ids[number])):
            numbers = list(group)
            for start in range(0, len(numbers), BATCH):
                batch = numbers[start : start + BATCH]
                vectors.update(zip(batch, self._vectors([ids[number] for number in batch]), strict=True))
        for number, pair in enumerate(wanted):
            yield PairVector(pair, vectors[number])

    def _ids(self, pair: Pair) -> list[int]:
        text = self.template.format(h=pair.head, t=pair.tail, mask=self.tokenizer.mask_token or "")
        ids: list[int] = self.tokenizer(text).input_ids
        return ids

    @torch.inference_mode()
    def _vectors(self, ids: Sequence[Sequence[int]]) -> NDArray[np.float32]:
        """Return the embeddings (inputs, width), float32, of inputs of one length."""
        inputs = torch.tensor(ids, device=self.net.device)
        states = self.net(input_ids=inputs).last_hidden_state.float()
        if not states.isfinite().all():
            name = self.tokenizer.name_or_path
            raise ModelError(f"the encoder {name} computes values that are no numbers: its weights are broken.")
        masks = inputs == (-1 if self.tokenizer.mask_token_id is None else self.tokenizer.mask_token_id)
        taken = {"average": torch.ones_like(masks), "average_no_mask": ~masks, "mask": masks}[self.pooling]
        weights = taken.float() / taken.sum(dim=1, keepdim=True)
        vectors: NDArray[np.float32] = torch.einsum("ij,ijk->ik", weights, states).cpu().numpy()
        return vectors


def load(folder: Path, template: str | None, pooling: Pooling | None, device: str) -> Encoder:
    """Load a snapshot as an encoder.

    Without a template or pooling it takes what the checkpoint was trained with, which RelBERT's name in their config.json,
    else TEMPLATE and "average_no_mask". ModelError: its weights do not fit, or it has no mask where the pooling needs one;
    ConfigError: neither has the template.
    """
    own = _relbert_config(folder)
    template = template or _own_template(own) or TEMPLATE
    pooling = pooling or own.get("mode", "average_no_mask")
    if pooling not in get_args(Pooling):
        raise ModelError(f"{folder}: its pooling {pooling!r} is unknown: set `pooling` to one of {get_args(Pooling)}.")
    check_pair_template(template, pooling, f"the template of {folder}")
    where, locks = claim(device)
    net = pretrained(AutoModel, folder, "an encoder", "check its source", unused="pooler.", dtype=torch.float32)
    tokenizer = tokenizer_of(folder)
    if pooling == "mask" and tokenizer.mask_token_id is None:
        raise ModelError(f"{folder}: its tokenizer has no mask token: set `pooling: average`.")
    return Encoder(net.to(where).eval(), tokenizer, template, pooling, locks)


def _relbert_config(folder: Path) -> dict[str, Any]:
    about = read_json(folder / "config.json")
    own = about.get("relbert_config") if isinstance(about, dict) else None
    return own if isinstance(own, dict) else {}


def _own_template(own: dict[str, Any]) -> str:
    """Return the template of a RelBERT's config.json, with our names of its places; "" if it has none."""
    places = {"<subj>": "{h}", "<obj>": "{t}", "<mask>": "{mask}"}
    text = str(own.get("template") or "")
    for theirs, ours in places.items():
        text = text.replace(theirs, ours)
    return text
