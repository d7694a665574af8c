"""What a network answers: its scores of the probes, its states after each layer, and its choices in words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from relprobe.core.step import Part
from relprobe.lm.chat_models.here import write_replies
from relprobe.lm.primitives.continuation import Method, continuation_logprob
from relprobe.lm.primitives.embeddings import embeddings
from relprobe.lm.primitives.sentences import Masking, pseudo_logprob
from relprobe.lm.score_files.layers import layer_table, states_of_layers
from relprobe.lm.score_files.parts import Scoring
from relprobe.lm.settings import ModelSettings
from relprobe.studies.degrees.chat import LINE, TOKENS, questions
from relprobe.studies.degrees.relations import Relations
from relprobe.studies.degrees.requests import analogies, schemas, slots, spans
from relprobe.studies.degrees.schemas import Probes

if TYPE_CHECKING:
    from relprobe.lm.words.encode import Encoder


# The four kinds of scores: the requests of each kind, the primitive that answers them, and the values that are stored.


Answer = Callable[[Any, Iterable[Any]], Iterable[Any]]
Values = Callable[[Any], NDArray[np.float32]]
RaterKind = Literal["schema", "analogy", "pmi", "hidden"]
PART = 128
"""Requests in one part of a score file: a slot has dozens of candidates, and each of them is a model input."""
_SCORES = pa.schema([("probe_id", pa.string()), ("values", pa.list_(pa.float32()))])


def schema_scores(model: ModelSettings, probes: Probes, *, shots: int = 0) -> Scoring:
    """Score the schema sentences: log P of each token. `shots` sentences about paradigms stand before each."""
    return _scoring("schema", model, probes, shots=shots)


def analogy_scores(model: ModelSettings, probes: Probes) -> Scoring:
    """Score the analogies, which hold paradigms themselves: log P of each token of the last clause."""
    return _scoring("analogy", model, probes)


def pmi_scores(model: ModelSettings, probes: Probes, *, shots: int = 0) -> Scoring:
    """Score the candidates of slots: log P of each, summed over its tokens. `shots` sentences stand before each."""
    return _scoring("pmi", model, probes, shots=shots)


def hidden_states(model: ModelSettings, probes: Probes, *, layer: int = 0) -> Scoring:
    """Take the states of the pairs' words in a layer; -1 is the last."""
    return _scoring("hidden", model, probes, layer=layer)


class Answers(NamedTuple):
    """The scores of a model for each kind of rater."""

    schema: Annotated[Scoring, Part(schema_scores)] | None = None
    analogy: Annotated[Scoring, Part(analogy_scores)] | None = None
    pmi: Annotated[Scoring, Part(pmi_scores)] | None = None
    hidden: Annotated[Scoring, Part(hidden_states)] | None = None


def ask(model: ModelSettings, probes: Probes, *, layer: int = 0, shots: int = 0) -> Answers:
    """Score the probes with a model, which is loaded once, for all kinds of raters; the options are those of each kind."""
    return Answers(
        schema_scores(model, probes, shots=shots),
        analogy_scores(model, probes),
        pmi_scores(model, probes, shots=shots),
        hidden_states(model, probes, layer=layer),
    )


def _scoring(kind: RaterKind, model: ModelSettings, probes: Probes, *, layer: int = 0, shots: int = 0) -> Scoring:
    asked = questions_of(kind, model.encoder, probes, layer, shots)
    return Scoring(f"degrees {kind}", model, asked.requests, asked.answer, asked.table, "requests", PART)


@dataclass(frozen=True)
class Questions:
    """Requests, the primitive that answers them, and the function that takes the stored values from a response."""

    requests: Sequence[Any]
    answer: Answer
    values: Values

    def table(self, responses: Sequence[Any]) -> pa.Table:
        """Return the responses as a table (degrees.requests.SCORES); a token without probability (NaN) becomes null."""
        ids = pa.array([response.id for response in responses], pa.string())
        return pa.table([ids, pa.array(map(self.values, responses), from_pandas=True)], schema=_SCORES)


def questions_of(kind: RaterKind, encoder: Encoder, probes: Probes, layer: int, shots: int = 0) -> Questions:
    """Return the requests about the probes for one kind of scores.

    The values, with log-probabilities in natural log, are
    - schema: log P of each token of the schema sentence;
    - analogy: log P of each token of the analogy's last clause;
    - pmi: log P of each candidate of a slot, summed over its tokens;
    - hidden: the states of the pair's two words in `layer`, concatenated.
    Before a sentence of the kinds schema and pmi stand `shots` sentences about paradigms; analogies hold them anyway. A
    masked model predicts the tokens of a word from left to right (Kauf and Ivanova 2023); otherwise the later tokens of a
    long word would reveal the earlier ones.
    """
    if kind == "schema":
        masking: Masking = "within_word_l2r"
        return Questions(
            list(schemas(probes, shots)),
            lambda model, part: pseudo_logprob(model, part, masking),
            lambda r: r.logprobs,
        )
    method: Method | None = "within_word_l2r" if encoder.masked else None
    if kind == "analogy":
        return Questions(
            list(analogies(probes)),
            lambda model, part: continuation_logprob(model, part, method),
            lambda r: r.logprobs[0],
        )
    if kind == "pmi":
        requests = list(slots(probes, both_sides=encoder.both_sides, shots=shots))
        return Questions(requests, lambda model, part: continuation_logprob(model, part, method), lambda r: r.sums())
    return Questions(
        list(spans(probes)), lambda model, part: embeddings(model, part, layer), lambda r: r.vectors.ravel()
    )


# What models are asked layer by layer: the hidden states of each pair's words after each layer.


def layer_scores(model: ModelSettings, probes: Probes, *, layers: Any) -> Scoring:
    """Score the probes with a model after each asked layer: the states of a pair's two words, as of the kind `hidden`.

    All layers come from one forward pass. `layers`: the choice of the agent; layer 0 and the last one are always asked.
    """
    texts = list(spans(probes))
    return states_of_layers(
        "degrees layers", model, texts, layers, lambda asked: partial(layer_table, layers=asked), "requests", PART
    )


# The people's task for models on this machine, which write their choices.


def writing(model: ModelSettings, relations: Relations, *, orders: int = 1, samples: int | None = None) -> Scoring:
    """Ask a model the MaxDiff questions that people answered (section 3.1); it writes its choices."""
    asked = list(questions(relations, (model.conversation or {})[LINE], orders))
    return write_replies("degrees writing", model, asked, TOKENS, samples)
