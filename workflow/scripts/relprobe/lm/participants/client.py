"""The client of a chat endpoint, by the package openai: one question, tries with growing waits, and a count of each."""

from __future__ import annotations

import importlib
import json
import logging
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Self

import tenacity

from relprobe.core.errors import ModelError
from relprobe.lm.participants.replies import FILTER, FormError, Reply, reply_of
from relprobe.lm.participants.spending import Spending
from relprobe.lm.served.key import checked_key
from relprobe.lm.tries import (
    FIRST_ERROR,
    PassingError,
    check_wait,
    finish_within,
    log_wait,
    message_in,
    quote,
    redirection,
    seconds_asked,
    wait,
)

logger = logging.getLogger("relprobe")

TRIES = 8
"""How often a question is sent in all, if no try is answered."""
LARGEST_ANSWER = 2**24
"""The most bytes of an answer: a reply of a hundred thousand tokens takes a thirtieth of it."""
OVERHEAD = 64
"""The most tokens that a chat template adds to a message."""
RATE, SERVER, BROKEN, LATE, ABSENT = "rate limit", "server error", "broken answer", "late answer", "no connection"
"""Why a try has failed in a way that may pass."""
REJECTION, RENAME = "rejection", "other name of max_tokens"
"""Why a request was refused for good, or with a word that tells how to send it."""
FAILURES = (RATE, SERVER, BROKEN, LATE, ABSENT, REJECTION, RENAME)
BUSY = (408, 409, 425, 429)
"""The statuses below 500 after which another try may succeed."""
OLD_NAME, NEW_NAME = "max_tokens", "max_completion_tokens"
"""The two names of the most tokens of a reply. Servers know the old one, but OpenAI's reasoning models refuse it."""


class _AbsentError(PassingError):
    """A try that has reached no server."""


class _RenameError(Exception):
    """The server refuses the old name of the most tokens."""


class _SizeError(Exception):
    """An answer is larger than LARGEST_ANSWER, or may become so."""


def package() -> Any:
    """Return the package openai, which is optional. ModelError: it is not installed."""
    try:
        return importlib.import_module("openai")
    except ImportError as error:
        raise ModelError(
            "models that chat are asked through the package openai, which is not installed: run `pip install openai`."
        ) from error


class ChatClient:
    """A model `name` at a chat endpoint, until the end of the block. Several threads may use one client.

    `key` goes into the header of each request and nowhere else: what an error quotes of a server is free of it. `timeout_s`:
    the seconds that a whole answer may take, from the request to its last byte. `more`: further keys of each request.
    `spending` counts every request, and refuses those beyond the limits. `sleep` waits before another try.
    """

    def __init__(
        self,
        endpoint: str,
        key: str | None,
        name: str,
        spending: Spending,
        *,
        timeout_s: float = 120.0,
        tries: int = TRIES,
        more: Mapping[str, Any] | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._openai = package()
        # What the environment says of OpenAI (OPENAI_API_KEY and others) must not go to another server.
        self._client = self._openai.OpenAI(
            base_url=endpoint,
            api_key=checked_key(key, f"the key of {endpoint}") if key else "none",
            timeout=timeout_s,
            max_retries=0,
            default_headers={
                "Accept-Encoding": "identity"
            },  # so that the bytes that come bound the bytes that are kept
            http_client=self._openai.DefaultHttpxClient(
                follow_redirects=False, event_hooks={"response": [_bound_size]}
            ),
        )
        self._client.organization = self._client.project = None
        self._endpoint, self._key, self._name, self._spending = endpoint, key, name, spending
        self._timeout_s, self._tries, self._more = timeout_s, tries, dict(more or {})
        self._sleep = sleep
        self._length = OLD_NAME  # the name of the most tokens
        self._reached = False  # whether a server has answered anything

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._client.close()

    def reply(self, messages: Sequence[Mapping[str, str]], tokens: int, temperature: float) -> Reply:
        """Return the reply to a conversation, in up to `tokens` tokens.

        ModelError: no answer after all tries, or the server refuses the question. LimitError: the limits are reached.
        """
        try:
            return self._in_tries(messages, tokens, temperature)
        except _RenameError:
            # Other threads may have been refused at the same time: each of them sends its question with the new name, too.
            self._length = NEW_NAME
            return self._in_tries(messages, tokens, temperature)

    def _in_tries(self, messages: Sequence[Mapping[str, str]], tokens: int, temperature: float) -> Reply:
        retrying = tenacity.Retrying(
            sleep=self._sleep,
            retry=tenacity.retry_if_exception(self._may_pass),
            stop=tenacity.stop_after_attempt(self._tries),
            wait=wait,
            before_sleep=log_wait,
            reraise=True,
        )
        try:
            return retrying(self._try, messages, tokens, temperature)
        except _AbsentError as error:
            if self._reached:
                raise self._gave_up(error) from error
            raise ModelError(
                f"there is no server at {self._endpoint} ({error}): start it, correct `endpoint`, or connect this machine "
                "to the network."
            ) from error
        except PassingError as error:
            raise self._gave_up(error) from error

    def _may_pass(self, error: BaseException) -> bool:
        """Say whether another try may succeed; where no server has answered yet, there is none."""
        return isinstance(error, PassingError) and (self._reached or not isinstance(error, _AbsentError))

    def _gave_up(self, error: PassingError) -> ModelError:
        return ModelError(
            f"the server at {self._endpoint} was asked {self._tries} times and did not answer ({error}): lower "
            "`concurrency` or raise `timeout`, and run again to continue; what was answered is stored."
        )

    def _try(self, messages: Sequence[Mapping[str, str]], tokens: int, temperature: float) -> Reply:
        """Send a question once, and note what came of it."""
        openai, name = self._openai, self._length
        body: dict[str, Any] = {
            "model": self._name,
            "messages": list(messages),
            name: tokens,
            "temperature": temperature,
        }
        request = self._spending.reserve(most_tokens(messages, tokens))
        try:
            send = self._client.chat.completions.with_raw_response.create
            answer = finish_within(self._timeout_s, lambda: send(**body, extra_body=self._more))
            self._reached = True
            reply = reply_of(json.loads(answer.http_response.text))
        except openai.APIStatusError as error:
            self._reached = True
            return self._refused(request, error, name)
        except (openai.APITimeoutError, TimeoutError) as error:
            self._spending.settle(request, LATE, None)
            raise PassingError(f"its answer is not whole after {self._timeout_s:g} s") from error
        except openai.APIConnectionError as error:
            cause = error.__cause__
            absent = type(cause).__name__ in ("ConnectError", "ConnectTimeout")
            self._spending.settle(request, ABSENT if absent else BROKEN, 0 if absent else None)
            kind = _AbsentError if absent else PassingError
            raise kind(quote(str(cause or error), self._key)) from error
        except _SizeError as error:
            self._spending.settle(request, BROKEN, None)
            raise PassingError(str(error)) from error
        except (ValueError, RecursionError, FormError) as error:  # no JSON, or another one
            self._spending.settle(request, BROKEN, None)
            raise PassingError(f"its answer is broken: {quote(str(error), self._key)}") from error
        self._spending.settle(request, reply.outcome, reply.tokens, _counts(reply))
        return reply

    def _refused(self, request: str, error: Any, name: str) -> Reply:
        """Say what a status of an error means: a filter's answer, a failure that may pass, or a refusal for good."""
        status, code, message = error.status_code, str(error.code or ""), quote(_message(error), self._key)
        if status < FIRST_ERROR:
            message = redirection(error.response.headers.get("Location", ""))
        about = f"status {status}: {message}"
        if code == "content_filter":  # as Azure's filter of questions
            self._spending.settle(request, FILTER, 0)
            return Reply(FILTER, "")
        if (status in BUSY and code != "insufficient_quota") or status >= 500:
            self._spending.settle(request, RATE if status == 429 else SERVER, 0)
            seconds = seconds_asked(error.response.headers.get("Retry-After"))
            check_wait(seconds, self._endpoint, about)
            raise PassingError(about, seconds) from error
        if name == OLD_NAME and status in (400, 422) and _wants_new_name(error, message):
            self._spending.settle(request, RENAME, 0)
            raise _RenameError from error
        self._spending.settle(request, REJECTION, 0)
        raise ModelError(
            f"the server at {self._endpoint} refuses a request ({about}): {self._remedy(status, code, message)}."
        ) from error

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
    return tokens + sum(len(one["content"].encode()) + OVERHEAD for one in messages)


def _counts(reply: Reply) -> dict[str, int]:
    return {name: getattr(reply, name) or 0 for name in ("prompt_tokens", "reply_tokens", "thought_tokens")}


def _message(error: Any) -> str:
    message = message_in(error.body)
    return message if isinstance(message, str) else str(error)


def _wants_new_name(error: Any, message: str) -> bool:
    return NEW_NAME in message or (error.param == OLD_NAME and error.code == "unsupported_parameter")


def _bound_size(response: Any) -> None:
    """Let the body of a response end in a _SizeError where it is larger than LARGEST_ANSWER; a hook of the HTTP client."""
    if response.headers.get("Content-Encoding", "identity").lower() != "identity":
        raise _SizeError("its answer is compressed, although none was asked for")
    stream: Any = importlib.import_module("httpx2").SyncByteStream  # of what openai is built on, and as optional
    whole = response.stream

    class Bounded(stream):  # type: ignore[misc]
        def __iter__(self) -> Iterator[bytes]:
            size = 0
            for part in whole:
                size += len(part)
                if size > LARGEST_ANSWER:
                    raise _SizeError(f"its answer has more than {LARGEST_ANSWER / 2**20:,.0f} MiB")
                yield part

        def close(self) -> None:
            whole.close()

    response.stream = Bounded()
