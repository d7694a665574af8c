"""Asking a server: a prompt of token ids becomes a request, and its answer is checked for what shows in it."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from relprobe.core.errors import ProbeError
from relprobe.lm.served.client import Client
from relprobe.lm.served.dialect import (
    AnswerError,
    Prompt,
    TopList,
    echoed_prompt,
    model_name,
    prompt_body,
    prompt_logprobs,
    prompt_tokens,
    top_body,
    top_list,
)
from relprobe.lm.served.names import TokenNames
from relprobe.lm.witness import ALIKE, Witness
from relprobe.lm.words.encode import Encoder

logger = logging.getLogger("relprobe")
Result = TypeVar("Result")
Ids = tuple[int, ...]

EXCESS = 0.01
"""How far rounding may bring a sum of probabilities above 1."""
LACK = 0.05
"""How far rounding may bring a sum of probabilities below 1."""
SPARE = 1.25
"""How many times as many ids as tokens a network may have: some only pad its matrices."""


@dataclass
class Asking:
    """The model `name` of a server, with the encoder of its tokenizer, asked prompt by prompt.

    `takes_ids`: prompts are sent as token ids; else as texts, and each answer must say that the prompt has as many tokens
    as its ids. `facts`: the name and the version of the server. `other_models`: those that it lists. `witness`: the
    answers to fixed texts at the start, and `echoed` the log-probabilities of fixed prompts.
    """

    client: Client
    name: str
    encoder: Encoder
    names: TokenNames
    takes_ids: bool
    facts: dict[str, Any] = field(default_factory=dict)
    other_models: frozenset[str] = frozenset()
    witness: Witness = field(default_factory=list)
    echo: bool = False  # how a prompt's log-probabilities are asked for: OpenAI's way, or vLLM's
    echoed: dict[Ids, NDArray[np.float32]] = field(default_factory=dict, init=False)
    _answers_as: str = field(default="", init=False)  # the model that its answers name

    def ask_top(self, prompt: Ids, k: int, attempts: int | None = None) -> TopList:
        """Ask for the `k` likeliest tokens after one prompt."""

        def read(answer: Any) -> TopList:
            best = top_list(answer, self.names)
            lost = 0 if best.count == len(best.ids) else self.names.shared  # texts of several tokens
            if best.count < min(k, len(self.encoder.token_ids)) - lost:
                raise AnswerError(f"gives {best.count} of the {k} likeliest tokens that it is asked for")
            check_list(best, len(self.encoder.token_ids), lambda token: repr(self.encoder.tokenizer.decode([token])))
            return best

        return self._post(top_body(self.name, self._prompt(prompt), k), prompt, read, attempts)

    def ask_prompt(self, prompt: Ids, attempts: int | None = None) -> NDArray[np.float32]:
        """Ask for the log-probability of each token of one prompt."""
        body = prompt_body(self.name, self._prompt(prompt), echo=self.echo)
        return self._post(body, prompt, lambda answer: prompt_logprobs(answer, prompt, self.names), attempts)

    def _post(self, body: dict[str, Any], prompt: Ids, read: Callable[[Any], Result], attempts: int | None) -> Result:
        """Return what `read` takes from the answer; errors name the server, the model and the prompt."""
        answer = self.client.post("/completions", body, attempts)
        self._check_model(answer)
        self._check_prompt(answer, prompt)
        try:
            return read(answer)
        except AnswerError as error:
            raise AnswerError(f"{self} {error}, after {self._end(prompt)}: use another server or version.") from error

    def _check_model(self, answer: Any) -> None:
        """Check which model an answer names. Many servers have a name of their own for it, such as a path.

        AnswerError: it is another model that the server lists, or another one than in the answers before.
        """
        model = model_name(answer)
        if model is None or model == self._answers_as:
            return
        if model != self.name and model in self.other_models:
            raise AnswerError(
                f"{self} answers as {model!r}, which is another model of its list: start the server with {self.name!r}, or "
                f"write `name: {model}` if you mean that model."
            )
        if self._answers_as:
            raise AnswerError(
                f"{self} answers as {model!r}, but was {self._answers_as!r} before: the server has changed its model; let "
                "it serve one model until the run is done."
            )
        self._answers_as = model
        if model != self.name:
            logger.warning(
                "%s answers as %r, which is not in its list: check that this is the model that you mean", self, model
            )

    def _check_prompt(self, answer: Any, prompt: Ids) -> None:
        """Raise an AnswerError if an answer says that it belongs to another prompt, or to one of other tokens."""
        count = prompt_tokens(answer)
        if count not in (None, len(prompt)):
            reason = (  # once the server has answered the texts of the start
                "it answers another prompt: use another server or version"
                if self.witness
                else "it adds or leaves out special tokens such as BOS, or has another tokenizer: correct `bos` or the "
                "source of the tokenizer"
            )
            raise AnswerError(
                f"{self} makes {count} tokens of a prompt that has {len(prompt)}, {self._end(prompt)}: {reason}."
            )
        echoed = echoed_prompt(answer)
        if self.takes_ids and echoed not in (None, list(prompt)):
            raise AnswerError(
                f"{self} gives the answer to {self._end(tuple(echoed or ()))} where {self._end(prompt)} is asked: use "
                "another server or version."
            )

    def _prompt(self, ids: Ids) -> Prompt:
        """Return what is sent: the ids, or a text that the tokenizer turns into the same ids."""
        text = None if self.takes_ids else self._text(ids)
        if not self.can_send(ids):
            raise ProbeError(
                f"{self} takes texts only, and {self._end(ids)} has other tokens when it is written as one text: use a "
                "server that takes token ids, such as vLLM."
            )
        return list(ids) if text is None else text

    def can_send(self, ids: Ids) -> bool:
        """Return whether the server gets these ids: as they are, or from a text that the tokenizer turns into them."""
        if self.takes_ids:
            return True
        plain = list(ids[len(self.encoder.before) :])
        again: list[int] = self.encoder.tokenizer.backend_tokenizer.encode(
            self._text(ids), add_special_tokens=False
        ).ids
        return again == plain

    def _text(self, ids: Ids) -> str:
        plain = list(ids[len(self.encoder.before) :])  # the server adds special tokens itself
        text: str = self.encoder.tokenizer.backend_tokenizer.decode(plain, skip_special_tokens=False)
        return text

    def _end(self, ids: Ids) -> str:
        """Quote the end of a prompt."""
        return repr(self.encoder.tokenizer.decode(list(ids))[-60:])

    def __str__(self) -> str:
        return f"{self.name} at {self.client.endpoint}"


def check_list(listed: TopList, vocabulary: int, name: Callable[[int], str]) -> None:
    """Check what any list of likely tokens shows; `vocabulary` is the number of tokens, and `name` writes one.

    Its probabilities sum to at most 1. No token that it lacks is likelier than its last, and with all these tokens the sum
    reaches 1. It begins with the token that the server itself writes at temperature 0. AnswerError: one does not hold.

    Of ten tokens, two have 0.5 and 0.4; if two have 0.02 and 0.01, the other eight have 0.01 at most:

    >>> check_list(TopList(np.array([7, 8], np.int32), np.log([0.5, 0.4]).astype(np.float32), 2, 7), 10, str)
    >>> check_list(TopList(np.array([7, 8], np.int32), np.log([0.02, 0.01]).astype(np.float32), 2, 7), 10, str)
    Traceback (most recent call last):
    relprobe.lm.served.dialect.AnswerError: lacks likely tokens: those of its list have 0.03, and all others 0.105 at most
    """
    values = listed.logprobs.astype(float)
    total = float(np.exp(values).sum())
    if total > 1 + EXCESS:
        raise AnswerError(
            f"gives {len(values)} likeliest tokens whose probabilities sum to {total:.3g}, and no distribution exceeds 1"
        )
    unlisted = max(0.0, SPARE * vocabulary - len(values)) * float(np.exp(values[-1])) if len(values) else 1.0
    if len(values) == listed.count and total + unlisted < 1 - LACK:
        raise AnswerError(
            f"lacks likely tokens: those of its list have {total:.3g}, and all others {unlisted:.3g} at most"
        )
    first = {token for token, value in listed.values().items() if value >= values[0] - ALIKE}
    if listed.choice is not None and listed.choice not in first:
        raise AnswerError(
            f"writes {name(listed.choice)} at temperature 0, but {name(int(listed.ids[0]))} is the first of its list, as if "
            "it had sampling settings of its own"
        )
