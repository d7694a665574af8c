"""The answers of a model to the probes: per pattern, the probability of every word."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from relprobe.core.errors import ProbeError
from relprobe.lm.primitives.continuation import continuation_logprob
from relprobe.lm.requests import Continuation, ContinuationResponse
from relprobe.lm.words.encode import Encoder
from relprobe.studies.definitions.requests import SCORES

if TYPE_CHECKING:
    from relprobe.lm.settings import Model

logger = logging.getLogger("relprobe")

PART = 1024
"""Requests of one part of the file; a request has some 50 words."""


@dataclass(frozen=True)
class Answer:
    """A request, and for each of its words, whether the model can write it.

    `response` is the response to the words that the model can write, or None if there are none.
    """

    request: Continuation
    writable: tuple[bool, ...]
    response: ContinuationResponse | None


def answer(model: Model, requests: Iterable[Continuation]) -> Iterator[Answer]:
    """Yield the answer to each request, in order.

    A masked model reads as many masks as the word has tokens; a causal one scores the tokens by the chain rule.
    """
    checked = [(request, _writable(model.encoder, request)) for request in requests]
    _warn(checked)
    responses = continuation_logprob(
        model, [_only(request, writable) for request, writable in checked if any(writable)]
    )
    for request, writable in checked:
        yield Answer(request, writable, next(responses) if any(writable) else None)


def table(answers: Sequence[Answer], *, masked: bool) -> pa.Table:
    """Return the answers as a table (SCORES)."""
    rows = [_row(answer, masked) for answer in answers]
    return pl.DataFrame(rows, schema=SCORES, orient="row").to_arrow(compat_level=pl.CompatLevel.oldest())


def _row(
    answer: Answer, masked: bool
) -> tuple[str, str, list[float | None], list[float | None], list[float | None], int]:
    probe_id, pattern = answer.request.id.split(" ")
    none = [None] * len(answer.writable)
    if answer.response is None:
        return probe_id, pattern, [*none], [*none], [*none], 0
    response = answer.response
    columns = (
        response.sums().tolist(),
        [float(logprobs[0]) for logprobs in response.logprobs],
        [len(ids) for ids in response.token_ids],
    )
    logprobs, first, tokens = (_spread(values, answer.writable) for values in columns)
    return probe_id, pattern, logprobs, first, tokens, inputs(response, masked)


def inputs(response: ContinuationResponse, masked: bool) -> int:
    """Count the different model inputs behind a response.

    A masked model reads as many masks as a word has tokens, so words of equal length share an input. A causal one reads all
    tokens of a word but the last, so words that differ in the last token share an input.

    >>> import numpy as np
    >>> ids = tuple(np.array(word, np.int32) for word in ([7], [8], [5, 7]))
    >>> response = ContinuationResponse("x", ids, ids)
    >>> inputs(response, masked=True)
    2
    """
    if masked:
        return len({len(ids) for ids in response.token_ids})
    return len({ids[:-1].tobytes() for ids in response.token_ids})


def _spread(values: Sequence[float], writable: Sequence[bool]) -> list[float | None]:
    """Return the values in the places of the words that the model can write, and None in the others."""
    following = iter(values)
    return [next(following) if can_write else None for can_write in writable]


def _writable(encoder: Encoder, request: Continuation) -> tuple[bool, ...]:
    return tuple(_can_write(encoder, request, word) for word in request.candidates)


def _can_write(encoder: Encoder, request: Continuation, word: str) -> bool:
    try:
        encoder.candidate(request.id, request.text, word)
    except ProbeError:
        return False
    return True


def _warn(checked: Iterable[tuple[Continuation, Sequence[bool]]]) -> None:
    """Log the words that the model's vocabulary cannot write."""
    missing = {
        word
        for request, writable in checked
        for word, can_write in zip(request.candidates, writable, strict=True)
        if not can_write
    }
    if missing:
        names = ", ".join(map(repr, sorted(missing)))
        logger.warning("words that the model's vocabulary cannot write, and that therefore come last: %s", names)


def _only(request: Continuation, writable: Sequence[bool]) -> Continuation:
    words = tuple(word for word, can_write in zip(request.candidates, writable, strict=True) if can_write)
    return replace(request, candidates=words)


def log_inputs(scores: Path, questions: int) -> None:
    """Log how many model inputs answered the questions; without shared inputs, each question would need one."""
    total = pc.sum(pq.read_table(scores, columns=["inputs"])["inputs"]).as_py() or 0
    fewer = f", {questions / total:.1f} times fewer" if total else ""
    logger.info("%s model inputs answered %s questions%s", f"{total:,}", f"{questions:,}", fewer)
