"""The likeliest tokens at a probe's slot after every layer, from one forward pass."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor

from relprobe.core.errors import ModelError
from relprobe.lm.network.devices import move
from relprobe.lm.network.lens import chosen_layers, layer_count
from relprobe.lm.network.model import LanguageModel
from relprobe.lm.primitives.slots import best_at_states, queries_of
from relprobe.lm.primitives.stream import encoded_chunks, fetch, rows_of_layers
from relprobe.lm.requests import LayersResponse, SlotProbe
from relprobe.lm.words.unknown import null_unknown


@dataclass(frozen=True)
class View:
    """A layer, and what is done to its states before the head: nothing, or a linear map, states @ weights + offset.

    Layer 0 are the embeddings. `weights` has shape (width, width) and `offset` (width,). `untrained`: the states are those
    of an untrained network of the same shape.
    """

    layer: int
    weights: Tensor | None = None
    offset: Tensor | None = None
    untrained: bool = False

    @torch.inference_mode()
    def of(self, states: Tensor) -> Tensor:
        """Return what the head gets of the states after the layer, shape (reads, width).

        >>> View(3, torch.tensor([[2.0]]), torch.tensor([1.0])).of(torch.tensor([[5.0]]))
        tensor([[11.]])
        """
        if self.weights is None or self.offset is None:
            return states
        weights, offset = move(self.weights, states.device), move(self.offset, states.device)
        return torch.addmm(offset, states.to(weights.dtype), weights)


def asked_layers(model: LanguageModel, choice: str | Sequence[int] | Mapping[str, int]) -> list[int]:
    """Return the layers of a choice for a model (`layers_of_choice`).

    >>> from relprobe.lm.loading.example import bigram_model
    >>> asked_layers(bigram_model({"a": {"bird": 1}}), [-1])
    [0, 1]
    """
    return layers_of_choice(model.net.config, choice)


def layers_of_choice(config: Any, choice: str | Sequence[int] | Mapping[str, int]) -> list[int]:
    """Return the layers of a choice (`chosen_layers`), ascending, with the last one and with layer 0, which is a control.

    `config` is that of the network. ModelError: the choice is none, or the network has no such layer.
    """
    try:
        return sorted({0, *chosen_layers(choice, layer_count(config))})
    except ValueError as error:
        raise ModelError(f"`layers` is {choice!r}, but {error}: correct it.") from error


def slot_top_k_of_layers(
    model: LanguageModel,
    probes: Iterable[SlotProbe],
    k: int,
    views: Sequence[View],
    excluded: Sequence[int] = (),
    untrained: LanguageModel | None = None,
) -> Iterator[LayersResponse]:
    """Yield for each probe, in order, the `k` likeliest tokens at its slot in each of the `views` (a LayersResponse).

    The states after a layer go through all that the model does with those after its last one: its final norm, the transform
    of a masked model's head, and the head with its bias, scale and soft cap. The answer of the last layer is that of
    `slot_top_k`, and `excluded` are the ids of tokens that are no answers, as there. One forward pass gives all layers.
    `untrained`: the network whose states the views take that say so; the head is that of the model.
    ProbeError: as in `slot_top_k`. ModelError: nothing is known of what the network does between a layer and its head.

    In the example the embeddings alone decide, and its layer adds nothing:

    >>> from relprobe.lm.loading.example import bigram_model
    >>> from relprobe.lm.requests import Variant
    >>> model = bigram_model({"a": {"bird": 0.75, "owl": 0.25}})
    >>> probe = SlotProbe("x", (Variant("a [V]"),))
    >>> response = next(slot_top_k_of_layers(model, [probe], k=2, views=[View(0), View(1)]))
    >>> np.exp(response.logprobs).round(3).tolist()
    [[0.75, 0.25], [0.75, 0.25]]
    """
    return null_unknown(
        model.encoder.tokenizer, probes, lambda asked: _in_views(model, asked, k, views, excluded, untrained)
    )


def _in_views(
    model: LanguageModel,
    probes: Iterable[SlotProbe],
    k: int,
    views: Sequence[View],
    excluded: Sequence[int],
    untrained: LanguageModel | None,
) -> Iterator[LayersResponse]:
    layers = sorted({view.layer for view in views})
    row_of = {layer: number for number, layer in enumerate(layers)}
    rows = rows_of_layers(model, len(layers))
    for chunk in encoded_chunks(
        model, probes, lambda group: queries_of(model, group), lambda queries: len(queries) * rows
    ):
        asked = [probe for probe, _ in chunk]
        read = [query for _, queries in chunk for query in queries]
        states, untrained_states = model.lens(read, layers), None if untrained is None else untrained.lens(read, layers)
        best = [
            block
            for view in views
            for view_states in [states if untrained_states is None or not view.untrained else untrained_states]
            for block in best_at_states(model, asked, view.of(view_states[row_of[view.layer]]), k, excluded)
        ]
        arrays = fetch([tensor for block in best for tensor in block])
        values, ids = (np.concatenate(arrays[start::2]).reshape(len(views), len(asked), -1) for start in range(2))
        for number, probe in enumerate(asked):
            yield LayersResponse(probe.id, ids[:, number], values[:, number])
