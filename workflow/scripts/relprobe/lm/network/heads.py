"""The language-modelling head of any architecture, on hidden states."""

import copy
from typing import Any

from torch import Tensor, nn
from transformers.modeling_outputs import BaseModelOutputWithPastAndCrossAttentions


class _Given(nn.Module):
    """Stands where the body was and returns the hidden states it is handed."""

    @property
    def decoder(self) -> "_Given":
        return self

    def forward(self, *_: Any, inputs_embeds: Tensor, **__: Any) -> BaseModelOutputWithPastAndCrossAttentions:
        return BaseModelOutputWithPastAndCrossAttentions(last_hidden_state=inputs_embeds)


def head_of(net: nn.Module) -> nn.Module:
    """Return a module that maps hidden states (as `inputs_embeds`) to logits and shares all weights with `net`.

    It is `net` itself with its body replaced, so whatever the architecture does after the body (a transform, a bias,
    a soft cap) is done, without a list of architectures. The load-time check compares it with the plain forward.
    """
    head = copy.copy(net)
    head._modules = {**net._modules, str(net.base_model_prefix): _Given()}
    # accelerate replaces `forward` in the instance by one bound to `net`, body and all; the class's own is wanted here.
    # The hooks of the head's layers stay and bring states and weights to their device.
    head.__dict__.pop("forward", None)
    return head
