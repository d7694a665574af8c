"""The last layer computes only the positions that are read, except for its keys and values.

Above the last layer there is only the head, and the head reads few positions: of "[CLS] a robin is a [MASK] [SEP]", the one
of the mask. So most matrix products of the last layer are needed at the read positions alone. The products that make keys
and values are needed everywhere, as the read positions attend to all others. Networks have different names for these
products, so a trial tells them apart: NaN in the output of a product at one position either reaches other positions or not.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor, nn
from torch.utils.hooks import RemovableHandle
from transformers.pytorch_utils import Conv1D

from relprobe.lm.network.layers import layers_of


@dataclass
class ReadPositions:
    """The read positions of a batch, as indices into its `count` positions; without indices every position is computed.

    One position of four goes through a product, and the others get 0:

    >>> reads, product = ReadPositions(), nn.Linear(1, 1)
    >>> states = torch.tensor([[[1.0], [2.0], [3.0], [4.0]]])
    >>> with reads.restrict_to(torch.tensor([2]), count=4):
    ...     reads.pick(product, (states,))
    ...     reads.spread(product, (states,), torch.tensor([[30.0]])).flatten()
    tensor([[3.]])
    tensor([ 0.,  0., 30.,  0.])
    """

    indices: Tensor | None = None
    count: int = 0
    shape: torch.Size | None = None  # the shape of all positions, from `pick` to `spread`
    hooks: list[RemovableHandle] = field(default_factory=list)  # on the products of the layer

    @contextmanager
    def restrict_to(self, indices: Tensor, count: int) -> Iterator[None]:
        """Compute only these positions, unless they are half of them or more: to pick them out then costs too much."""
        self.indices, self.count = indices if 2 * len(indices) < count else None, count
        try:
            yield
        finally:
            self.indices = self.shape = None

    def restrict(self, product: nn.Module) -> None:
        """Let a matrix product compute the read positions only."""
        self.hooks += [product.register_forward_pre_hook(self.pick), product.register_forward_hook(self.spread)]

    def release(self) -> None:
        """Let all products compute every position again, for good."""
        while self.hooks:
            self.hooks.pop().remove()

    def pick(self, _module: nn.Module, arguments: tuple[Tensor]) -> Tensor | None:
        """Replace a module's states (…, width) by those of the read positions, shape (indices, width). A pre-hook."""
        (states,) = arguments
        if self.indices is None or states.shape[:-1].numel() != self.count:
            return None
        self.shape = states.shape[:-1]
        return states.flatten(0, -2)[self.indices.to(states.device)]

    def spread(self, _module: nn.Module, _arguments: Any, output: Tensor) -> Tensor:
        """Put a module's output (indices, width) at the read positions, and 0 at all other positions. A hook."""
        if self.indices is None or self.shape is None:
            return output
        all_rows = output.new_zeros(self.count, output.shape[-1])
        all_rows[self.indices.to(output.device)] = output
        shape, self.shape = self.shape, None
        return all_rows.view(*shape, -1)


@torch.inference_mode()
def narrow_last_layer(net: Any, ids: Tensor) -> ReadPositions | None:
    """Let the last layer of a network compute read positions only; return the object that tells it which they are.

    `ids` of shape (1, two tokens or more) is the input of the trial, on the device of the network's inputs. The result is
    None if the network has no last layer of its own: ALBERT has one layer and calls it many times.
    """
    layers = list(layers_of(net.base_model))
    calls = _calls(net, layers[-1], ids) if layers else []
    if len(calls) != 1:
        return None
    reads = ReadPositions()
    for module in layers[-1].modules():
        if isinstance(module, nn.Linear | Conv1D) and _keeps_to_its_position(layers[-1], module, *calls[0]):
            reads.restrict(module)
    return reads


def _calls(net: Any, layer: nn.Module, ids: Tensor) -> list[tuple[Any, Any]]:
    """Return the arguments of each call of a layer when its network computes `ids`."""
    calls: list[tuple[Any, Any]] = []
    with layer.register_forward_pre_hook(lambda _, *arguments: calls.append(arguments), with_kwargs=True):
        net.base_model(input_ids=ids, use_cache=False)
    return calls


def _keeps_to_its_position(layer: nn.Module, module: nn.Module, args: Any, kwargs: Any) -> bool:
    """Return whether NaN in the output of `module` at the first position leaves the layer's other positions finite.

    A product that the layer computes several times, or of something else than its positions, does not: DeBERTa's also
    turns its table of distances into keys.
    """
    shapes: list[torch.Size] = []

    def spoil(_module: nn.Module, _arguments: Any, output: Any) -> Any:
        if not isinstance(output, Tensor):  # a router of experts returns several tensors
            return output
        shapes.append(output.shape[:-1])
        spoilt = output.clone()
        spoilt.flatten(0, -2)[0] = torch.nan
        return spoilt

    with module.register_forward_hook(spoil):
        output = layer(*args, **kwargs)
    states = output if isinstance(output, Tensor) else output[0]
    once = [shape.numel() for shape in shapes] == [states.shape[:-1].numel()]
    return once and bool(states[0, 1:].isfinite().all())
