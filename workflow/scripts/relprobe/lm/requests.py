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
class Continuation:
    """A text with one slot "[V]", and the words or phrases that may fill it."""

    id: str
    text: str
    candidates: tuple[str, ...]


@dataclass(frozen=True)
class ContinuationResponse:
    """Per candidate, in order, its tokens and their natural-log probabilities, both of shape (tokens,)."""

    id: str
    token_ids: tuple[NDArray[np.int32], ...]
    logprobs: tuple[NDArray[np.float32], ...]

    def sums(self) -> NDArray[np.float32]:
        """Return log P of each whole candidate, shape (candidates,)."""
        return np.array([logprobs.sum() for logprobs in self.logprobs], np.float32)

    def means(self) -> NDArray[np.float32]:
        """Return the mean over each candidate's tokens, which longer candidates can win too, shape (candidates,)."""
        return np.array([logprobs.mean() for logprobs in self.logprobs], np.float32)


@dataclass(frozen=True)
class Sentence:
    """A text whose every token is to be scored."""

    id: str
    text: str


@dataclass(frozen=True)
class SentenceResponse:
    """The tokens of a sentence and their natural-log probabilities, both of shape (tokens,); NaN is "has none"."""

    id: str
    token_ids: NDArray[np.int32]
    logprobs: NDArray[np.float32]


@dataclass(frozen=True)
class SpanText:
    """A text, and the spans in it to embed, as (start, stop) in characters."""

    id: str
    text: str
    spans: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class SpanResponse:
    """One vector per span of a text, shape (spans, width)."""

    id: str
    vectors: NDArray[np.float32]


@dataclass(frozen=True)
class Query:
    """A model input and the positions in it whose state is read."""

    ids: tuple[int, ...]
    positions: tuple[int, ...]


@dataclass(frozen=True)
class Targets:
    """A model input and, for each position read, the token whose log-probability is wanted there."""

    query: Query
    tokens: tuple[int, ...]
