"""Which networks may compute token tries: those whose results cannot depend on the place of a node in its row."""

import inspect
from typing import Any

from relprobe.lm.network.heads import body_of
from relprobe.lm.words.encode import Encoder

ATTENTION_LAYERS = {"full_attention", "sliding_attention"}
"""The kinds of layers that read no more of a row than their attention mask lets them."""
ROPE_BY_LENGTH = {"dynamic", "longrope"}
"""The kinds of rotary positions that depend on the length of the longest input beside them."""


def reason_against_tries(net: Any, encoder: Encoder) -> str | None:
    """Return in a few words why inputs of a network make no token trie, or None if they may.

    A trie asks for a causal network that takes `position_ids`, whose layers all attend through transformers' exchangeable
    attention function and keep no state from token to token. That a network may compute tries does not say that it does so
    rightly: the self-check finds out.
    """
    config = net.config.get_text_config()
    if encoder.both_sides:
        return "a masked network reads on both sides" if encoder.masked else "its encoder reads on both sides"
    if net._is_stateful or set(getattr(config, "layer_types", None) or ()) - ATTENTION_LAYERS:
        return "some layers do not attend, or only within chunks"
    if not net._supports_attention_backend:
        return "its attention cannot be exchanged"
    if "position_ids" not in inspect.signature(body_of(net).forward).parameters:
        return "it takes no positions"
    if _rope_kinds(config) & ROPE_BY_LENGTH:
        return "its positions depend on the longest input"
    return None


def _rope_kinds(config: Any) -> set[str]:
    """Return the kinds of rotary positions in a config: one for all layers, or one for each kind of layer."""
    parameters = getattr(config, "rope_parameters", None) or {}
    each = [parameters, *(value for value in parameters.values() if isinstance(value, dict))]
    return {str(one["rope_type"]) for one in each if "rope_type" in one}
