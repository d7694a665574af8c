"""Layers that torch compiles: the operations between their matrix products become a few kernels instead of many."""

from torch import nn

from relprobe.lm.network.layers import layers_of


def compile_layers(net: nn.Module, *, last: bool) -> None:
    """Let torch compile the layers of a network at their first use, for batches of any size.

    `last` says whether the last layer is compiled, too. Each layer is compiled by itself, and not the whole network,
    because layers of one kind share the kernels of the first.
    """
    layers = list(layers_of(net))
    for layer in layers if last else layers[:-1]:
        layer.compile(dynamic=True)


def restore_layers(net: nn.Module) -> None:
    """Undo `compile_layers`: the layers of a network compute without the compiler again."""
    for layer in layers_of(net):
        layer._compiled_call_impl = None  # torch has no public way to do this
