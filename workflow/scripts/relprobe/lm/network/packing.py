"""Which networks may compute token tries: those whose results cannot depend on the place of a node in its row."""

import inspect
from typing import Any

from relprobe.lm.network.batching import window_sizes
from relprobe.lm.network.heads import body_of
from relprobe.lm.network.trie import SHORT_LENGTH
from relprobe.lm.words.encode import Encoder

ATTENTION_LAYERS = {"full_attention", "sliding_attention", "attention"}
"""The kinds of layers that read no more of a row than their attention mask lets them."""
ROPE_BY_LENGTH = {"dynamic", "longrope"}
"""The kinds of rotary positions that depend on the length of the longest input beside them, beyond an original length."""


def reason_against_tries(net: Any, encoder: Encoder) -> str | None:
    """Return in a few words why inputs of a network make no token trie, or None if they may.

    A trie asks for a causal network that takes `position_ids`, whose layers all attend through transformers' exchangeable
    attention function and keep no state from token to token. That a network may compute tries does not say that it does so
    rightly: the self-check finds out.
    """
    config = net.config.get_text_config()
    if encoder.both_sides:
        return "a masked network reads on both sides" if encoder.masked else "its encoder reads on both sides"
    kinds = set(getattr(config, "layer_types", None) or ())
    lengths = _original_lengths(config)
    reasons = {
        "some layers do not attend, or only within chunks": kinds - ATTENTION_LAYERS
        or (net._is_stateful and not kinds),
        "its attention cannot be exchanged": not net._supports_attention_backend,
        "it takes no positions": "position_ids" not in inspect.signature(body_of(net).forward).parameters,
        "its windows have several lengths": len(window_sizes(config)) > 1,
        "its positions depend on the longest input": not all(
            _is_border(length, encoder.max_length) for length in lengths
        ),
    }
    return next((reason for reason, holds in reasons.items() if holds), None)


def _original_lengths(config: Any) -> list[int]:
    """Return the lengths beyond which rotary positions depend on the longest input; [] where they never do.

    A config has rotary positions for all layers, or for each kind of layer.
    """
    parameters = getattr(config, "rope_parameters", None) or {}
    variants = [parameters, *(value for value in parameters.values() if isinstance(value, dict))]
    trained_length = int(getattr(config, "max_position_embeddings", None) or 0)
    original = getattr(config, "original_max_position_embeddings", None)
    return [
        int(variant.get("original_max_position_embeddings") or original or trained_length)
        for variant in variants
        if variant.get("rope_type") in ROPE_BY_LENGTH
    ]


def _is_border(length: int, longest: int) -> bool:
    """Return whether the inputs of every trie are all up to a length, or all beyond it: tries hold inputs of one bucket.

    >>> [_is_border(*case) for case in [(4096, 131072), (4000, 131072), (4000, 2048), (32, 131072)]]
    [True, False, True, False]
    """
    return longest <= length or (length >= SHORT_LENGTH and length & (length - 1) == 0)
