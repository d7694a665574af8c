"""Which layers of a model are asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from relprobe.core.errors import ProbeError
from relprobe.lm.network.lens import chosen_layers, layer_count
from relprobe.lm.network.model import LanguageModel

if TYPE_CHECKING:
    from relprobe.library.texts import Words
    from relprobe.lm.settings import Model

Layers = str | Sequence[int] | Mapping[str, int]
"""The string "all", a list of layers, or {"every": n}."""


def asked_layers(engine: Model, layers: Layers, words: Words | None) -> list[int]:
    """Return the numbers of the layers that are asked, ascending and with the last one.

    ProbeError: they are asked for words of a list or of a served model, or there is no such layer.

    >>> from relprobe.lm.loading.example import bigram_model
    >>> asked_layers(bigram_model({"a": {"bird": 1}}), [0], None)
    [0, 1]
    """
    if words is not None:
        raise ProbeError(
            "`layers` gives words that are one token, and `words` are of any length: leave one of the two out."
        )
    if not isinstance(engine, LanguageModel):
        raise ProbeError(
            "the model is served, and a server gives no answers of single layers: leave `layers` out, or load the weights."
        )
    try:
        return chosen_layers(layers, layer_count(engine.net.config))
    except ValueError as error:
        raise ProbeError(f"layers={layers!r}: {error}.") from error
