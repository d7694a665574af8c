"""The requests that a model answers, its responses, and the model inputs (queries) that requests become."""

from dataclasses import MISSING, dataclass, fields, is_dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

SLOT = "[V]"
"""The open position in a probe's text."""


def question(request: Any) -> str:
    """Return what a request asks, as a text that tells it from all others: its values, without the names of code.

    Fields at the end that have their default are none, so that a class may get one more.

    >>> question(Sentence("x", "a robin sings")), question(Continuation("x", "a [V]", ("owl", "wren")))
    ("('x', 'a robin sings')", "('x', 'a [V]', ('owl', 'wren'))")
    """
    return repr(_values(request))


def _values(value: Any) -> Any:
    if is_dataclass(value):
        named = [(field, getattr(value, field.name)) for field in fields(value)]
        while named and named[-1][0].default is not MISSING and named[-1][1] == named[-1][0].default:
            named.pop()
        return tuple(_values(field_value) for _, field_value in named)
    if isinstance(value, tuple | list):
        return tuple(map(_values, value))
    return float(value) if isinstance(value, float) else value


@dataclass(frozen=True)
class Variant:
    """One wording of a probe, with the slot in its text, and its share in the mixture."""

    text: str
    weight: float = 1.0


@dataclass(frozen=True)
class SlotProbe:
    """A text with one slot "[V]", in one or several wordings whose weights sum to 1.

    >>> SlotProbe("HYP:robin", (Variant("a robin is a [V]", 0.75), Variant("a robin is an [V]", 0.25))).id
    'HYP:robin'
    """

    id: str
    variants: tuple[Variant, ...]


@dataclass(frozen=True)
class SlotResponse:
    """The K likeliest tokens at a probe's slot, best first, with their natural-log probabilities; both have shape (K,)."""

    id: str
    token_ids: NDArray[np.int32]
    logprobs: NDArray[np.float32]


@dataclass(frozen=True)
class LayersResponse:
    """The K likeliest tokens at a probe's slot in each of several views; both arrays have shape (views, K).

    A view is the answer after a layer, as it is or through a map. The log-probabilities are natural ones.
    """

    id: str
    token_ids: NDArray[np.int32]
    logprobs: NDArray[np.float32]


@dataclass(frozen=True)
class WordResponse:
    """The likeliest words of a word list at a probe's slot, best first, and how much probability lies outside the list.

    `word_ids` are indices into the list, and `logprobs` natural-log probabilities; both have shape (K,), or fewer where the
    list has no K words that the model can spell. `outside` is a probability: for a causal model that of first tokens with
    which no word of the list begins, and for a masked model that of all that is no word of the list. It is None where a
    masked model reveals words from left to right, as this search does not look at all words.
    """

    id: str
    word_ids: NDArray[np.int32]
    logprobs: NDArray[np.float32]
    outside: float | None


@dataclass(frozen=True)
class ClosedProbe:
    """A probe whose answers are the words of a closed list, and its premise: the probe without what it asks about.

    `words` is the number of the list among the lists of a study. `premise` is None where nothing else stands in the probe.
    """

    probe: SlotProbe
    premise: SlotProbe | None
    words: int


@dataclass(frozen=True)
class ClosedResponse:
    """All words of a closed list that the model can spell, best first, and their log-probabilities after the premise.

    `words`: the answer to the probe. `premise` has the natural-log probability of each of these words after the premise, in
    the order of `words.word_ids`: NaN for a word that cannot be spelled there. It is None without a premise.
    """

    words: WordResponse
    premise: NDArray[np.float32] | None


@dataclass(frozen=True)
class Continuation:
    """A text with one slot "[V]", and the words or phrases that may fill the slot."""

    id: str
    text: str
    candidates: tuple[str, ...]


@dataclass(frozen=True)
class ContinuationResponse:
    """The tokens of each candidate and their natural-log probabilities, in the order of the candidates.

    Each array has shape (tokens of its candidate,). In this example, the first candidate has two tokens and the second has
    one:

    >>> ids = np.array([7, 8], np.int32), np.array([9], np.int32)
    >>> logprobs = np.array([-1, -3], np.float32), np.array([-2.5], np.float32)
    >>> response = ContinuationResponse("x", ids, logprobs)
    >>> response.sums().tolist(), response.means().tolist()
    ([-4.0, -2.5], [-2.0, -2.5])
    """

    id: str
    token_ids: tuple[NDArray[np.int32], ...]
    logprobs: tuple[NDArray[np.float32], ...]

    def sums(self) -> NDArray[np.float32]:
        """Return log P of each whole candidate, shape (candidates,)."""
        return np.array([logprobs.sum() for logprobs in self.logprobs], np.float32)

    def means(self) -> NDArray[np.float32]:
        """Return the mean over the tokens of each candidate, shape (candidates,): long candidates have a chance, too."""
        return np.array([logprobs.mean() for logprobs in self.logprobs], np.float32)


@dataclass(frozen=True)
class Sentence:
    """A text; the model gives a log-probability to every token of it.

    `before` is a text that stands before it, such as solved examples. Its tokens get no log-probability.
    """

    id: str
    text: str
    before: str = ""


@dataclass(frozen=True)
class SentenceResponse:
    """The tokens of a sentence and their natural-log probabilities, both of shape (tokens,).

    A log-probability is NaN where nothing precedes the token: a causal model cannot predict it.
    """

    id: str
    token_ids: NDArray[np.int32]
    logprobs: NDArray[np.float32]


@dataclass(frozen=True)
class SpanText:
    """A text and the spans in it to embed, as (start, stop) in characters.

    The span of "robin" in "a robin sings":

    >>> SpanText("x", "a robin sings", ((2, 7),)).text[2:7]
    'robin'
    """

    id: str
    text: str
    spans: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class SpanResponse:
    """One vector for each span of a text, shape (spans, width), or of several layers (layers, spans, width)."""

    id: str
    vectors: NDArray[np.float32]


@dataclass(frozen=True)
class Surprisal:
    """The surprisal of the words of a text, in nats, shape (words,), and the tokens of each word.

    `correction` is the part of it that counts the ends of words: `nats - correction` is the sum over the tokens.
    """

    id: str
    token_ids: tuple[NDArray[np.int32], ...]
    nats: NDArray[np.float32]
    correction: NDArray[np.float32]


class Query(NamedTuple):
    """A model input as token ids, and the read positions: those whose state is needed.

    Let "a robin is a" be the ids 1 7 4 1. A causal model predicts the slot after it at position 3, so the query is
    Query((1, 7, 4, 1), (3,)). Queries and targets are tuples because sets and dicts of tuples take a third of the time.

    `source` is the text that the encoder of an encoder-decoder network reads, as ids; `ids` are then those of its decoder.
    """

    ids: tuple[int, ...]
    positions: tuple[int, ...]
    source: tuple[int, ...] = ()

    def __repr__(self) -> str:
        """Show the source of an encoder-decoder network's query alone, as others have none."""
        source = f", source={self.source}" if self.source else ""
        return f"Query(ids={self.ids}, positions={self.positions}{source})"


class Targets(NamedTuple):
    """A query and, for each of its read positions, the token whose log-probability is needed there.

    Targets(Query((1, 7, 4, 1), (2, 3)), (1, 3)) needs log P(1 | 1 7 4) and log P(3 | 1 7 4 1).
    """

    query: Query
    tokens: tuple[int, ...]
