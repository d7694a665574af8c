"""Values of a network's config: one for the whole network, or one for each layer."""

from typing import Any


def layer_values(config: Any, name: str) -> list[Any]:
    """Return the different values that the layers of a network have by a name, in the order of the layers.

    Transformers refuses to read a value from the whole config if layers have it for themselves. [] if there is none.

    >>> from transformers import Gemma4TextConfig, LlamaConfig
    >>> layer_values(Gemma4TextConfig(), "head_dim"), layer_values(LlamaConfig(), "num_attention_heads")
    ([256, 512], [32])
    >>> layer_values(LlamaConfig(), "head_count")
    []
    """
    if not has_layer_values(config, name):
        value = getattr(config, name, None)
        return [] if value is None else [value]
    values = [getattr(layer, name, None) for layer in config.per_layer_config]
    return [value for i, value in enumerate(values) if value is not None and value not in values[:i]]


def has_layer_values(config: Any, name: str) -> bool:
    """Return whether layers of a network have a value by this name for themselves."""
    return name in (getattr(config, "per_layer_attributes", None) or ())
