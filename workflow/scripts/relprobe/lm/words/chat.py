"""Chat templates: what a tokenizer's template puts before a probe, and between a probe and its answer."""

import itertools
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, tzinfo
from typing import Any, Literal, Self
from unittest import mock

from jinja2.exceptions import TemplateError

from relprobe.core.errors import ModelError
from relprobe.lm.child import ChildError, in_child
from relprobe.lm.words.thoughts import END, OPENING, closing_of, open_thought

Chat = Literal["none", "true", "answer", "thinking"]
"""How a model is asked: without a template, with the probe as the beginning of its answer, or in words.

With "thinking" it is asked in words, and thinks before it answers.
"""
Conversation = Mapping[str, str]
"""The lines of a study: `system`, `instruction` (for "true") and `question` (for the others, with one PROBE)."""
Turns = Sequence[Mapping[str, Any]]
"""A conversation, a mapping with `role` and `content` for each turn; the content is a text, or a list of parts."""
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
RAW_PARTS = re.compile(r"""["']type["']: ?["']text["']""")
"""A list of parts that a template writes as it is."""
CLOSING = re.compile(r"<\|?/|\[/|◁/|<\|?end", re.IGNORECASE)
"""What closes something that a template has opened in whatever words."""


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

    A template without a system turn gets the system line at the beginning of the user's turn. The thought of a reasoning
    model is empty: `enable_thinking` is off, and a thought that the template opens is closed. With "thinking" the template
    ends where the thought begins, which it may open or leave to the model.
    ModelError: the tokenizer has no chat template, or the template does not fit (`answer_start`).

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
    question = conversation["question"].replace(PROBE, MARK)
    prompt = answer_start(tokenizer, conversation["system"], question, thinking=chat == "thinking")
    before, mark, after = prompt.partition(MARK)
    if not mark:
        raise ModelError(
            f"the chat template of {tokenizer.name_or_path} leaves out what the user says: use `chat: true`."
        )
    return Frame(before, after)


def answer_start(tokenizer: Any, system: str, user: str, *, thinking: bool = False) -> str:
    """Return a conversation up to the assistant's answer to the user or, with `thinking`, up to its thought.

    A template that knows no system turn, such as Gemma's, or that leaves out what it says gets the system line in the user's
    turn. A thought that the template opens is closed, but for `thinking`. The template is code of the model's author, so a
    child process fills it, which may take some seconds.
    ModelError: the template has no turn of the assistant, leaves out the system line or what the user says, or cannot be
    filled, whatever it does; with `thinking`, it closes each thought, or writes thoughts in words that are not known.
    """
    try:
        start = in_child(_written, tokenizer, system, user, thinking)
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
    return start


def _written(tokenizer: Any, system: str, user: str, thinking: bool) -> str | None:
    """Return what the template writes before the answer, or None. ValueError: it writes too much, or leaves something out.

    Most templates want texts, and those of models for images, too, a list of parts. Both the system line and what the user
    says must be in what is written, so that the template is tried in both ways, with and without a system turn.
    """
    with_system = [{"role": "system", "content": system}, {"role": "user", "content": user}]
    user_only = [{"role": "user", "content": f"{system}\n\n{user}"}]
    errors: list[Exception] = []
    for turns in (with_system, user_only, _in_parts(with_system), _in_parts(user_only)):
        try:
            start = _thought_start(tokenizer, turns, user) if thinking else _start(tokenizer, turns)
        except (
            TemplateError,
            TypeError,
            AttributeError,
            KeyError,
        ) as error:  # it wants another form, or no system turn
            errors.append(error)
            continue
        if start is None:
            continue
        if len(start) > LONGEST:
            raise ValueError(f"it writes {len(start):,} characters")
        if system.strip() in start and user.strip() in start and not RAW_PARTS.search(start):
            return start if thinking else _without_thought(tokenizer, turns, start, user)
        errors.append(ValueError("it leaves out what the user says, or what the system says"))
    if errors:
        raise next((error for error in errors if isinstance(error, ValueError)), errors[0])
    return None


def _in_parts(turns: Turns) -> Turns:
    return [{**turn, "content": [{"type": "text", "text": turn["content"]}]} for turn in turns]


def _start(tokenizer: Any, turns: Turns) -> str | None:
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


def _thought_start(tokenizer: Any, turns: Turns, user: str) -> str | None:
    """Return what the template writes before a thought, which it may open; None if it has no turn of the assistant.

    ValueError: it closes each thought, or writes before an answer, or opens a thought, in words that are not known.
    """
    settings = {"enable_thinking": True, "thinking": True}  # the two names that templates have
    start = _render(tokenizer, turns, add_generation_prompt=True, **settings)
    before = _before_answer(tokenizer, turns)
    if start == _render(tokenizer, turns, add_generation_prompt=False, **settings):
        return before
    tail = start.rpartition(user.strip())[2]
    if open_thought(tail):
        return start
    if END.search(tail):
        raise ValueError("it closes each thought: leave `thoughts` out")
    more = before.removeprefix(start) if before and before.startswith(start) else before or ""
    if more.strip() and not OPENING.match(more.strip()):
        raise ValueError("it marks thoughts in words that are not known: leave `thoughts` out")
    return start


def _without_thought(tokenizer: Any, turns: Turns, start: str, user: str) -> str:
    """Return the beginning of an answer in which a thought that the template opens is closed, as an empty one.

    What stands before no finished answer opens a thought in words that are not known, and is left out.
    """
    before = _before_answer(tokenizer, turns) or ""
    opening = OPENING.search(start, start.rindex(user.strip()) + len(user.strip()))
    if opening is None:
        same = itertools.takewhile(lambda pair: pair[0] == pair[1], zip(start, before, strict=False))
        opened = start[sum(1 for _ in same) :]
        return before if before and opened.strip() and not CLOSING.search(opened) else start
    closing, head = closing_of(opening), start[: opening.start()]
    if closing in start[opening.end() :]:
        return start
    remaining = before.removeprefix(head) if before.startswith(head) else ""
    gap = "\n\n" if opening[1] == "<" else ""
    return head + (remaining if closing in remaining else f"{opening[0]}{gap}{closing}{gap}{remaining}")


def _before_answer(tokenizer: Any, turns: Turns) -> str | None:
    """Return what a template writes before an answer that is there, or None if it leaves the answer out."""
    answer = [{"role": "assistant", "content": ANSWER}]
    answered = [*turns, *(_in_parts(answer) if isinstance(turns[-1]["content"], list) else answer)]
    before, mark, _ = _render(tokenizer, answered).rpartition(ANSWER)
    return before if mark else None


class _Today(datetime):
    """The clock of the templates, which transformers lets no argument replace."""

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> Self:
        return cls(TODAY.year, TODAY.month, TODAY.day, tzinfo=tz)


def _render(tokenizer: Any, turns: Turns, **settings: Any) -> str:
    from transformers.utils import chat_template_utils  # of a second, which a step that fills no template does not take

    with mock.patch.object(chat_template_utils, "datetime", _Today, create=True):
        return str(tokenizer.apply_chat_template(turns, **{"tokenize": False, "enable_thinking": False, **settings}))
