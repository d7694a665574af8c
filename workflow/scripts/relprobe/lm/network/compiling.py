"""Layers compiled by torch: what they do between their matrix products becomes a few kernels instead of many."""

from torch import nn

from relprobe.lm.network.layers import layers_of


def compile_layers(net: nn.Module, *, last: bool) -> None:
    """Let torch compile the layers of a network, with or without the last, at their first use, for batches of any size.

    A layer and not the whole network, as layers of one kind share what is made of the first.
    """
    layers = list(layers_of(net))
    for layer in layers if last else layers[:-1]:
        layer.compile(dynamic=True)


def restore_layers(net: nn.Module) -> None:
    """Let the layers of a network compute as they did before `compile_layers`."""
    for layer in layers_of(net):
        layer._compiled_call_impl = None  # torch has no public way back
