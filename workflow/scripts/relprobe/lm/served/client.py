"""HTTP to a server: JSON in and out, several requests at once, attempts with growing waits, and a key that stays secret."""

from __future__ import annotations

import logging
import time
import weakref
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, TypeVar

import tenacity

from relprobe.core.errors import ModelError
from relprobe.lm.http import AbsentError, Http, HttpAnswer
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
Item = TypeVar("Item")
Result = TypeVar("Result")

BUSY = (408, 425, 429, 500, 502, 503, 504)
"""The statuses after which another attempt may succeed."""
DECLINED = (400, 422, 500, 501)
"""The statuses by which a server declines what a request asks for. Some servers answer 500 to what they do not know. The
other statuses are about the key, the address, or the moment."""
LARGEST_ANSWER = 2**28
"""The most bytes of an answer: the lists of a few hundred thousand tokens take a tenth of it."""


class RefusalError(ModelError):
    """A server declines a request, or fails at it each time. `status` is that of HTTP, `message` the server's own."""

    def __init__(self, sentence: str, status: int, message: str) -> None:
        super().__init__(sentence)
        self.status, self.message = status, message

    @property
    def is_request_fault(self) -> bool:
        """Whether the server may answer another request: it declines what this one asks for, and not who asks or where."""
        return self.status in DECLINED


class _FailureError(PassingError):
    """An answer with a status after which another attempt may succeed."""

    def __init__(self, status: int, message: str, wait_s: float) -> None:
        super().__init__(f"status {status}: {message}", wait_s)
        self.status, self.message = status, message


@dataclass(frozen=True)
class Client:
    """A connection to the server at `endpoint`, such as http://gpu07:8000/v1.

    `key` goes into the header of each request and nowhere else: what an error quotes of an answer is free of it.
    `concurrency`: the most requests at once. `timeout_s`: the seconds that a whole answer may take, from the request to its
    last byte. `attempts`: how often a request is sent in all. `sleep` waits before another attempt.
    """

    endpoint: str
    key: str | None = field(default=None, repr=False)
    concurrency: int = 8
    timeout_s: float = 120.0
    attempts: int = 8
    sleep: Callable[[float], None] = field(default=time.sleep, repr=False, compare=False)
    http: Http = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.key is not None:
            checked_key(self.key, f"the key of {self.endpoint}")
        http = Http(self.key, self.timeout_s, LARGEST_ANSWER, self.concurrency)
        object.__setattr__(self, "http", http)
        weakref.finalize(self, http.close)

    @property
    def root(self) -> str:
        """The address of the server's own pages, beside those of OpenAI's interface: the endpoint without /v1."""
        return self.endpoint.rstrip("/").removesuffix("/v1")

    def post(self, path: str, body: dict[str, Any], attempts: int | None = None) -> Any:
        """Return the JSON that the server answers to a JSON body at a path of the endpoint.

        ModelError: no answer after all attempts, or one that is no JSON. RefusalError: the server declines the request, or
        each try ended with a status that may pass.
        """
        return self._request("POST", self.endpoint.rstrip("/") + path, attempts or self.attempts, body)

    def get(self, path: str, *, first: bool = False) -> Any:
        """Return the JSON at a path of the endpoint; errors as in `post`.

        `first`: no request has reached the server yet. If there is no server, this is said after one attempt.
        """
        try:
            return self._request("GET", self.endpoint.rstrip("/") + path, self.attempts, first=first)
        except AbsentError as error:
            raise ModelError(
                f"there is no server at {self.endpoint} ({error}): start it, or correct `endpoint`."
            ) from error

    def get_from_root(self, path: str, body: dict[str, Any] | None = None) -> Any | None:
        """Return the JSON at a path of the server's root, or None if it has none there. It is asked once."""
        try:
            return self._request("GET" if body is None else "POST", self.root + path, 1, body)
        except ModelError:
            return None

    def in_parallel(self, ask: Callable[[Item], Result], items: Iterable[Item]) -> list[Result]:
        """Return `ask(item)` for each item, in order, with up to `concurrency` of them under way.

        No request goes on after the return, or after the error of one of them.
        """
        with ThreadPoolExecutor(self.concurrency, "request") as pool:
            return list(pool.map(ask, items))

    def _request(
        self, method: str, url: str, attempts: int, body: dict[str, Any] | None = None, *, first: bool = False
    ) -> Any:
        retry: Any = tenacity.retry_if_exception_type(PassingError)
        if first:
            retry = retry & tenacity.retry_if_not_exception_type(AbsentError)
        retrying = tenacity.Retrying(
            sleep=self.sleep,
            retry=retry,
            stop=tenacity.stop_after_attempt(attempts),
            wait=wait,
            before_sleep=log_wait,
            reraise=True,
        )
        try:
            return retrying(self._try, method, url, body)
        except PassingError as error:
            if first and isinstance(error, AbsentError):
                raise
            times = "once" if attempts == 1 else f"{attempts} times"
            sentence = (
                f"the server at {self.endpoint} was asked {times} and did not answer ({error}): start it, lower "
                "`concurrency` or raise `timeout`, and run again to continue."
            )
            if isinstance(error, _FailureError):
                raise RefusalError(sentence, error.status, error.message) from error
            raise ModelError(sentence) from error

    def _try(self, method: str, url: str, body: dict[str, Any] | None) -> Any:
        try:
            answer = self.http.send(method, url, body)
        except PassingError as error:
            raise type(error)(self._quote(str(error))) from error
        except ValueError as error:
            raise ModelError(
                f"the server at {self.endpoint} cannot be asked ({self._quote(str(error))}): correct `endpoint`."
            ) from error
        if answer.status in BUSY:
            failure = _FailureError(
                answer.status, answer.message(self.key), seconds_asked(answer.headers.get("Retry-After"))
            )
            check_wait(failure.wait_s, self.endpoint, str(failure))
            raise failure
        if answer.status >= FIRST_MOVE:
            raise self._refusal(answer)
        return answer.json(self.endpoint, self.key)

    def _refusal(self, answer: HttpAnswer) -> RefusalError:
        message = answer.message(self.key)
        remedy = "correct the entry of the model"
        if answer.status < FIRST_ERROR:
            message, remedy = redirection(answer.headers.get("Location", "")), "correct `endpoint`"
        elif answer.status in (401, 403):
            remedy = "name the variable that holds your key as `key_env`" if self.key is None else "check the key"
        elif answer.status in (404, 405):
            remedy = "correct `endpoint`, which ends in /v1 with most servers"
        return RefusalError(
            f"the server at {self.endpoint} refuses a request (status {answer.status}: {message}): {remedy}.",
            answer.status,
            message,
        )

    def _quote(self, text: str) -> str:
        return quote(text, self.key)
