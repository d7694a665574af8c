"""The layers of a network, in every architecture."""

from collections.abc import Iterator

from torch import nn


def layers_of(module: nn.Module) -> Iterator[nn.Module]:
    """Yield the layers of a network in order: the members of its outermost lists of modules.

    >>> layers = nn.ModuleList([nn.Linear(2, 3), nn.Linear(3, 2)])
    >>> list(layers_of(nn.Sequential(nn.Embedding(5, 2), nn.ModuleDict({"layer": layers}))))
    [Linear(in_features=2, out_features=3, bias=True), Linear(in_features=3, out_features=2, bias=True)]
    """
    for child in module.children():
        yield from child if isinstance(child, nn.ModuleList) else layers_of(child)
