"""The last layer at the positions that are read: nothing depends on what its matrix products give at others.

All but those that make keys and values, which every position attends to. Which these are is found by trial, as every
network has its own names for them.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn
from transformers.pytorch_utils import Conv1D

from relprobe.lm.network.layers import layers_of


@dataclass
class ReadPositions:
    """The positions that are read, as indices into the `count` ones of a batch; none: every position is computed."""

    indices: Tensor | None = None
    count: int = 0
    shape: torch.Size | None = None  # of the positions that a matrix product under way was asked for

    @contextmanager
    def only(self, indices: Tensor, count: int) -> Iterator[None]:
        """Compute only these positions, unless they are so many that picking them out costs more than it saves."""
        self.indices, self.count = indices if 2 * len(indices) < count else None, count
        try:
            yield
        finally:
            self.indices = self.shape = None

    def pick(self, _module: nn.Module, given: tuple[Tensor]) -> Tensor | None:
        """Give a module the states (…, width) of these positions, shape (indices, width); a pre-hook."""
        (states,) = given
        if self.indices is None or states.shape[:-1].numel() != self.count:
            return None
        self.shape = states.shape[:-1]
        return states.flatten(0, -2)[self.indices.to(states.device)]

    def spread(self, _module: nn.Module, _given: Any, found: Tensor) -> Tensor:
        """Put what the module found (indices, width) where it belongs, and 0 at all other positions; a hook."""
        if self.indices is None or self.shape is None:
            return found
        whole = found.new_zeros(self.count, found.shape[-1])
        whole[self.indices.to(found.device)] = found
        shape, self.shape = self.shape, None
        return whole.view(*shape, -1)


@torch.inference_mode()
def narrow_last_layer(net: Any, ids: Tensor) -> ReadPositions | None:
    """Let a network's last layer compute read positions only; return what tells it them, or None if it has no such layer.

    `ids` (1, at least two tokens), on the device that the network takes them on, are what it is tried on.
    """
    layers = list(layers_of(net.base_model))
    calls = _calls(net, layers[-1], ids) if layers else []
    if len(calls) != 1:  # ALBERT's one layer is all of its layers
        return None
    reads = ReadPositions()
    for module in layers[-1].modules():
        if isinstance(module, nn.Linear | Conv1D) and _keeps_to_its_position(layers[-1], module, *calls[0]):
            module.register_forward_pre_hook(reads.pick)
            module.register_forward_hook(reads.spread)
    return reads


def _calls(net: Any, layer: nn.Module, ids: Tensor) -> list[tuple[Any, Any]]:
    """Return the arguments of the calls of a layer when its network computes `ids`."""
    calls: list[tuple[Any, Any]] = []
    with layer.register_forward_pre_hook(lambda _, *given: calls.append(given), with_kwargs=True):
        net.base_model(input_ids=ids, use_cache=False)
    return calls


def _keeps_to_its_position(layer: nn.Module, module: nn.Module, args: Any, kwargs: Any) -> bool:
    """Return whether the layer gives numbers at the other positions when `module` gives none at the first."""

    def spoil(_module: nn.Module, _given: Any, output: Tensor) -> Tensor:
        spoilt = output.clone()
        spoilt.flatten(0, -2)[0] = torch.nan
        return spoilt

    with module.register_forward_hook(spoil):
        output = layer(*args, **kwargs)
    states = output if isinstance(output, Tensor) else output[0]
    return bool(states[0, 1:].isfinite().all())
