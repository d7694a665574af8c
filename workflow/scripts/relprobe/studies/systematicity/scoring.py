"""What a network answers: its scores and embeddings, its states after each layer, and its choices in words."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import numpy as np
import polars as pl
import pyarrow as pa

from relprobe.core.step import Part
from relprobe.lm.chat_models.here import write_replies
from relprobe.lm.primitives.continuation import continuation_logprob
from relprobe.lm.primitives.embeddings import embeddings as embed
from relprobe.lm.primitives.slots import slot_top_k
from relprobe.lm.requests import (
    Continuation,
    ContinuationResponse,
    SlotProbe,
    SlotResponse,
    SpanResponse,
    SpanText,
    question,
)
from relprobe.lm.score_files.layers import states_of_layers
from relprobe.lm.score_files.parts import Scoring
from relprobe.lm.settings import ModelSettings
from relprobe.lm.words.lexicon import Lexicon
from relprobe.lm.words.unknown import keep_known, require_known
from relprobe.studies.letters import TOKENS
from relprobe.studies.systematicity.chat import questions, sheets
from relprobe.studies.systematicity.method import CANDIDATE_SEPARATOR, requests
from relprobe.studies.systematicity.schemas import Contexts, Items, Probes

if TYPE_CHECKING:
    from relprobe.lm.settings import Model


# What models are asked: their first words at a slot, the log-probabilities of the categories, and states of words.


SCORES_FILE = pa.schema(
    [
        ("probe_id", pa.large_string()),
        ("method", pa.large_string()),
        ("words", pa.large_list(pa.large_string())),
        ("scores", pa.large_list(pa.float32())),
        ("tokens", pa.large_list(pa.uint16())),
        ("unknown", pa.large_list(pa.large_string())),
    ]
)
EMBEDDINGS_FILE = pa.schema([("context", pa.uint32()), ("vector", pa.large_list(pa.float32()))])
VECTORS_FILE = pa.schema([EMBEDDINGS_FILE.field("vector")])
"""What is stored of an answer: a context's number changes when a word is added before it."""
Request = SlotProbe | Continuation
Response = SlotResponse | ContinuationResponse


def scores(
    model: ModelSettings,
    lexicon: Lexicon,
    probes: Probes,
    *,
    top_k: int,
    shots: int = 0,
    examples: dict[str, Any] | None = None,
) -> Scoring:
    """Score the probes with a model: its `top_k` first tokens at the slot, and the log-probabilities of the categories.

    `shots`: how many `examples` stand before a probe (those of the group "").
    """
    vocabulary = words_by_token(lexicon)
    candidates = dict(probes.select("probe_id", "candidates").iter_rows())
    all_requests = requests(probes, model.encoder.both_sides, shots, (examples or {}).get("", ()))
    asked = list(keep_known(model.encoder.tokenizer, all_requests))

    def key_by(write: Callable[[Any], str]) -> Callable[[Request], str]:
        # a row shows which of the words are unknown
        return lambda request: f"{write(request)} {_words(request.id, candidates)}"

    return Scoring(
        "systematicity scores",
        model,
        asked,
        lambda network, part: answer(network, list(part), top_k),
        lambda responses: table(responses, candidates, vocabulary),
        "requests",
        key=key_by(question),
        old_key=key_by(repr),
    )


def context_requests(contexts: Contexts) -> Iterator[SpanText]:
    """Yield a request per context: its text, and the span of its word."""
    for number, text, start, stop in contexts.select("context", "text", "start", "stop").iter_rows():
        yield SpanText(str(number), text, ((start, stop),))


def embeddings(model: ModelSettings, contexts: Contexts, *, layer: int) -> Scoring:
    """Embed the words of the classifier's pairs in their contexts with a model. `layer` is whose states; -1 is the last."""
    where = "the contexts of the classifiers' pairs"
    return Scoring(
        "systematicity embeddings",
        model,
        list(require_known(model.encoder.tokenizer, context_requests(contexts), where)),
        lambda network, part: embed(network, part, layer),
        vectors_table,
        "contexts",
        key=context_key,
        old_key=context_key,
        join=embeddings_table,
    )


def vectors_table(responses: Sequence[SpanResponse]) -> pa.Table:
    """Return the vectors of the contexts' words as a table (VECTORS_FILE)."""
    if not responses:
        return VECTORS_FILE.empty_table()
    vectors = np.concatenate([response.vectors for response in responses])  # (contexts, width)
    offsets = np.arange(len(responses) + 1, dtype=np.int64) * vectors.shape[1]
    return pa.table([pa.LargeListArray.from_arrays(offsets, vectors.ravel())], VECTORS_FILE)


def embeddings_table(vectors: pa.Table, requests: Sequence[SpanText]) -> pa.Table:
    """Return the vectors (VECTORS_FILE) with the numbers of their contexts (EMBEDDINGS)."""
    numbers = pa.array([int(request.id) for request in requests], pa.uint32())
    return pa.table([numbers, vectors["vector"]], EMBEDDINGS_FILE)


def context_key(request: SpanText) -> str:
    """Return the cache key of a context, whatever its number is: its text, and where its word is.

    >>> context_key(SpanText("17", "a robin sings", ((2, 7),)))
    "('a robin sings', ((2, 7),))"
    """
    return repr((request.text, request.spans))


class Answers(NamedTuple):
    """What a model answers to the probes, and its states of the words of the classifiers' pairs."""

    scores: Annotated[Scoring, Part(scores)]
    embeddings: Annotated[Scoring, Part(embeddings)] | None = None


def ask(
    model: ModelSettings,
    lexicon: Lexicon,
    probes: Probes,
    contexts: Contexts | None = None,
    *,
    top_k: int,
    layer: int = -1,
    shots: int = 0,
    examples: dict[str, Any] | None = None,
) -> Answers:
    """Score the probes with a model, and embed the words of the `contexts`, if there are any; it is loaded once.

    The options are those of `scores` and `embeddings`.
    """
    probe_scores = scores(model, lexicon, probes, top_k=top_k, shots=shots, examples=examples)
    return Answers(probe_scores, None if contexts is None else embeddings(model, contexts, layer=layer))


def answer(model: Model, requests: Sequence[Request], top_k: int) -> Iterator[Response]:
    """Yield the responses to the requests, in order; those to open slots are computed first, then those to candidates."""
    slots: list[Response] = list(
        slot_top_k(model, [request for request in requests if isinstance(request, SlotProbe)], top_k)
    )
    candidate_responses = continuation_logprob(
        model, [request for request in requests if isinstance(request, Continuation)]
    )
    open_slots = iter(slots)
    for request in requests:
        yield next(open_slots) if isinstance(request, SlotProbe) else next(candidate_responses)


def table(
    responses: Sequence[Response], candidates: Mapping[str, list[str]], vocabulary: Mapping[int, str]
) -> pa.Table:
    """Return the responses as a table (SCORES).

    `candidates`: probe_id -> words; a probe with a text per candidate has a row per candidate. `vocabulary`: token id ->
    word, or "##token" for a token that starts no word. The score of a candidate of several tokens is the sum of their
    log-probabilities.
    """
    words = set(vocabulary.values())
    rows = [_row(response, candidates, vocabulary, words) for response in responses]
    return pa.Table.from_pylist(rows, SCORES_FILE)


def _row(
    response: Response, candidates: Mapping[str, list[str]], vocabulary: Mapping[int, str], in_vocabulary: set[str]
) -> dict[str, Any]:
    method, probe_id, words = _words(response.id, candidates)
    row: dict[str, Any] = {"probe_id": probe_id, "method": method, "tokens": [], "unknown": []}
    if isinstance(response, SlotResponse):
        row |= {"words": [vocabulary[int(token)] for token in response.token_ids], "scores": response.logprobs}
        return row | {"unknown": [word for word in words if word not in in_vocabulary]}
    return row | {"words": words, "scores": response.sums(), "tokens": [len(ids) for ids in response.token_ids]}


def _words(request_id: str, candidates: Mapping[str, list[str]]) -> tuple[str, str, list[str]]:
    """Return the method, the probe and the words of a request, by its id."""
    method, _, name = request_id.partition(":")
    probe_id, _, candidate = (name, "", "") if name in candidates else name.rpartition(CANDIDATE_SEPARATOR)
    return method, probe_id, [candidate] if candidate else candidates[probe_id]


def words_by_token(lexicon: Lexicon) -> dict[int, str]:
    """Return token id -> the word that the token is, or "##token" if it starts no word (no word is written so).

    >>> words_by_token(pl.DataFrame({"token_id": [7, 8], "token": ["Ġbird", "ing"], "word": ["bird", None]}))
    {7: 'bird', 8: '##ing'}
    """
    no_word = pl.lit("##") + pl.col("token").str.strip_prefix("##")
    return dict(lexicon.select("token_id", pl.coalesce("word", no_word)).iter_rows())


# What models are asked layer by layer: the states of the classifier's words after each layer.


LAYER_EMBEDDINGS = pa.schema(
    [
        ("context", pa.uint32()),
        ("layer", pa.uint16()),  # 0: the embeddings
        ("vector", pa.large_list(pa.float32())),
    ]
)
VECTORS = pa.schema([LAYER_EMBEDDINGS.field("layer"), LAYER_EMBEDDINGS.field("vector")])
"""What is stored of an answer: a context's number changes when a word is added before it."""


def layer_embeddings(model: ModelSettings, contexts: Contexts, *, layers: Any) -> Scoring:
    """Embed the words of the classifier's pairs in their contexts with a model, after each asked layer.

    All layers come from one forward pass. `layers`: the choice of the agent; layer 0 and the last one are always asked.
    """
    texts, rows = list(context_requests(contexts)), lambda asked: partial(layer_vectors_table, layers=asked)
    where = "the contexts of the classifiers' pairs"
    return states_of_layers(
        *("systematicity layers", model, texts, layers, rows, "contexts"),
        where=where,
        key=context_key,
        old_key=context_key,
        join=with_contexts,
    )


def layer_vectors_table(responses: Sequence[SpanResponse], layers: Sequence[int]) -> pa.Table:
    """Return the vectors of the contexts' words as a table (VECTORS), a row for each layer.

    >>> response = SpanResponse("7", np.array([[[1, 2]], [[3, 4]]], np.float32))
    >>> layer_vectors_table([response], [0, 30]).to_pylist()
    [{'layer': 0, 'vector': [1.0, 2.0]}, {'layer': 30, 'vector': [3.0, 4.0]}]
    """
    if not responses:
        return VECTORS.empty_table()
    vectors = np.concatenate([response.vectors[:, 0] for response in responses])  # (contexts × layers, width)
    offsets = np.arange(len(vectors) + 1, dtype=np.int64) * vectors.shape[1]
    numbers = pa.array(list(layers) * len(responses), pa.uint16())
    return pa.table([numbers, pa.LargeListArray.from_arrays(offsets, vectors.ravel())], VECTORS)


def with_contexts(vectors: pa.Table, requests: Sequence[SpanText]) -> pa.Table:
    """Return the vectors (VECTORS) of some requests with the numbers of their contexts (LAYER_EMBEDDINGS)."""
    layers = vectors.num_rows // max(1, len(requests))
    numbers = np.repeat([int(request.id) for request in requests], layers)
    return pa.table([pa.array(numbers, pa.uint32()), *vectors.columns], LAYER_EMBEDDINGS)


# The same task for models on this machine, which write their choices.


def writing(
    model: ModelSettings,
    item_table: Items,
    probes: Probes,
    *,
    categories: dict[str, list[str]],
    seed: int,
    orders: int = 1,
    samples: int | None = None,
) -> Scoring:
    """Ask a model which category completes a sentence, and whether a hyponym is of a category; it writes its answer."""
    asked = list(sheets(item_table, probes, categories, seed, orders))
    return write_replies("systematicity writing", model, questions(model.conversation or {}, asked), TOKENS, samples)
