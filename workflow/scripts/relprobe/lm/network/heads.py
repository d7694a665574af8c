"""The body and the language-modelling head of any architecture: the head turns hidden states into logits."""

import copy
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn
from transformers import PreTrainedModel
from transformers.modeling_outputs import BaseModelOutputWithPastAndCrossAttentions


def body_of(net: Any) -> Any:
    """Return the part of a network below its head."""
    return getattr(net, _body_name(net))


def _body_name(net: Any) -> str:
    """Return the attribute that holds the body: Llama 4 says "language_model", but it is "model".

    Of an encoder-decoder network this is what its decoder is in, or the decoder itself (T5).
    """
    if net.config.is_encoder_decoder and hasattr(net, "decoder"):
        return "decoder"
    names = [str(net.base_model_prefix)]
    names += [name for name, module in net.named_children() if isinstance(module, PreTrainedModel)]
    for name in names:
        if hasattr(net, name):
            return name
    raise AttributeError("it has no body apart from its head")


@dataclass
class _States(BaseModelOutputWithPastAndCrossAttentions):  # type: ignore[misc]  # its base is untyped
    """A body's output that holds states; anything else that a head may look up there, such as router logits, is None."""

    def __getattr__(self, name: str) -> None:
        if name.startswith("__"):  # Python asks for these to learn what an object can do
            raise AttributeError(name)


class _NoBody(nn.Module):
    """A module in the place of the body that returns its hidden states as they come, and has the body's attributes."""

    def __init__(self, body: nn.Module) -> None:
        super().__init__()
        self.__dict__["_body"] = body  # no part of this module

    @property
    def decoder(self) -> "_NoBody":
        return self

    def forward(
        self, *_: Any, inputs_embeds: Tensor | None = None, decoder_inputs_embeds: Tensor | None = None, **__: Any
    ) -> _States:
        return _States(last_hidden_state=inputs_embeds if decoder_inputs_embeds is None else decoder_inputs_embeds)

    def __getattr__(self, name: str) -> Any:
        value = getattr(self.__dict__["_body"], name)
        if isinstance(value, nn.Module):
            value = self.__dict__[name] = _in_float32(value)
        return value


class Head:
    """The head of a network: hidden states (rows, width) become logits (rows, vocabulary) in float32.

    It is a copy of the network without its body. So it computes whatever the architecture does after the body, such as a
    transform, a bias or a soft cap, and no list of architectures is needed. It shares the weights of a float32 network. Of a
    network in bfloat16 or float16 it holds its own weights in float32, because bfloat16 has 128 numbers between 8 and 16, so
    that many words would be equally likely. Weights that are quantised, or kept on disk by accelerate, stay as they are. The
    self-check compares the head with the plain forward.
    """

    def __init__(self, net: Any) -> None:
        self.net = net
        body = _body_name(net)
        self._module = copy.copy(net)
        self._module._modules = {
            name: _NoBody(module) if name in (body, "encoder") else _in_float32(module)
            for name, module in net._modules.items()
        }
        self._pair = bool(net.config.is_encoder_decoder)
        # accelerate puts a `forward` into the instance that belongs to `net` and runs its body; the head needs the method of
        # the class. The hooks of accelerate stay on the head's layers and bring states and weights to their device.
        self._module.__dict__.pop("forward", None)
        parameters = (
            weights
            for name, module in self._module._modules.items()
            if name not in (body, "encoder") and module is not None
            for weights in module.parameters()
        )
        self._dtype = next((weights.dtype for weights in parameters if weights.is_floating_point()), torch.float32)

    def __call__(self, states: Tensor) -> Tensor:
        """Return the logits of states (rows, width)."""
        rows = states[None].to(self._dtype)
        inputs = {"decoder_inputs_embeds": rows, "encoder_outputs": (rows,)} if self._pair else {"inputs_embeds": rows}
        logits: Tensor = self._module(**inputs).logits[0]
        return logits.float()


def _in_float32(module: nn.Module) -> nn.Module:
    """Return a copy in float32, or the module itself if it is in float32, quantised or elsewhere."""
    weights = [*module.parameters(), *module.buffers()]
    if all(weight.dtype == torch.float32 for weight in weights) or any(_is_opaque(weight) for weight in weights):
        return module
    return copy.deepcopy(module).float()


def _is_opaque(weight: Tensor) -> bool:
    return weight.is_meta or type(weight) not in (Tensor, nn.Parameter) or weight.dtype.itemsize < 2


@contextmanager
def float32_logits(net: Any) -> Iterator[None]:
    """Let the last product of the whole network be in float32, as that of its `Head` is."""
    layer = net.get_output_embeddings()
    wide = layer and _in_float32(layer)
    if wide is layer:
        yield
        return
    with layer.register_forward_hook(lambda _module, arguments, _output: wide(arguments[0].float())):
        yield
