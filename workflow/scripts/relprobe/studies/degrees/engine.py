"""The four kinds of scores: which primitive of the engine answers which requests, and what of it is kept."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
import pyarrow as pa
from numpy.typing import NDArray

from relprobe.lm.network.model import LanguageModel
from relprobe.lm.primitives.continuation import Method, continuation_logprob
from relprobe.lm.primitives.embeddings import embeddings
from relprobe.lm.primitives.sentences import Masking, pseudo_logprob
from relprobe.studies.degrees.requests import analogies, schemas, slots, spans

Answer = Callable[[Iterable[Any]], Iterable[Any]]
Values = Callable[[Any], NDArray[np.float32]]
KINDS = ("schema", "analogy", "pmi", "hidden")
PART = 128
"""Requests of one part of a file: a slot has dozens of candidates, each of them a model input."""
_SCORES = pa.schema([("probe_id", pa.string()), ("values", pa.list_(pa.float32()))])


@dataclass(frozen=True)
class Questions:
    """Requests, what answers them, and what of a response is kept."""

    requests: Sequence[Any]
    answer: Answer
    values: Values

    def table(self, responses: Sequence[Any]) -> pa.Table:
        """Return the responses as a table (degrees.requests.SCORES), missing values where a token has no probability."""
        ids = pa.array([response.id for response in responses], pa.string())
        return pa.table([ids, pa.array(map(self.values, responses), from_pandas=True)], schema=_SCORES)


def questions_of(kind: str, model: LanguageModel, probes: pl.DataFrame, layer: int) -> Questions:
    """Return what a model is asked about the PROBES for one kind of rater (KINDS).

    Natural-log probabilities of the tokens of a schema sentence or of an analogy's last clause, of the candidates of a slot
    (all their tokens together), or the states of a pair's two words in the given layer, one after the other. A masked model
    reads a word's tokens from left to right (Kauf and Ivanova 2023): otherwise the rest of a long word would give it away.
    """
    if kind == "schema":
        masking: Masking = "within_word_l2r"
        return Questions(list(schemas(probes)), lambda part: pseudo_logprob(model, part, masking), lambda r: r.logprobs)
    method: Method | None = "within_word_l2r" if model.encoder.masked else None
    if kind == "analogy":
        return Questions(
            list(analogies(probes)), lambda part: continuation_logprob(model, part, method), lambda r: r.logprobs[0]
        )
    if kind == "pmi":
        requests = list(slots(probes, masked=model.encoder.masked))
        return Questions(requests, lambda part: continuation_logprob(model, part, method), lambda r: r.sums())
    return Questions(list(spans(probes)), lambda part: embeddings(model, part, layer), lambda r: r.vectors.ravel())
