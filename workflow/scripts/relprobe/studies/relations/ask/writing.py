"""The people's task for models: a model writes up to five words to a probe, which are read strictly."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import polars as pl
import pyarrow as pa

from relprobe.lm.network.model import LanguageModel
from relprobe.lm.primitives.writing import Task, Written, write
from relprobe.lm.score_files.parts import Scoring
from relprobe.lm.settings import ModelSettings
from relprobe.lm.words.chat import PROBE
from relprobe.lm.words.encode import Encoder
from relprobe.lm.words.lexicon import Lexicon
from relprobe.studies.relations.ask.prompts import DETERMINER, SLOT
from relprobe.studies.relations.ask.requests import Probes, answerable
from relprobe.studies.relations.schemas import WRITING

WORDS = 5
"""The most words of an answer, as the participants had five fields."""
TOKENS = 48
"""The most tokens of an answer: five words of several tokens, numbered and on lines of their own."""
PART = 256
"""Tasks of one part of the file."""
EITHER = "a(n)"
"""The article before the slot: the participants were told that either would do (section 6.1)."""
MARKER = re.compile(r"^(\d+[.)]|[-*•])\s*")
ARTICLE = re.compile(r"^(an?|the)\s+")
WORD = re.compile(r"[a-z]+(-[a-z]+)*")


def tasks(probes: pl.DataFrame) -> Iterator[Task]:
    """Yield a task per main probe: its text up to the slot, which people have not seen either.

    >>> text = "a robin is a kind of [DET] [V]"
    >>> [task.text for task in tasks(pl.DataFrame({"probe_id": ["x"], "text": [text], "kind": ["main"]}))]
    ['a robin is a kind of a(n)']
    """
    for probe_id, text in probes.filter(kind="main").select("probe_id", "text").iter_rows():
        yield Task(probe_id, text.replace(DETERMINER, EITHER).removesuffix(SLOT).rstrip())


def read_words(text: str, *, whole: bool) -> tuple[list[str], int]:
    r"""Return the words of an answer, at most WORDS, and the number of entries that are no word.

    Entries stand on lines of their own or between commas, and end at an empty line. A number or a dash before an entry, an
    article and a full stop are left out, and capital letters become small. An entry that is not one word then, such as
    "a small bird", cannot be read. `whole`: the model has ended the answer itself; if not, its last entry may be cut off and
    cannot be read.

    >>> read_words("1. Bird\n2. a small animal\n3. pets.", whole=True)
    (['bird', 'pets'], 1)
    >>> read_words("bird, ani", whole=False)
    (['bird'], 1)
    """
    first, _, rest = text.strip().partition("\n\n")
    entries = [entry.strip() for entry in re.split(r"[\n,;]", first) if entry.strip()]
    words: list[str] = []
    unreadable = 0
    for number, entry in enumerate(entries, 1):
        if len(words) == WORDS:
            break
        word = ARTICLE.sub("", MARKER.sub("", entry).strip(" .\"'").lower())
        cut_off = number == len(entries) and not (whole or rest)
        if WORD.fullmatch(word) and not cut_off:
            words.append(word)
        else:
            unreadable += 1
    return words, unreadable


def table(answers: Sequence[Written]) -> pa.Table:
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
    network, encoder = asked(model)

    def answer(part: Any) -> Any:
        return write(network, encoder, part, TOKENS, samples)

    about = {"sent": {task.id: encoder.sent(f"{task.text} {SLOT}") for task in todo[:1]}}
    return Scoring(network, model, todo, answer, table, "probes", PART, about=about)


def asked(settings: ModelSettings) -> tuple[LanguageModel, Encoder]:
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
