"""The layers of a network, in every architecture, and the states that come out of one of them."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch
from torch import Tensor, nn


def layers_of(module: nn.Module) -> Iterator[nn.Module]:
    """Yield the layers of a network in order: the members of its outermost lists of modules.

    >>> layers = nn.ModuleList([nn.Linear(2, 3), nn.Linear(3, 2)])
    >>> list(layers_of(nn.Sequential(nn.Embedding(5, 2), nn.ModuleDict({"layer": layers}))))
    [Linear(in_features=2, out_features=3, bias=True), Linear(in_features=3, out_features=2, bias=True)]
    """
    for child in module.children():
        yield from child if isinstance(child, nn.ModuleList) else layers_of(child)


class LayerStates:
    """The hidden states after one layer: 0 for the embeddings, the number of layers for the last, whose norm is included.

    Transformers would keep those of all layers. The states after layer n are the input of layer n + 1, so a hook takes them
    there. A trial on a short input tells whether that is so; where layers share their weights (ALBERT), transformers keeps
    all states, and one is taken.
    """

    def __init__(self, net: Any, body: Any, layer: int, trial: Tensor) -> None:
        self._body, self._count = body, int(net.config.get_text_config().num_hidden_layers)
        if not -self._count - 1 <= layer <= self._count:
            raise IndexError(f"the layers 0 to {self._count}, but not {layer}")
        self._layer = layer % (self._count + 1)
        decoder = body.get_decoder() if hasattr(body, "get_decoder") else body
        self._layers = list(layers_of(decoder))
        self._hooked = body is not net and len(self._layers) == self._count
        if self._hooked:
            hooked = self(input_ids=trial)
            self._hooked = False
            self._hooked = torch.equal(hooked, self(input_ids=trial))

    def __call__(self, **inputs: Any) -> Tensor:
        """Return the states of a forward pass, shape (rows, length, width)."""
        if not self._hooked:
            states: Tensor = self._body(**inputs, use_cache=False, output_hidden_states=True).hidden_states[self._layer]
            return states
        if self._layer == self._count:
            last: Tensor = self._body(**inputs, use_cache=False).last_hidden_state
            return last
        with _input_of(self._layers[self._layer]) as states_before:
            self._body(**inputs, use_cache=False)
        return states_before[0]


@contextmanager
def _input_of(layer: nn.Module) -> Iterator[list[Tensor]]:
    """Fill a list with the states that come into a layer."""
    states: list[Tensor] = []

    def take(_module: nn.Module, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        states.append(args[0] if args else kwargs["hidden_states"])

    with layer.register_forward_pre_hook(take, with_kwargs=True):
        yield states
