"""What a server is sent and what it answers: the bodies of requests, and log-probabilities from the JSON of answers.

Servers agree on OpenAI's completions, but not on the rest. They name tokens by ids (vLLM, llama-server) or by texts, and
give the log-probabilities of a prompt as `prompt_logprobs` (vLLM), by `echo`, or not at all. What an answer holds shows its
form.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ParamSpec, TypeVar

import numpy as np
from numpy.typing import NDArray

from relprobe.core.errors import ModelError
from relprobe.lm.served.names import TokenNames

Given = ParamSpec("Given")
Read = TypeVar("Read")
ROUNDING = 1e-3
"""How far above 0 a rounded log-probability may be."""
LEAST = -1e4
"""Below it there are numbers that stand for log 0, such as vLLM's -9999."""


class AnswerError(ModelError):
    """An answer does not hold what was asked for, or holds numbers that are no log-probabilities."""


def _read_whatever_comes(reader: Callable[Given, Read]) -> Callable[Given, Read]:
    """Let a reader of answers end in an AnswerError where the JSON has another form than it goes through."""

    @functools.wraps(reader)
    def read(*arguments: Given.args, **named: Given.kwargs) -> Read:
        try:
            return reader(*arguments, **named)
        except (TypeError, KeyError, IndexError, AttributeError, ValueError, OverflowError) as error:
            raise AnswerError(f"gives an answer of another form ({type(error).__name__}: {error})") from error

    return read


@dataclass(frozen=True)
class TopList:
    """The likeliest next tokens of a prompt, best first, with natural-log probabilities; both have shape (K,).

    `count`: the tokens of the answer, some of which may have no known id. `choice`: the id of the token that the server
    wrote at temperature 0; None if it is not known.
    """

    ids: NDArray[np.int32]
    logprobs: NDArray[np.float32]
    count: int
    choice: int | None

    def values(self) -> dict[int, float]:
        """Return token id -> natural-log probability."""
        return dict(zip(self.ids.tolist(), self.logprobs.tolist(), strict=True))


Prompt = str | list[int]


def top_body(name: str, prompt: Prompt, k: int) -> dict[str, Any]:
    """Return the request for the `k` likeliest tokens after a prompt; servers pass over what they do not know in it."""
    return {**_body(name, prompt), "logprobs": k, "return_tokens_as_token_ids": True, "return_token_ids": True}


def prompt_body(name: str, prompt: Prompt, *, echo: bool) -> dict[str, Any]:
    """Return the request for the log-probability of each token of a prompt: OpenAI's `echo`, or vLLM's own."""
    asks = {"echo": True, "logprobs": 1, "return_tokens_as_token_ids": True} if echo else {"prompt_logprobs": 1}
    return {**_body(name, prompt), **asks}


def _body(name: str, prompt: Prompt) -> dict[str, Any]:
    return {"model": name, "prompt": prompt, "max_tokens": 1, "temperature": 0, "add_special_tokens": False}


@_read_whatever_comes
def prompt_tokens(answer: Any) -> int | None:
    """Return how many tokens the server says that the prompt has, or None if it does not say."""
    usage = answer.get("usage") if isinstance(answer, dict) else None
    count = usage.get("prompt_tokens") if isinstance(usage, dict) else None
    return count if isinstance(count, int) else None


@_read_whatever_comes
def model_name(answer: Any) -> str | None:
    """Return the name of the model that an answer comes from, or None if it does not say."""
    name = answer.get("model") if isinstance(answer, dict) else None
    return name if isinstance(name, str) and name else None


@_read_whatever_comes
def echoed_prompt(answer: Any) -> list[int] | None:
    """Return the token ids of the prompt that an answer belongs to, or None if it does not say; vLLM says so."""
    ids = _choice(answer).get("prompt_token_ids")
    return ids if isinstance(ids, list) else None


@_read_whatever_comes
def top_list(answer: Any, names: TokenNames) -> TopList:
    """Read the list of the first written token.

    AnswerError: there is none, or it holds what is no log-probability, or its tokens are not in the order of theirs. The
    written token may stand anywhere: servers add it before or after the others.
    """
    logprobs = _choice(answer).get("logprobs")
    if not isinstance(logprobs, dict):
        raise AnswerError("gives no `logprobs`")
    if content := logprobs.get("content"):  # llama-server
        pairs = [(_id_of(token, names), token.get("logprob")) for token in content[0].get("top_logprobs", [])]
        chosen = _id_of(content[0], names)
    elif tops := logprobs.get("top_logprobs"):
        if not isinstance(tops[0], dict):
            raise AnswerError("gives `top_logprobs` in a form that is not known here")
        pairs = [(names.id_of(name), value) for name, value in tops[0].items()]
        chosen = names.id_of((logprobs.get("tokens") or [""])[0])
    else:
        raise AnswerError("ended its answer before the first token, so it gives no list of likely tokens")
    numbers = _numbers([value for _, value in pairs])
    costs = [(-value, token_id) for (token_id, _), value in zip(pairs, numbers, strict=True) if token_id is not None]
    listed = [token_id for _, token_id in costs]
    for token_id in listed:
        if token_id < 0 or listed.count(token_id) > 1:
            what = f"gives {token_id} as" if token_id < 0 else f"lists {token_id} twice as"
            raise AnswerError(f"{what} the id of a likely token")
    ranked = [cost for cost, token_id in costs if token_id != chosen]
    if any(after < before - ROUNDING for before, after in itertools.pairwise(ranked)):
        raise AnswerError("gives a list of likely tokens that is not in their order")
    best = sorted(costs)
    ids = np.array([token_id for _, token_id in best], np.int32)
    return TopList(ids, np.array([-value for value, _ in best], np.float32), len(pairs), chosen)


@_read_whatever_comes
def prompt_logprobs(answer: Any, ids: Sequence[int], names: TokenNames) -> NDArray[np.float32]:
    """Read the log-probability of each token of the prompt `ids`, shape (tokens,); the first is NaN: nothing precedes it.

    AnswerError: the answer has none, or those of other tokens or of another number of tokens, or all of them are 0.
    """
    choice = _choice(answer)
    positions = choice.get("prompt_logprobs") or answer.get("prompt_logprobs")
    values = _position_values(positions, ids) if positions else _echoed_values(choice.get("logprobs"), ids, names)
    numbers = _numbers(values)
    if len(numbers) > 1 and not any(numbers):
        raise AnswerError("gives 0 as the log-probability of every token of the prompt")
    return np.array([math.nan, *numbers], np.float32)


def _position_values(positions: Sequence[Mapping[str, Any] | None], ids: Sequence[int]) -> list[Any]:
    if len(positions) != len(ids):
        raise AnswerError(f"gives log-probabilities of {len(positions)} tokens of a prompt that has {len(ids)}")
    cells = [(position or {}).get(str(token_id)) for position, token_id in zip(positions[1:], ids[1:], strict=True)]
    if not all(isinstance(cell, dict) for cell in cells):
        raise AnswerError("gives no log-probability of a token of the prompt")
    return [cell["logprob"] for cell in cells if cell is not None]


def _echoed_values(logprobs: Any, ids: Sequence[int], names: TokenNames) -> list[Any]:
    values = logprobs.get("token_logprobs") if isinstance(logprobs, dict) else None
    if not values or len(values) <= 1 < len(ids):
        raise AnswerError("gives no log-probabilities of the prompt")
    if len(values) not in (len(ids), len(ids) + 1):
        raise AnswerError(f"gives log-probabilities of {len(values)} tokens of a prompt that has {len(ids)}")
    for name, token_id in zip(logprobs.get("tokens", []), ids, strict=False):
        if names.id_of(name) not in (None, token_id):
            raise AnswerError(f"echoes the token {name!r} where the prompt has the token {token_id}")
    return values[1 : len(ids)]


def _choice(answer: Any) -> Mapping[str, Any]:
    choices = answer.get("choices") if isinstance(answer, dict) else None
    if not isinstance(choices, list) or not choices or not isinstance(choices[0], dict):
        raise AnswerError("gives no `choices`")
    return choices[0]


def _id_of(entry: Mapping[str, Any], names: TokenNames) -> int | None:
    token_id = entry.get("id")
    return (
        token_id
        if isinstance(token_id, int) and not isinstance(token_id, bool)
        else names.id_of(str(entry.get("token")))
    )


def _numbers(values: Sequence[Any]) -> list[float]:
    """Return log-probabilities as numbers, those of probability 0 at least LEAST. AnswerError: one is none.

    JSON has no number for the logarithm of 0, so that a null among numbers stands for it.
    """
    if any(value is not None for value in values):
        values = [LEAST if value is None else value for value in values]
    for value in values:
        if isinstance(value, bool) or not isinstance(value, int | float) or math.isnan(value) or value > ROUNDING:
            raise AnswerError(f"gives {value!r} as a log-probability")
    return [min(max(float(value), LEAST), 0.0) for value in values]
