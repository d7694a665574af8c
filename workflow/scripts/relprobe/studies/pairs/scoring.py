"""What a network answers: its scores of the probes, its states after each layer, and its judgments in words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from relprobe.core.step import Part
from relprobe.lm.chat_models.here import write_replies
from relprobe.lm.primitives.continuation import Method, continuation_logprob
from relprobe.lm.primitives.embeddings import embeddings
from relprobe.lm.primitives.sentences import pseudo_logprob
from relprobe.lm.requests import ContinuationResponse, SentenceResponse, SpanResponse
from relprobe.lm.score_files.layers import layer_table, states_of_layers
from relprobe.lm.score_files.parts import Scoring
from relprobe.lm.settings import ModelSettings
from relprobe.sources.language import LanguageFile
from relprobe.studies.examples import Example
from relprobe.studies.letters import TOKENS
from relprobe.studies.pairs.chat import asked_in_words, sheets
from relprobe.studies.pairs.method import questions, sentences, spans, statements
from relprobe.studies.pairs.prompts import PromptFile
from relprobe.studies.pairs.schemas import Items, Probes
from relprobe.studies.pairs.shots import question_prefixes, statement_prefixes

if TYPE_CHECKING:
    from relprobe.lm.settings import Model

Kind = Literal["statement", "sentence", "verification", "states"]
_SCORES = pa.schema([("probe_id", pa.string()), ("values", pa.list_(pa.float32()))])
Examples = Mapping[str, Sequence[Example]]


def statement_scores(
    model: ModelSettings,
    probes: Probes,
    prompts: PromptFile,
    language: LanguageFile,
    *,
    shots: int = 0,
    examples: dict[str, Any] | None = None,
) -> Scoring:
    """Score the second words at the end of the statements: log P of each, summed over its tokens."""
    prefixes = statement_prefixes(probes, prompts, language.articles.chooser, examples or {}, shots)
    asked, method = list(statements(probes, prefixes)), _method(model)
    return _scoring("statement", model, asked, partial(_continuations, method=method), lambda response: response.sums())


def sentence_scores(
    model: ModelSettings,
    probes: Probes,
    prompts: PromptFile,
    language: LanguageFile,
    *,
    shots: int = 0,
    examples: dict[str, Any] | None = None,
) -> Scoring:
    """Score the statements with both words: log P of each token; a masked model predicts a word's from left to right."""
    prefixes = statement_prefixes(probes, prompts, language.articles.chooser, examples or {}, shots)
    return _scoring(
        "sentence", model, list(sentences(probes, prefixes)), _sentences, lambda response: response.logprobs
    )


def verification_scores(
    model: ModelSettings,
    probes: Probes,
    prompts: PromptFile,
    language: LanguageFile,
    *,
    shots: int = 0,
    examples: dict[str, Any] | None = None,
) -> Scoring:
    """Score yes and no as answers to the questions, with both orders of the options."""
    prefixes = question_prefixes(probes, prompts, language.articles.chooser, examples or {}, shots)
    asked, method = list(questions(probes, prompts, prefixes)), _method(model)
    return _scoring(
        "verification", model, asked, partial(_continuations, method=method), lambda response: response.sums()
    )


def states(model: ModelSettings, probes: Probes, *, layer: int = -1) -> Scoring:
    """Take the hidden states of both words in the statements, in a layer; -1 is the last."""
    return _scoring(
        "states", model, list(spans(probes)), partial(_states, layer=layer), lambda response: response.vectors.ravel()
    )


class Answers(NamedTuple):
    """The scores of a model for each kind of judge."""

    statement: Annotated[Scoring, Part(statement_scores)] | None = None
    sentence: Annotated[Scoring, Part(sentence_scores)] | None = None
    verification: Annotated[Scoring, Part(verification_scores)] | None = None
    states: Annotated[Scoring, Part(states)] | None = None


def ask(
    model: ModelSettings,
    probes: Probes,
    prompts: PromptFile,
    language: LanguageFile,
    *,
    layer: int = -1,
    shots: int = 0,
    examples: dict[str, Any] | None = None,
) -> Answers:
    """Score the probes with a model, which is loaded once, for all kinds of judges.

    `layer`: whose states are taken. `shots`: how many solved `examples` stand before a statement or a question.
    """
    texts = probes, prompts, language
    shown: dict[str, Any] = {"shots": shots, "examples": examples}
    return Answers(
        statement_scores(model, *texts, **shown),
        sentence_scores(model, *texts, **shown),
        verification_scores(model, *texts, **shown),
        states(model, probes, layer=layer),
    )


def _scoring(
    kind: Kind,
    model: ModelSettings,
    requests: Sequence[Any],
    answer: Callable[[Any, Iterable[Any]], Iterable[Any]],
    values: Callable[[Any], NDArray[np.float32]],
) -> Scoring:
    return Scoring(f"pairs {kind}", model, requests, answer, partial(table, values=values), "requests")


def table(responses: Sequence[Any], values: Callable[[Any], NDArray[np.float32]]) -> pa.Table:
    """Return the responses as a table (SCORES); a token without probability (NaN) becomes null."""
    ids = pa.array([response.id for response in responses], pa.string())
    return pa.table([ids, pa.array(map(values, responses), from_pandas=True)], schema=_SCORES)


def _method(model: ModelSettings) -> Method | None:
    """Return how the tokens of a word are scored: by a masked model from left to right (Kauf and Ivanova 2023)."""
    return "within_word_l2r" if model.encoder.masked else None


def _continuations(model: Model, asked: Iterable[Any], method: Method | None) -> Iterable[ContinuationResponse]:
    return continuation_logprob(model, asked, method)


def _sentences(model: Model, asked: Iterable[Any]) -> Iterable[SentenceResponse]:
    return pseudo_logprob(model, asked, "within_word_l2r")


def _states(model: Model, asked: Iterable[Any], layer: int) -> Iterable[SpanResponse]:
    return embeddings(model, asked, layer)


# What models are asked layer by layer: the hidden states of both words after each layer.


def layer_scores(model: ModelSettings, probes: Probes, *, layers: Any) -> Scoring:
    """Take the states of both words after each asked layer, all from one forward pass.

    `layers`: the choice of the agent; layer 0 and the last one are always asked.
    """
    rows = lambda asked: partial(layer_table, layers=asked)  # noqa: E731
    return states_of_layers("pairs layers", model, list(spans(probes)), layers, rows, "requests")


# The questions in words for models on this machine, which write their judgments.


def writing(
    model: ModelSettings,
    item_table: Items,
    prompts: PromptFile,
    language: LanguageFile,
    *,
    scale: list[int],
    tasks: list[str],
    orders: int = 1,
    samples: int | None = None,
) -> Scoring:
    """Let a model write its judgments of the pairs (`chat.sheets`)."""
    asked = sheets(item_table, prompts, language.articles.chooser, tasks, scale, orders)
    return write_replies("pairs writing", model, asked_in_words(model.conversation or {}, asked), TOKENS, samples)
