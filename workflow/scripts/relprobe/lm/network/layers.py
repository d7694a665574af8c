"""The layers that a network is stacked of."""

from collections.abc import Iterator

from torch import nn


def layers_of(module: nn.Module) -> Iterator[nn.Module]:
    """Yield the layers that a network is stacked of: the members of its outermost lists of modules."""
    for child in module.children():
        yield from child if isinstance(child, nn.ModuleList) else layers_of(child)
