"""The answers of a model to the probes: per pattern, the probability of every word.

A larger sample of groups asks only for the words that a smaller one has not asked for (stored.py).
"""

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
from relprobe.studies.definitions.ask.requests import SCORES
from relprobe.studies.definitions.ask.stored import Asked, Value

if TYPE_CHECKING:
    from relprobe.lm.settings import Model

logger = logging.getLogger("relprobe")

PART = 1024
"""Requests of one part of the file; a request has some 50 words."""


@dataclass(frozen=True)
class Answer:
    """A request, and for each of its words that is new, whether the model can write it.

    `response` is the response to the new words that the model can write, or None if there are none; `whole` holds the logs
    of these words' probabilities with their ends, if they were asked for.
    """

    asked: Asked
    writable: tuple[bool, ...]
    response: ContinuationResponse | None
    whole: tuple[float, ...] | None = None


def answer(model: Model, asked: Iterable[Asked], *, ends: bool = False) -> Iterator[Answer]:
    """Yield the answer to each request, in order. `ends`: a causal model says how likely words end, too.

    A masked model reads as many masks as the word has tokens; a causal one scores the tokens by the chain rule.
    """
    checked = [(one, _writable(model.encoder, one.new)) for one in asked]
    _warn(checked)
    needed = [_only(one.new, writable) for one, writable in checked if any(writable)]
    responses = continuation_logprob(model, needed)
    if ends:
        sums = [tuple(map(float, one.sums())) for one in continuation_logprob(model, needed, word_boundary=True)]
        wholes = iter(sums)
    for one, writable in checked:
        response = next(responses) if any(writable) else None
        yield Answer(one, writable, response, next(wholes) if ends and response else None)


def table(answers: Sequence[Answer], *, masked: bool) -> pa.Table:
    """Return the answers as a table (SCORES)."""
    rows = [_row(answer, masked) for answer in answers]
    return pl.DataFrame(rows, schema=SCORES, orient="row").to_arrow(compat_level=pl.CompatLevel.oldest())


def _row(answer: Answer, masked: bool) -> tuple[object, ...]:
    probe_id, pattern = answer.asked.request.id.split(" ")
    new = iter(_values(answer))
    values = [next(new) if stored is None else stored for stored in answer.asked.stored]
    columns = [list(column) for column in zip(*values, strict=True)]
    with_ends = answer.whole is not None or any(value is not None for value in columns[3])
    number = 0 if answer.response is None else inputs(answer.response, masked)
    return probe_id, pattern, *columns[:3], columns[3] if with_ends else None, number


def _values(answer: Answer) -> Iterator[Value]:
    """Yield the values of each new word; those of a word that the model cannot write are None."""
    response = answer.response
    sums = [] if response is None else response.sums().tolist()
    number = 0
    for can_write in answer.writable:
        if not can_write or response is None:
            yield None, None, None, None
            continue
        whole = None if answer.whole is None else answer.whole[number]
        yield sums[number], float(response.logprobs[number][0]), len(response.token_ids[number]), whole
        number += 1


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


def _writable(encoder: Encoder, request: Continuation) -> tuple[bool, ...]:
    return tuple(_can_write(encoder, request, word) for word in request.candidates)


def _can_write(encoder: Encoder, request: Continuation, word: str) -> bool:
    try:
        encoder.candidate(request.id, request.text, word)
    except ProbeError:
        return False
    return True


def _warn(checked: Iterable[tuple[Asked, Sequence[bool]]]) -> None:
    """Log the words that the model's vocabulary cannot write."""
    missing = {
        word
        for one, writable in checked
        for word, can_write in zip(one.new.candidates, writable, strict=True)
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
