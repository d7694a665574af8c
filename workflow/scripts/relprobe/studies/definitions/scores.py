"""What a model answers to the probes, as the score file keeps it: per pattern, the probability of every word."""

import logging
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import polars as pl
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from relprobe.core.errors import ProbeError
from relprobe.lm.network.model import LanguageModel
from relprobe.lm.primitives.continuation import continuation_logprob
from relprobe.lm.requests import Continuation, ContinuationResponse
from relprobe.lm.words.encode import Encoder

logger = logging.getLogger("relprobe")

SCORES = pl.Schema(
    {
        "probe_id": pl.String(),
        "pattern": pl.String(),
        # A value per word of the probe; null where the model's vocabulary cannot write the word.
        "logprobs": pl.List(pl.Float32()),  # natural log, of the whole word
        "first": pl.List(pl.Float32()),  # of its first token
        "tokens": pl.List(pl.UInt16()),
        "inputs": pl.UInt32(),  # different model inputs that this took
    }
)
PART = 1024
"""Requests of one part of the file: each has some 50 words."""


@dataclass(frozen=True)
class Answer:
    """A request, which of its words the model can write, and the response to these (None if there are none)."""

    request: Continuation
    known: tuple[bool, ...]
    response: ContinuationResponse | None


def answer(model: LanguageModel, requests: Iterable[Continuation]) -> Iterator[Answer]:
    """Yield the answer to each request, in order: with as many masks as the word has tokens, or by the chain rule."""
    asked = [(request, _known(model.encoder, request)) for request in requests]
    _warn(asked)
    responses = continuation_logprob(model, [_only(request, known) for request, known in asked if any(known)])
    for request, known in asked:
        yield Answer(request, known, next(responses) if any(known) else None)


def table(answers: Sequence[Answer], *, masked: bool) -> pa.Table:
    """Return the answers as a table (SCORES)."""
    rows = [_row(answer, masked) for answer in answers]
    return pl.DataFrame(rows, schema=SCORES, orient="row").to_arrow(compat_level=pl.CompatLevel.oldest())


def _row(
    answer: Answer, masked: bool
) -> tuple[str, str, list[float | None], list[float | None], list[float | None], int]:
    probe_id, pattern = answer.request.id.split(" ")
    none = [None] * len(answer.known)
    if answer.response is None:
        return probe_id, pattern, [*none], [*none], [*none], 0
    response = answer.response
    columns = (
        response.sums().tolist(),
        [float(logprobs[0]) for logprobs in response.logprobs],
        [len(ids) for ids in response.token_ids],
    )
    logprobs, first, tokens = (_spread(values, answer.known) for values in columns)
    return probe_id, pattern, logprobs, first, tokens, inputs(response, masked)


def inputs(response: ContinuationResponse, masked: bool) -> int:
    """Count the different model inputs behind a response.

    A masked model sees as many masks as the word has tokens, whatever these are; a causal one all tokens but the last.
    """
    if masked:
        return len({len(ids) for ids in response.token_ids})
    return len({ids[:-1].tobytes() for ids in response.token_ids})


def _spread(values: Sequence[float], known: Sequence[bool]) -> list[float | None]:
    following = iter(values)
    return [next(following) if is_known else None for is_known in known]


def _known(encoder: Encoder, request: Continuation) -> tuple[bool, ...]:
    return tuple(_can_write(encoder, request, word) for word in request.candidates)


def _can_write(encoder: Encoder, request: Continuation, word: str) -> bool:
    try:
        encoder.candidate(request.id, request.text, word)
    except ProbeError:
        return False
    return True


def _warn(asked: Iterable[tuple[Continuation, Sequence[bool]]]) -> None:
    """Log the words that the model's vocabulary cannot write."""
    unknown = {
        word
        for request, known in asked
        for word, is_known in zip(request.candidates, known, strict=True)
        if not is_known
    }
    if unknown:
        named = ", ".join(map(repr, sorted(unknown)))
        logger.warning("words that the model's vocabulary cannot write, and that therefore come last: %s", named)


def _only(request: Continuation, known: Sequence[bool]) -> Continuation:
    words = tuple(word for word, is_known in zip(request.candidates, known, strict=True) if is_known)
    return replace(request, candidates=words)


def log_inputs(scores: Path, questions: int) -> None:
    """Log how many model inputs answered the questions, each of which would be an input if nothing were shared."""
    made = pc.sum(pq.read_table(scores, columns=["inputs"])["inputs"]).as_py() or 0
    shared = f", {questions / made:.1f} times fewer" if made else ""
    logger.info("%s model inputs answered %s questions%s", f"{made:,}", f"{questions:,}", shared)
