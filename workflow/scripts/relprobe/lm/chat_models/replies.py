"""Replies: what a chat endpoint's completion says, without the thoughts of a reasoning model, and how it ended."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated, Any

import polars as pl

from relprobe.core.files import parquet
from relprobe.lm.words.thoughts import without_thoughts

ANSWER, LENGTH, REFUSAL, FILTER, EMPTY = "answer", "length limit", "refusal", "content filter", "empty answer"
"""How a reply ends: as the model ended it, at the limit of tokens, with a refusal, in a filter, or without any text."""
OUTCOMES = (ANSWER, LENGTH, REFUSAL, FILTER, EMPTY)

REPLIES = pl.Schema(
    {
        "question_id": pl.String(),  # such as the id of a probe
        "sample": pl.UInt8(),  # from 1
        "outcome": pl.String(),  # one of OUTCOMES
        "text": pl.String(),  # the reply without thoughts
        "prompt_tokens": pl.UInt32(),  # as the server counts them; null: it does not say
        "reply_tokens": pl.UInt32(),  # thoughts included
        "thought_tokens": pl.UInt32(),  # of these; where the server does not say, by the share of the characters
        "model": pl.String(),  # the name that the server returns
        "fingerprint": pl.String(),  # of its system, if it returns one
        "date": pl.Datetime("us", "UTC"),  # when the reply came
        "thought": pl.String(),  # what the model has thought before it; null: nothing, or it is not known
    }
)
Replies = Annotated[pl.DataFrame, parquet(REPLIES, "question_id", "sample")]

MOST_TOKENS = 2**24
"""The most tokens of a question or a reply: no model takes as many, so a higher count is none."""


class FormError(Exception):
    """An answer of a server has not the form of a chat completion."""


@dataclass(frozen=True)
class Reply:
    """A reply; the fields are the columns of REPLIES of their names."""

    outcome: str
    text: str
    prompt_tokens: int | None = None
    reply_tokens: int | None = None
    thought_tokens: int = 0
    model: str | None = None
    fingerprint: str | None = None
    date: datetime | None = None
    thought: str | None = None

    @property
    def tokens(self) -> int | None:
        """The tokens of the question and the reply; None: the server does not count both of them."""
        if self.prompt_tokens is None or self.reply_tokens is None:
            return None
        return self.prompt_tokens + self.reply_tokens


def reply_of(completion: Any) -> Reply:
    """Read the JSON of a chat completion. FormError: it is none.

    >>> choice = {"message": {"content": "bird"}, "finish_reason": "stop"}
    >>> reply = reply_of({"model": "gpt", "choices": [choice], "usage": {"prompt_tokens": 20, "completion_tokens": 1}})
    >>> reply.outcome, reply.text, reply.tokens
    ('answer', 'bird', 21)
    """
    try:
        choice = completion["choices"][0]
        message = choice["message"]
        written, model = _text(message.get("content")), completion["model"]
    except (TypeError, KeyError, IndexError, AttributeError) as error:
        raise FormError(f"its JSON is no chat completion ({type(error).__name__}: {error})") from error
    text, thought = without_thoughts(written)
    thought += _text(message.get("reasoning_content") or message.get("reasoning"))
    usage = _mapping(completion.get("usage"))
    replied = count_of(usage.get("completion_tokens"), least=1 if text or thought else 0)
    fingerprint = completion.get("system_fingerprint")
    return Reply(
        _outcome(choice.get("finish_reason"), message.get("refusal"), text),
        text,
        count_of(usage.get("prompt_tokens"), least=1),
        replied,
        _thought_tokens(usage, replied, thought, text),
        _writable(str(model)),
        _writable(fingerprint) if isinstance(fingerprint, str) else None,
        datetime.now(UTC),
        thought.strip() or None,
    )


def count_of(value: Any, least: int = 0) -> int | None:
    """Return a count of tokens that a server gives; None: it gives none, or a value that cannot be one.

    >>> count_of(20), count_of(5.0), count_of("20"), count_of(-3), count_of(2**40), count_of(True)
    (20, 5, None, None, None, None)
    >>> count_of(0), count_of(0, least=1)
    (0, None)
    """
    if isinstance(value, bool) or not isinstance(value, int | float) or value != value // 1:
        return None
    return int(value) if least <= value <= MOST_TOKENS else None


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _writable(text: str) -> str:
    """Return a text that files can hold: JSON can name halves of characters, which no encoding has."""
    return text.encode(errors="replace").decode()


def _text(content: Any) -> str:
    """Return the text of a message; some servers give a list of parts, and none where a model has only thought."""
    if isinstance(content, list):
        content = "".join(str(part.get("text", "")) for part in content if isinstance(part, Mapping))
    return _writable(content) if isinstance(content, str) else ""


def _outcome(reason: Any, refusal: Any, text: str) -> str:
    if reason == "content_filter":
        return FILTER
    if refusal:
        return REFUSAL
    if reason == "length":
        return LENGTH
    return ANSWER if text else EMPTY


def _thought_tokens(usage: Mapping[str, Any], replied: int | None, thought: str, text: str) -> int:
    """Return the tokens of the thoughts: as the server counts them, or else by their share of the characters."""
    counted = count_of(_mapping(usage.get("completion_tokens_details")).get("reasoning_tokens"))
    if counted is not None:
        return counted
    return round(replied * len(thought) / (len(thought) + len(text))) if replied and thought else 0
