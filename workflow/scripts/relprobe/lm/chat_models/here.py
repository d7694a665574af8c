"""The same tasks for models on this machine: they write replies by `generate`, in the form of those of a chat endpoint."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

import polars as pl
import pyarrow as pa

from relprobe.lm.chat_models.interview import Question
from relprobe.lm.chat_models.replies import ANSWER, EMPTY, LENGTH, REPLIES
from relprobe.lm.network.model import LanguageModel
from relprobe.lm.primitives.writing import Task, WrittenAnswers, write
from relprobe.lm.requests import SLOT
from relprobe.lm.score_files.parts import Scoring
from relprobe.lm.settings import ModelSettings
from relprobe.lm.words.chat import PROBE
from relprobe.lm.words.encode import Encoder
from relprobe.lm.words.thoughts import without_thoughts

PART = 256
"""Questions of one part of the file."""


def write_replies(
    kind: str, model: ModelSettings, questions: Sequence[Question], tokens: int, samples: int | None
) -> Scoring:
    """Let a model write replies (REPLIES) to questions, with the likeliest token at every step or in random samples.

    `kind`: what is stored (`Scoring`). In a chat a question stands in the model's template, and else on lines of its own. A
    model with `thoughts` thinks before it answers.
    """
    todo = [Task(question.id, question.text) for question in questions]
    if model.chat == "none":
        settings = replace(model, conversation=None)
        return writing(kind, settings, todo, table, "questions", PART, tokens, samples, closing="\n")
    lines = {"system": (model.conversation or {})["system"], "question": PROBE}
    settings = in_words(model, lines)
    return writing(kind, settings, todo, table, "questions", PART, tokens, samples)


def in_words(model: ModelSettings, lines: dict[str, str]) -> ModelSettings:
    """Return a model that is asked in its chat template with the lines of a study, and thinks first if it has `thoughts`."""
    return replace(model, chat="thinking" if model.thoughts else "answer", conversation=lines)


def writing(
    kind: str,
    settings: ModelSettings,
    todo: Sequence[Task],
    table: Callable[[Sequence[WrittenAnswers]], pa.Table],
    what: str,
    part: int,
    tokens: int,
    samples: int | None,
    *,
    beginning: str = "",
    closing: str | None = None,
) -> Scoring:
    """Return what a model writes to tasks, in up to `tokens` tokens, as the result of a step.

    `beginning` stands between the context of the model and a task, and `closing`, if it is given, after the task. The
    metadata also hold what exactly was sent for the first task (`sent`).
    """

    def around(encoder: Encoder) -> Encoder:
        framed = replace(encoder, context=encoder.context + beginning)
        return framed if closing is None else replace(framed, closing=closing)

    def answer(model: LanguageModel, part: Iterable[Task]) -> Iterable[Any]:
        return write(model, around(model.encoder), part, tokens, samples, settings.thoughts)

    encoder = around(settings.encoder)
    sent = {task.id: encoder.whole_text(f"{task.text} {SLOT}") for task in todo[:1]}
    depends_on: dict[str, Any] = {"tokens": tokens, "around": [encoder.context, encoder.closing]}
    depends_on |= {"thoughts": settings.thoughts} if settings.thoughts else {}
    return Scoring(
        kind,
        settings,
        todo,
        answer,
        table,
        what,
        part,
        metadata={"sent": sent},
        depends_on=depends_on,
        drawn=bool(samples),
    )


def table(answers: Sequence[WrittenAnswers]) -> pa.Table:
    """Return what was written as replies; the answer of a model that has not ended it itself is cut off.

    >>> table([WrittenAnswers("x", ("B", "A or"), (True, False))]).select(["sample", "outcome", "text"]).to_pylist()[1]
    {'sample': 2, 'outcome': 'length limit', 'text': 'A or'}
    >>> thinking = WrittenAnswers("x", ("B",), (True,), ("<think>So: B.</think>",), (8,))
    >>> table([thinking]).select(["text", "thought", "thought_tokens"]).to_pylist()
    [{'text': 'B', 'thought': 'So: B.', 'thought_tokens': 8}]
    """
    rows = []
    for answer in answers:
        for number, (whole_text, complete) in enumerate(zip(answer.texts, answer.complete, strict=True)):
            text, thought = without_thoughts(whole_text)
            tokens = None
            if answer.thoughts:
                thought, tokens = without_thoughts(answer.thoughts[number])[1], answer.lengths[number]
            outcome = LENGTH if not complete else ANSWER if text else EMPTY
            rows.append(
                {
                    "question_id": answer.id,
                    "sample": number + 1,
                    "outcome": outcome,
                    "text": text,
                    "thought": thought.strip() or None,
                    "thought_tokens": tokens,
                }
            )
    return pl.DataFrame(rows, schema=REPLIES).to_arrow(compat_level=pl.CompatLevel.oldest())
