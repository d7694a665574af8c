"""The client of a chat endpoint: one question, attempts with growing waits, and a count of each."""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Self

import tenacity

from relprobe.core.errors import ModelError
from relprobe.lm.chat_models.replies import FILTER, FormError, Reply, reply_of
from relprobe.lm.chat_models.spending import Spending
from relprobe.lm.http import AbsentError, Http, HttpAnswer, LateError
from relprobe.lm.retries import (
    FIRST_ERROR,
    FIRST_MOVE,
    PassingError,
    check_wait,
    log_wait,
    quote,
    redirection,
    seconds_asked,
    wait,
)
from relprobe.lm.served.key import checked_key

logger = logging.getLogger("relprobe")

ATTEMPTS = 8
"""How often a question is sent in all, if no attempt is answered."""
LARGEST_ANSWER = 2**24
"""The most bytes of an answer: a reply of a hundred thousand tokens takes a thirtieth of it."""
OVERHEAD = 64
"""The most tokens that a chat template adds to a message."""
RATE, SERVER, BROKEN, LATE, ABSENT = "rate limit", "server error", "broken answer", "late answer", "no connection"
"""Why an attempt has failed in a way that may pass."""
REJECTION, RENAME = "rejection", "other name of max_tokens"
"""Why a request was refused for good, or with a word that tells how to send it."""
FAILURES = (RATE, SERVER, BROKEN, LATE, ABSENT, REJECTION, RENAME)
BUSY = (408, 409, 425, 429)
"""The statuses below 500 after which another attempt may succeed."""
OLD_NAME, NEW_NAME = "max_tokens", "max_completion_tokens"
"""The two names of the most tokens of a reply. Servers know the old one, but OpenAI's reasoning models refuse it."""


class _AnsweredError(PassingError):
    """An attempt that the server has answered with an error that may pass."""


class _RenameError(Exception):
    """The server refuses the old name of the most tokens."""


class ChatClient:
    """A model `name` at a chat endpoint, until the end of the block. Several threads may use one client.

    `key` goes into the header of each request and nowhere else: what an error quotes of a server is free of it. `timeout_s`:
    the seconds that a whole answer may take, from the request to its last byte. `more`: further keys of each request.
    `spending` counts every request, and refuses those beyond the limits. `sleep` waits before another attempt.
    """

    def __init__(
        self,
        endpoint: str,
        key: str | None,
        name: str,
        spending: Spending,
        *,
        timeout_s: float = 120.0,
        attempts: int = ATTEMPTS,
        more: Mapping[str, Any] | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        checked = checked_key(key, f"the key of {endpoint}") if key else "none"
        self._http = Http(checked, timeout_s, LARGEST_ANSWER)
        self._endpoint, self._key, self._name, self._spending = endpoint, key, name, spending
        self._attempts, self._more, self._sleep = attempts, dict(more or {}), sleep
        self._length = OLD_NAME  # the name of the most tokens
        self._reached = False  # whether a server has answered anything

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._http.close()

    def reply(self, messages: Sequence[Mapping[str, str]], tokens: int, temperature: float) -> Reply:
        """Return the reply to a conversation, in up to `tokens` tokens.

        ModelError: no answer after all attempts, or the server refuses the question. LimitError: the limits are reached.
        """
        try:
            return self._in_attempts(messages, tokens, temperature)
        except _RenameError:
            # Other threads may have been refused at the same time: each of them sends its question with the new name, too.
            self._length = NEW_NAME
            return self._in_attempts(messages, tokens, temperature)

    def _in_attempts(self, messages: Sequence[Mapping[str, str]], tokens: int, temperature: float) -> Reply:
        retrying = tenacity.Retrying(
            sleep=self._sleep,
            retry=tenacity.retry_if_exception(self._may_pass),
            stop=tenacity.stop_after_attempt(self._attempts),
            wait=wait,
            before_sleep=log_wait,
            reraise=True,
        )
        try:
            return retrying(self._try, messages, tokens, temperature)
        except AbsentError as error:
            if self._reached:
                raise self._gave_up(error) from error
            raise ModelError(
                f"there is no server at {self._endpoint} ({error}): start it, correct `endpoint`, or connect this machine "
                "to the network."
            ) from error
        except PassingError as error:
            raise self._gave_up(error) from error

    def _may_pass(self, error: BaseException) -> bool:
        """Return whether another attempt may succeed; where no server has answered yet, there is none."""
        return isinstance(error, PassingError) and (self._reached or not isinstance(error, AbsentError))

    def _gave_up(self, error: PassingError) -> ModelError:
        return ModelError(
            f"the server at {self._endpoint} was asked {self._attempts} times and did not answer ({error}): lower "
            "`concurrency` or raise `timeout`, and run again to continue; what was answered is stored."
        )

    def _try(self, messages: Sequence[Mapping[str, str]], tokens: int, temperature: float) -> Reply:
        """Send a question once, and note what came of it."""
        name = self._length
        body = {"model": self._name, "messages": list(messages), name: tokens, "temperature": temperature, **self._more}
        request = self._spending.reserve(most_tokens(messages, tokens))
        try:
            answer = self._http.send("POST", f"{self._endpoint.rstrip('/')}/chat/completions", body)
            self._reached = True
            if answer.status >= FIRST_MOVE:
                return self._refused(request, answer, name)
            reply = self._reply_in(request, answer)
        except AbsentError as error:
            self._spending.settle(request, ABSENT, 0)
            raise AbsentError(quote(str(error), self._key)) from error
        except _AnsweredError as error:
            raise PassingError(str(error), error.wait_s) from error
        except PassingError as error:
            self._spending.settle(request, LATE if isinstance(error, LateError) else BROKEN, None)
            raise PassingError(quote(str(error), self._key)) from error
        except (ValueError, FormError) as error:  # another JSON, or no such address
            self._spending.settle(request, BROKEN, None)
            raise PassingError(f"its answer is broken: {quote(str(error), self._key)}") from error
        self._spending.settle(request, reply.outcome, reply.tokens, _counts(reply))
        return reply

    def _reply_in(self, request: str, answer: HttpAnswer) -> Reply:
        """Return the reply of an answer. ModelError: it is no JSON, as a page of another server is none."""
        try:
            return reply_of(answer.json(self._endpoint, self._key))
        except ModelError:
            self._spending.settle(request, BROKEN, None)
            raise

    def _refused(self, request: str, answer: HttpAnswer, name: str) -> Reply:
        """Return the reply of a content filter; raise for any other error status: one that may pass, or a refusal."""
        status, code, message = answer.status, _error_code(answer), answer.message(self._key)
        if status < FIRST_ERROR:
            message = redirection(answer.headers.get("Location", ""))
        reason = f"status {status}: {message}"
        if code == "content_filter":  # as Azure's filter of questions
            self._spending.settle(request, FILTER, 0)
            return Reply(FILTER, "")
        if (status in BUSY and code != "insufficient_quota") or status >= 500:
            self._spending.settle(request, RATE if status == 429 else SERVER, 0)
            seconds = seconds_asked(answer.headers.get("Retry-After"))
            check_wait(seconds, self._endpoint, reason)
            raise _AnsweredError(reason, seconds)
        if name == OLD_NAME and status in (400, 422) and (NEW_NAME in message or code == "unsupported_parameter"):
            self._spending.settle(request, RENAME, 0)
            raise _RenameError
        self._spending.settle(request, REJECTION, 0)
        raise ModelError(
            f"the server at {self._endpoint} refuses a request ({reason}): {self._remedy(status, code, message)}."
        )

    def _remedy(self, status: int, code: str, message: str) -> str:
        if code == "insufficient_quota":
            return "raise the quota of the key, and run again to continue"
        if status in (401, 403):
            return "check the key" if self._key else "name the variable that holds your key as `key_env`"
        if status < FIRST_ERROR:
            return "correct `endpoint`"
        if status == 404:
            return f"correct `name`, which is {self._name!r}, or `endpoint`, which ends in /v1 with most servers"
        if "temperature" in message:
            return "this model takes no temperature 0, so set `samples`"
        return "correct the entry of the model"


def most_tokens(messages: Sequence[Mapping[str, str]], tokens: int) -> int:
    """Return the most tokens that a question can take, with a reply of up to `tokens`: a token has a byte or more.

    >>> most_tokens([{"role": "user", "content": "robin"}], 48) == 48 + 5 + OVERHEAD
    True
    """
    return tokens + sum(len(message["content"].encode()) + OVERHEAD for message in messages)


def _counts(reply: Reply) -> dict[str, int]:
    return {name: getattr(reply, name) or 0 for name in ("prompt_tokens", "reply_tokens", "thought_tokens")}


def _error_code(answer: HttpAnswer) -> str:
    """Return the code of an error, such as content_filter; an error without one has the code ""."""
    try:
        error = json.loads(answer.body).get("error")
    except (ValueError, RecursionError, AttributeError):
        return ""
    return str(error.get("code") or "") if isinstance(error, dict) else ""
