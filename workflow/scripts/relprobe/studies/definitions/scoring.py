"""What a network answers: its scores of the probes, and its choices in words."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import polars as pl
import pyarrow as pa
import pyarrow.compute as pc

from relprobe.core.errors import ProbeError
from relprobe.core.files import parquet_columns
from relprobe.lm.chat_models.here import write_replies
from relprobe.lm.primitives.continuation import continuation_logprob
from relprobe.lm.requests import Continuation, ContinuationResponse
from relprobe.lm.score_files.parts import Scoring
from relprobe.lm.settings import ModelSettings
from relprobe.lm.words.encode import Encoder
from relprobe.studies.definitions.chat import questions
from relprobe.studies.definitions.patterns import Prompts
from relprobe.studies.definitions.probes import counts, requests
from relprobe.studies.definitions.schemas import SCORES, Groups, Probes
from relprobe.studies.letters import TOKENS

if TYPE_CHECKING:
    from relprobe.core.step import Call
    from relprobe.lm.settings import Model


# The answers of a model to the probes: per pattern, the probability of every word. What is stored is a single word's.


logger = logging.getLogger("relprobe")

PART = 50 * 1024
"""Words that are asked at a time; a definition in a pattern has some 50."""
WORDS = pa.schema(
    [
        ("logprob", pa.float32()),
        ("first", pa.float32()),
        ("tokens", pa.uint16()),
        ("whole", pa.float32()),
        ("inputs", pa.uint32()),
    ]
)
"""What is stored of a word: the values of SCORES, null where the model cannot write it. `inputs` are those of all words that
were asked together, and stand at the first of them."""


class Value(NamedTuple):
    """A row of WORDS."""

    logprob: float | None = None
    first: float | None = None
    tokens: int | None = None
    whole: float | None = None
    inputs: int = 0


def single_words(request: Continuation) -> list[Continuation]:
    """Return a request for each word of a request."""
    return [replace(request, candidates=(word,)) for word in request.candidates]


def question(request: Continuation) -> str:
    """Return the cache key of one (text, word) query; the definition's id is no part of it, as it depends on the sample.

    >>> question(Continuation("noun:0 is", "[V] is a bird", ("owl",)))
    "('[V] is a bird', ('owl',))"
    """
    return repr((request.text, request.candidates))


def answer(model: Model, asked: Iterable[Continuation], *, ends: bool = False) -> Iterator[Value]:
    """Yield the values of each single word, in order. `ends`: a causal model says how likely words end, too.

    Words of one definition that follow one another are asked together. A masked model reads as many masks as the word has
    tokens; a causal one scores the tokens by the chain rule.
    """
    checked = [(request, _writable(model.encoder, request)) for request in _group_words(asked)]
    _warn(checked)
    needed = [_only(request, writable) for request, writable in checked if any(writable)]
    responses = continuation_logprob(model, needed)
    if ends:
        sums = [
            tuple(map(float, response.sums())) for response in continuation_logprob(model, needed, word_boundary=True)
        ]
        wholes = iter(sums)
    for _, writable in checked:
        if not any(writable):
            yield from (Value() for _ in writable)
            continue
        values = iter(_values(next(responses), next(wholes) if ends else None, masked=model.encoder.masked))
        yield from (next(values) if can_write else Value() for can_write in writable)


def _group_words(asked: Iterable[Continuation]) -> Iterator[Continuation]:
    for _, words in groupby(asked, key=lambda request: (request.id, request.text)):
        same = list(words)
        yield replace(same[0], candidates=tuple(request.candidates[0] for request in same))


def _values(response: ContinuationResponse, wholes: Sequence[float] | None, *, masked: bool) -> Iterator[Value]:
    """Yield the values of the words of a response."""
    for number, total in enumerate(response.sums().tolist()):
        yield Value(
            total,
            float(response.logprobs[number][0]),
            len(response.token_ids[number]),
            None if wholes is None else wholes[number],
            0 if number else inputs(response, masked),
        )


def word_table(values: Sequence[Value]) -> pa.Table:
    """Return the values as a table (WORDS)."""
    columns = list(zip(*values, strict=True)) or [()] * len(WORDS)
    return pa.table([pa.array(column, field.type) for column, field in zip(columns, WORDS, strict=True)], schema=WORDS)


def table(words: pa.Table, requests: Sequence[Continuation]) -> pa.Table:
    """Return a row for each request (SCORES) from the rows of its words."""
    columns = [words[name].to_pylist() for name in WORDS.names]
    rows, start = [], 0
    for request in requests:
        stop = start + len(request.candidates)
        logprobs, first, tokens, ended, number = (column[start:stop] for column in columns)
        asked = any(value is not None for value in logprobs)  # otherwise the model can write none of the words
        ends = ended if not asked or any(value is not None for value in ended) else None
        rows.append((*request.id.split(" "), logprobs, first, tokens, ends, sum(number)))
        start = stop
    return pl.DataFrame(rows, schema=SCORES, orient="row").to_arrow(compat_level=pl.CompatLevel.oldest())


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
    total = pc.sum(parquet_columns(scores, ["inputs"])["inputs"]).as_py() or 0
    fewer = f", {questions / total:.1f} times fewer" if total else ""
    logger.info("%s model inputs answered %s questions%s", f"{total:,}", f"{questions:,}", fewer)


# Scoring: the words of every probe under the patterns for the model's type.


def scores(
    model: ModelSettings,
    probes: Path,
    prompts: Prompts,
    *,
    capitals: bool,
    word_boundary: bool = False,
    shots: int = 0,
    examples: dict[str, Any] | None = None,
) -> WordScores:
    """Score the words of every probe with a model, under the patterns for the model's type (section 2.2.1).

    `probes`: the file of PROBES, which is read in parts. `capitals`: a word at the beginning of a text gets a capital
    letter. `word_boundary`: a causal model says how likely the words end, too. `shots`: how many `examples` (part of speech
    -> pairs of word and definition) stand before a probe.
    """
    patterns = prompts["causal" if model.type == "causal" else "masked"]
    total, questions = counts(probes, patterns)
    read_requests = partial(requests, patterns=patterns, capitals=capitals, shots=shots, examples=examples)
    ends = word_boundary and model.type != "masked"
    scoring = Scoring(
        "definitions words",
        model,
        lambda: read_requests(probes),
        partial(answer, ends=ends),
        word_table,
        "definitions in patterns",
        PART,
        total,
        depends_on={"ends": True} if ends else None,
        key=question,
        old_key=question,
        split=single_words,
        join=table,
        unread=["inputs"],  # they depend on the words that are asked together
    )
    return WordScores(scoring, questions)


@dataclass(frozen=True)
class WordScores:
    """The scores of a model as the result of a step: they are computed while they are written.

    Words that an earlier run has asked about a definition are not asked again.
    """

    scoring: Scoring
    questions: int  # of the groups, that the requests answer

    def write(self, path: Path, call: Call) -> None:
        """Write the scores. They depend on the step's files and settings, and on the model; what is stored is not asked."""
        # The probes and the patterns show in the texts.
        replace(self.scoring, apart=[file.stem for file in call.files]).write(path, call)
        log_inputs(path, self.questions)


# The people's task for models on this machine, which write their choices.


def writing(
    model: ModelSettings,
    groups: Groups,
    probes: Probes,
    *,
    orders: int = 1,
    samples: int | None = None,
    large: bool = False,
) -> Scoring:
    """Ask a model in people's words which definition is a word's and which word is a definition's; it writes its answer."""
    asked = questions(model.conversation or {}, groups, probes, orders, large=large)
    return write_replies("definitions writing", model, asked, TOKENS, samples)
