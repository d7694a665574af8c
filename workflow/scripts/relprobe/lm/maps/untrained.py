"""A network as it was before its training: what maps of its layers find, no training has put there."""

import copy
from dataclasses import replace
from typing import Any

import torch

from relprobe.core.errors import ModelError, first_line
from relprobe.lm.network.devices import input_device
from relprobe.lm.network.model import LanguageModel
from relprobe.lm.network.self_check import FAILURES

SEED = 1


def untrained_model(model: LanguageModel) -> LanguageModel:
    """Return a model with the encoder, shape, format and path of `model`, and the random weights of an untrained network.

    The weights are drawn as the library draws them before a training, with a seed. ModelError: the network cannot be made
    from its config alone.

    >>> from relprobe.lm.loading.example import bigram_model
    >>> model = bigram_model({"a": {"bird": 1}})
    >>> own, other = (dict(one.net.named_parameters()) for one in (model, untrained_model(model)))
    >>> own.keys() == other.keys(), all(own[name].shape == other[name].shape for name in own)
    (True, True)
    """
    try:
        net = _network(model.net)
    except FAILURES as error:
        raise ModelError(
            f"an untrained {type(model.net).__name__} cannot be made from its config ({first_line(error)}): write "
            "`untrained: false` in relations.layers."
        ) from error
    return replace(model, net=net, head=None, last_layer=None)


def _network(net: Any) -> Any:
    config = copy.deepcopy(net.config)
    if hasattr(config, "quantization_config"):
        del config.quantization_config
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(SEED)
        return type(net)(config).to(dtype=net.dtype, device=input_device(net)).eval()
