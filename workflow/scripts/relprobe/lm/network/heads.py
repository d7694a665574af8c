"""The language-modelling head of any architecture, as a module that turns hidden states into logits."""

import copy
from typing import Any

from torch import Tensor, nn
from transformers.modeling_outputs import BaseModelOutputWithPastAndCrossAttentions


class _NoBody(nn.Module):
    """A module in the place of the body that returns its hidden states as they come."""

    @property
    def decoder(self) -> "_NoBody":
        return self

    def forward(self, *_: Any, inputs_embeds: Tensor, **__: Any) -> BaseModelOutputWithPastAndCrossAttentions:
        return BaseModelOutputWithPastAndCrossAttentions(last_hidden_state=inputs_embeds)


def head_of(net: nn.Module) -> nn.Module:
    """Return a module that maps hidden states (its argument `inputs_embeds`) to logits and shares all weights with `net`.

    The module is a copy of `net` without its body. So it computes whatever the architecture does after the body, such as a
    transform, a bias or a soft cap, and no list of architectures is needed. The self-check compares it with the plain
    forward.
    """
    head = copy.copy(net)
    head._modules = {**net._modules, str(net.base_model_prefix): _NoBody()}
    # accelerate puts a `forward` into the instance that belongs to `net` and runs its body; the head needs the method of the
    # class. The hooks of accelerate stay on the head's layers and bring states and weights to their device.
    head.__dict__.pop("forward", None)
    return head
