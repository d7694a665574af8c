"""Chat templates: what a tokenizer's template puts before a probe, and between a probe and its answer."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, tzinfo
from typing import Any, Literal, Self
from unittest import mock

from jinja2.exceptions import TemplateError

from relprobe.core.errors import ModelError
from relprobe.lm.child import ChildError, in_child

Chat = Literal["none", "true", "answer"]
"""How a model is asked: without a template, with the probe as the beginning of its answer, or in words."""
Conversation = Mapping[str, str]
"""The lines of a study: `system`, `instruction` (for "true") and `question` (for "answer", with one PROBE)."""
PROBE = "[PROBE]"
"""Where the probe stands in a question."""
MARK = "relprobe0mark"
"""A text that no template holds. It shows where a template puts a message."""
ANSWER = "relprobe1mark"
"""The same for an answer."""
LONGEST = 1_000_000
"""The most characters that a template may write; templates with dates and tools write some thousands."""
TODAY = date(2024, 7, 26)
"""The date that templates get for today's, as Llama 3's writes one: a model is asked the same on every day."""
OPEN_THOUGHT = re.compile(r"<(think|thinking|thought|reasoning)>\s*\Z")


@dataclass(frozen=True)
class Frame:
    """The text of a conversation around a probe, special tokens included.

    An example of "true": `before` is "<user>Complete the sentence.<assistant>", and the probe begins the answer. An example
    of "answer": `before` is "<user>Complete the sentence: ", and `after` is "<assistant>", which comes before the answer.
    """

    before: str
    after: str = ""


def frame(tokenizer: Any, conversation: Conversation, chat: Chat) -> Frame:
    """Return the frame that a tokenizer's chat template gives the probes of a study.

    A template without a system turn gets the system line at the beginning of the user's turn. The thinking of a reasoning
    model is empty: `enable_thinking` is off, and a thought that the template opens is closed.
    ModelError: the tokenizer has no chat template, or the template has no turn of the assistant.

    >>> frame(None, {}, "none")
    Frame(before='', after='')
    """
    if chat == "none":
        return Frame("")
    if not tokenizer.chat_template:
        raise ModelError(
            f"the tokenizer of {tokenizer.name_or_path} has no chat template: leave `chat` out, or name an "
            "instruction-tuned model."
        )
    if chat == "true":
        return Frame(answer_start(tokenizer, conversation["system"], conversation["instruction"]))
    whole = answer_start(tokenizer, conversation["system"], conversation["question"].replace(PROBE, MARK))
    before, mark, after = whole.partition(MARK)
    if not mark:
        raise ModelError(
            f"the chat template of {tokenizer.name_or_path} leaves out what the user says: use `chat: true`."
        )
    return Frame(before, after)


def answer_start(tokenizer: Any, system: str, user: str) -> str:
    """Return a conversation up to the first character of the assistant's answer to the user.

    A template that knows no system turn, such as Gemma's, or that leaves out what it says gets the system line in the user's
    turn. The template is code of the model's author, so that a child process fills it, which may take some seconds.
    ModelError: the template has no turn of the assistant, or it cannot be filled, whatever it does.
    """
    try:
        start = in_child(_written, tokenizer, system, user)
    except ChildError as error:
        raise ModelError(
            f"the chat template of {tokenizer.name_or_path} cannot be filled ({error}): leave `chat` out, or correct the "
            "template."
        ) from error
    if start is None:
        raise ModelError(
            f"the chat template of {tokenizer.name_or_path} has no turn of the assistant: leave `chat` out, or correct "
            "the template."
        )
    thought = OPEN_THOUGHT.search(start)
    return f"{start[: thought.start()]}<{thought[1]}>\n\n</{thought[1]}>\n\n" if thought else start


def _written(tokenizer: Any, system: str, user: str) -> str | None:
    """Return what the template writes before the answer, or None. ValueError: it writes too much."""
    turns = [{"role": "system", "content": system}, {"role": "user", "content": user}]
    if not _shows_system(tokenizer):
        turns = [{"role": "user", "content": f"{system}\n\n{user}"}]
    start = _start(tokenizer, turns)
    if start is not None and len(start) > LONGEST:
        raise ValueError(f"it writes {len(start):,} characters")
    return start


def _shows_system(tokenizer: Any) -> bool:
    """Say whether a template writes what the system says."""
    try:
        return MARK in _render(tokenizer, [{"role": "system", "content": MARK}, {"role": "user", "content": "x"}])
    except TemplateError:  # it knows no system turn
        return False


def _start(tokenizer: Any, turns: Sequence[Mapping[str, str]]) -> str | None:
    """Return what the template writes before the answer, or None if it writes no answer.

    Most templates have a beginning of the assistant's turn. Others, such as Llama 2's, begin the answer where the user's
    turn ends; then the text before a marked answer is taken. So is it where the template writes more before an answer than
    the beginning of the turn, such as gpt-oss's "<|channel|>final<|message|>".
    """
    without, start = (_render(tokenizer, turns, add_generation_prompt=prompt) for prompt in (False, True))
    before = _before_answer(tokenizer, turns)
    if start == without or not start.startswith(without):
        return before
    more = before.removeprefix(start) if before and before.startswith(start) else ""
    return start + more if more.strip() else start


def _before_answer(tokenizer: Any, turns: Sequence[Mapping[str, str]]) -> str | None:
    """Return what a template writes before an answer that is there, or None if it leaves the answer out."""
    before, mark, _ = _render(tokenizer, [*turns, {"role": "assistant", "content": ANSWER}]).rpartition(ANSWER)
    return before if mark else None


class _Today(datetime):
    """The clock of the templates, which transformers lets no argument replace."""

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> Self:
        return cls(TODAY.year, TODAY.month, TODAY.day, tzinfo=tz)


def _render(tokenizer: Any, turns: Sequence[Mapping[str, str]], **settings: Any) -> str:
    from transformers.utils import chat_template_utils  # of a second, which a step that fills no template does not take

    with mock.patch.object(chat_template_utils, "datetime", _Today, create=True):
        return str(tokenizer.apply_chat_template(turns, tokenize=False, enable_thinking=False, **settings))
