"""The maps of a model's layers to its last one, as the result of a step."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from relprobe.lm.maps.file import LayerMaps
from relprobe.lm.maps.layer_text import Sentences
from relprobe.lm.settings import ModelSettings


def layer_map(model: ModelSettings, text: Sentences, *, layers: list[Any], control_network: bool = True) -> LayerMaps:
    """Fit the maps of a model's layers to its last one on sentences.

    `layers`: the choices of all agents that share the maps (`asked_layers`). `control_network`: maps from the layers of an
    untrained network of the same shape are fitted, too. The sentences have no context, examples or
    conversation before them. ModelError: the network has no such layer, or no answers of single layers.
    """
    from relprobe.lm.maps.fit import fit_maps
    from relprobe.lm.maps.untrained import untrained_model
    from relprobe.lm.primitives.layers import asked_layers

    network = replace(model, context="", chat="none").load_network()
    wanted = sorted({layer for choice in layers for layer in asked_layers(network, choice)})
    untrained = untrained_model(network) if control_network else None
    return LayerMaps.of(fit_maps(network, text["sentence"].to_list(), wanted, untrained))
