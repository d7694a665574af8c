"""The same tasks for models on this machine: they write replies by `generate`, in the form of those of a chat endpoint."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import polars as pl
import pyarrow as pa

from relprobe.lm.network.model import LanguageModel
from relprobe.lm.participants.interview import Question
from relprobe.lm.participants.replies import ANSWER, EMPTY, LENGTH, REPLIES, without_thoughts
from relprobe.lm.primitives.writing import Task, WrittenAnswers, write
from relprobe.lm.requests import SLOT
from relprobe.lm.score_files.parts import Scoring
from relprobe.lm.settings import ModelSettings
from relprobe.lm.words.chat import PROBE
from relprobe.lm.words.encode import Encoder

PART = 256
"""Questions of one part of the file."""


def write_replies(model: ModelSettings, questions: Sequence[Question], tokens: int, samples: int | None) -> Scoring:
    """Let a model write replies (REPLIES) to questions, with the likeliest token at every step or in random samples."""
    network, encoder = _network_and_encoder(model)
    todo = [Task(question.id, question.text) for question in questions]

    def answer(part: Iterable[Task]) -> Iterable[Any]:
        return write(network, encoder, part, tokens, samples)

    about = {"sent": {task.id: encoder.whole_text(f"{task.text} {SLOT}") for task in todo[:1]}}
    return Scoring(network, model, todo, answer, table, "questions", PART, about=about)


def _network_and_encoder(settings: ModelSettings) -> tuple[LanguageModel, Encoder]:
    """Load a model, with an encoder that puts a question into its chat template or, without `chat`, on lines of its own."""
    if settings.chat != "none":
        lines = {"system": (settings.conversation or {})["system"], "question": PROBE}
        model = replace(settings, chat="answer", conversation=lines).load_network()
        return model, model.encoder
    model = replace(settings, conversation=None).load_network()
    return model, replace(model.encoder, closing="\n")


def table(answers: Sequence[WrittenAnswers]) -> pa.Table:
    """Return what was written as replies; the answer of a model that has not ended it itself is cut off.

    >>> table([WrittenAnswers("x", ("B", "A or"), (True, False))]).select(["sample", "outcome", "text"]).to_pylist()[1]
    {'sample': 2, 'outcome': 'length limit', 'text': 'A or'}
    """
    rows = []
    for answer in answers:
        for number, (whole_text, whole) in enumerate(zip(answer.texts, answer.whole, strict=True), 1):
            text, _ = without_thoughts(whole_text)
            outcome = LENGTH if not whole else ANSWER if text else EMPTY
            rows.append({"question_id": answer.id, "sample": number, "outcome": outcome, "text": text})
    return pl.DataFrame(rows, schema=REPLIES).to_arrow(compat_level=pl.CompatLevel.oldest())
