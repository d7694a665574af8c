"""What a model is asked and what it answers."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

SLOT = "[V]"
"""The open position in a probe's text."""


@dataclass(frozen=True)
class Variant:
    """One wording of a probe, and its share in the mixture."""

    text: str
    weight: float = 1.0


@dataclass(frozen=True)
class SlotProbe:
    """A text with one slot "[V]", in one or several wordings whose weights sum to 1."""

    id: str
    variants: tuple[Variant, ...]


@dataclass(frozen=True)
class SlotResponse:
    """The K likeliest tokens at a probe's slot, best first, with their natural-log probabilities, both of shape (K,)."""

    id: str
    token_ids: NDArray[np.int32]
    logprobs: NDArray[np.float32]


@dataclass(frozen=True)
class Query:
    """A model input and the positions in it whose state is read."""

    ids: tuple[int, ...]
    positions: tuple[int, ...]
