"""The people's task for models: a model writes up to five words to a probe, which are read strictly."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import polars as pl
import pyarrow as pa

from relprobe.lm.network.model import LanguageModel
from relprobe.lm.primitives.writing import Task, WrittenAnswers, write
from relprobe.lm.score_files.parts import Scoring
from relprobe.lm.settings import ModelSettings
from relprobe.lm.words.chat import PROBE
from relprobe.lm.words.encode import Encoder
from relprobe.lm.words.lexicon import Lexicon
from relprobe.studies.relations.ask.lists import TOKENS, beginnings, read_words
from relprobe.studies.relations.ask.prompts import SLOT
from relprobe.studies.relations.ask.requests import answerable
from relprobe.studies.relations.schemas import WRITING, Probes

PART = 256
"""Tasks of one part of the file."""


def tasks(probes: pl.DataFrame) -> Iterator[Task]:
    """Yield a task per main probe: its text up to the slot.

    >>> text = "a robin is a kind of [DET] [V]"
    >>> [task.text for task in tasks(pl.DataFrame({"probe_id": ["x"], "text": [text], "kind": ["main"]}))]
    ['a robin is a kind of a(n)']
    """
    return (Task(probe_id, text) for probe_id, text in beginnings(probes))


def table(answers: Sequence[WrittenAnswers]) -> pa.Table:
    """Return the answers as a table (WRITING)."""
    rows = [
        (answer.id, number, text, *read_words(text, whole=whole))
        for answer in answers
        for number, (text, whole) in enumerate(zip(answer.texts, answer.whole, strict=True), 1)
    ]
    return pl.DataFrame(rows, schema=WRITING, orient="row").to_arrow(compat_level=pl.CompatLevel.oldest())


def writing(model: ModelSettings, probes: Probes, lexicon: Lexicon, *, samples: int | None = None) -> Scoring:
    """Let a model write up to five words to every main probe, as the participants did (section 6.1).

    Without `samples` it writes one answer, with the likeliest token at every step; with a number, so many random answers.
    """
    todo = list(tasks(answerable(probes, lexicon, model.type)))
    network, encoder = load_writer(model)

    def answer(part: Any) -> Any:
        return write(network, encoder, part, TOKENS, samples)

    about = {"sent": {task.id: encoder.whole_text(f"{task.text} {SLOT}") for task in todo[:1]}}
    return Scoring(network, model, todo, answer, table, "probes", PART, about=about)


def load_writer(settings: ModelSettings) -> tuple[LanguageModel, Encoder]:
    """Load a model, and return it with an encoder that puts the task's words around a probe.

    With `chat: true` they stand in the model's chat template, and otherwise as plain text.
    """
    lines = dict(settings.conversation or {})
    if settings.chat != "none":
        model = replace(settings, chat="answer", conversation={**lines, "question": lines["list"]}).load_network()
        return model, model.encoder
    model = replace(settings, conversation=None).load_network()
    before, _, after = lines["list"].partition(PROBE)
    return model, replace(model.encoder, context=model.encoder.context + before, closing=f"{after}\n")
