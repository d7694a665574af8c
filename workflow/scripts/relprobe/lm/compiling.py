"""Layers compiled by torch: what they do between their matrix products becomes a few kernels instead of many."""

from collections.abc import Iterator

from torch import nn


def compile_layers(net: nn.Module) -> None:
    """Let torch compile the layers of a network, at their first use and for batches of any size.

    A layer and not the whole network, as layers of one kind share what is made of the first.
    """
    for layer in layers_of(net):
        layer.compile(dynamic=True)


def restore_layers(net: nn.Module) -> None:
    """Let the layers of a network compute as they did before `compile_layers`."""
    for layer in layers_of(net):
        layer._compiled_call_impl = None  # torch has no public way back


def layers_of(module: nn.Module) -> Iterator[nn.Module]:
    """Yield the layers that a network is stacked of: the members of its outermost lists of modules."""
    for child in module.children():
        yield from child if isinstance(child, nn.ModuleList) else layers_of(child)
