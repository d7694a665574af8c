"""The layers of a network, in every architecture, and the states that come out of some of them."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
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
    """The hidden states after some layers: 0 for the embeddings, the number of layers for the last, whose norm is included.

    Transformers would keep those of all layers, at all positions. The states after layer n are the input of layer n + 1, so
    a hook takes them there, at the read positions alone. A trial on a short input tells whether that is so; where layers
    share their weights (ALBERT), transformers keeps all states, and some are taken. IndexError: there is no such layer.
    """

    def __init__(self, net: Any, body: Any, layers: Sequence[int], trial: Tensor) -> None:
        self._body, self._count = body, int(net.config.get_text_config().num_hidden_layers)
        for layer in layers:
            if not -self._count - 1 <= layer <= self._count:
                raise IndexError(f"the layers 0 to {self._count}, but not {layer}")
        self._wanted = [layer % (self._count + 1) for layer in layers]
        decoder = body.get_decoder() if hasattr(body, "get_decoder") else body
        self._layers = list(layers_of(decoder))
        self._hooked = body is not net and len(self._layers) == self._count
        if self._hooked:
            reads = torch.arange(trial.numel(), device=trial.device)
            hooked = self(reads, input_ids=trial)
            self._hooked = False
            self._hooked = torch.equal(hooked, self(reads, input_ids=trial))

    def __call__(self, reads: Tensor, **inputs: Any) -> Tensor:
        """Return the states at the read positions of a batch, shape (reads, layers, width)."""
        states = self._kept(reads, inputs) if self._hooked else self._library_states(reads, inputs)
        device = states[self._wanted[-1]].device
        return torch.stack([states[layer].to(device) for layer in self._wanted], 1)

    def _library_states(self, reads: Tensor, inputs: Mapping[str, Any]) -> dict[int, Tensor]:
        states = self._body(**inputs, use_cache=False, output_hidden_states=True).hidden_states
        return {layer: select_reads(states[layer], reads) for layer in set(self._wanted)}

    def _kept(self, reads: Tensor, inputs: Mapping[str, Any]) -> dict[int, Tensor]:
        states: dict[int, Tensor] = {}

        def keep(layer: int) -> Callable[[nn.Module, tuple[Any, ...], dict[str, Any]], None]:
            def take(_module: nn.Module, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
                states[layer] = select_reads(args[0] if args else kwargs["hidden_states"], reads)

            return take

        with ExitStack() as hooks:
            for layer in set(self._wanted) - {self._count}:
                hooks.enter_context(self._layers[layer].register_forward_pre_hook(keep(layer), with_kwargs=True))
            last = self._body(**inputs, use_cache=False).last_hidden_state
        return states | {self._count: select_reads(last, reads)}


def select_reads(states: Tensor, reads: Tensor) -> Tensor:
    """Return states (rows, length, width) at read positions, which are indices into rows × length: (reads, width)."""
    return states.flatten(0, -2)[reads.to(states.device)]
