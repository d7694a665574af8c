"""Questions that a model on this machine answers in words: how they are framed, and what becomes of the answers."""

from dataclasses import dataclass
from typing import Any

import pytest
from relprobe.lm.chat_models import here
from relprobe.lm.chat_models.here import table, write_replies, writing
from relprobe.lm.loading.example import bigram_model
from relprobe.lm.primitives.writing import Task, WrittenAnswers

MODEL = bigram_model({"a": {"bird": 1}, "bird": {"a": 1}})


@dataclass(frozen=True)
class Settings:
    """What is read of a model's settings."""

    encoder: Any = MODEL.encoder
    conversation: Any = None
    chat: str = "none"
    thoughts: int = 0


@dataclass(frozen=True)
class Asked:
    id: str
    text: str


QUESTIONS = [Asked("p", "a bird"), Asked("q", "bird")]


def test_a_question_without_a_chat_stands_on_a_line_of_its_own():
    """The conversation of the configuration is that of a chat, and is left out."""
    asked = write_replies("pairs writing", Settings(conversation={"system": "x"}), QUESTIONS, 30, None)
    assert (asked.kind, asked.what, asked.part, asked.drawn) == ("pairs writing", "questions", 256, False)
    assert asked.requests == [Task("p", "a bird"), Task("q", "bird")]
    assert asked.model.conversation is None
    assert asked.depends_on == {"tokens": 30, "around": [MODEL.encoder.context, "\n"]}
    assert list(asked.metadata["sent"]) == ["p"]
    assert write_replies("k", Settings(), QUESTIONS, 30, 4).drawn is True
    assert write_replies("k", Settings(), [], 30, None).metadata == {"sent": {}}


@pytest.mark.parametrize(("thoughts", "chat"), [(0, "answer"), (500, "thinking")])
def test_in_a_chat_a_question_is_the_whole_turn(monkeypatch, thoughts, chat):
    seen = []
    monkeypatch.setattr(here, "writing", lambda kind, model, *rest, **more: seen.append((kind, model, rest, more)))
    model = Settings(conversation={"system": "Answer.", "question": "Complete: …"}, chat="answer", thoughts=thoughts)
    write_replies("pairs writing", model, QUESTIONS, 30, 2)
    ((kind, settings, rest, more),) = seen
    assert (kind, settings.chat, rest[-2:], more) == ("pairs writing", chat, (30, 2), {})
    assert settings.conversation == {"system": "Answer.", "question": here.PROBE}


def test_what_stands_around_a_task_and_how_long_a_model_may_think_belong_to_the_answer():
    todo = [Task("p", "a bird")]
    plain = writing("k", Settings(), todo, table, "tasks", 8, 5, None)
    assert plain.depends_on == {"tokens": 5, "around": [MODEL.encoder.context, MODEL.encoder.closing]}
    framed = writing("k", Settings(thoughts=9), todo, table, "tasks", 8, 5, None, beginning="a ", closing=".")
    assert framed.depends_on == {"tokens": 5, "around": [f"{MODEL.encoder.context}a ", "."], "thoughts": 9}


def test_written_answers_become_replies_in_full():
    """One that the model did not end is cut off, an empty one is none, and a thought stands apart with its tokens."""
    plain = WrittenAnswers("p", ("bird", "bir", "", "<think>So.</think>"), (True, False, True, True))
    thinking = WrittenAnswers("q", ("bird",), (True,), ("<think> So. </think>",), (7,))
    columns = ["question_id", "sample", "outcome", "text", "thought", "thought_tokens"]
    assert [tuple(row.values()) for row in table([plain, thinking]).select(columns).to_pylist()] == [
        ("p", 1, "answer", "bird", None, None),
        ("p", 2, "length limit", "bir", None, None),
        ("p", 3, here.EMPTY, "", None, None),
        ("p", 4, here.EMPTY, "", "So.", None),
        ("q", 1, "answer", "bird", "So.", 7),
    ]
