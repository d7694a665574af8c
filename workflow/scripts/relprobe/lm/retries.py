"""Attempts of a request to a server: failures that may pass, growing waits, a bound of time, and what errors quote."""

import json
import logging
import math
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from email.utils import parsedate_to_datetime
from typing import Any, TypeVar

import tenacity

from relprobe.core.errors import ModelError
from relprobe.core.secrets import mask

logger = logging.getLogger("relprobe")
Result = TypeVar("Result")

FIRST_WAIT_S, LONGEST_WAIT_S = 1.0, 60.0
"""The longest waits before the second and before any later attempt, unless the server asks for a longer one."""
LONGEST_RETRY_AFTER_S = 900.0
"""The longest wait that a server may ask for: a job that would wait longer ends instead."""
FIRST_MOVE, FIRST_ERROR = 300, 400
"""The first status that names another address, and the first that is an error."""
QUOTE, LOOKED_AT = 200, 1 << 16
"""The characters of a server's message that an error quotes, and those at its beginning that are looked at for that."""


class PassingError(Exception):
    """An attempt that failed in a way that may pass; `wait_s` is how long the server asks to wait."""

    def __init__(self, reason: str, wait_s: float = 0.0) -> None:
        super().__init__(reason)
        self.wait_s = wait_s


def wait(state: tenacity.RetryCallState) -> float:
    """Return the seconds before the next attempt: random ones up to a bound that doubles, or as many as the server asks."""
    error = state.outcome.exception() if state.outcome else None
    growing = tenacity.wait_random_exponential(multiplier=FIRST_WAIT_S, max=LONGEST_WAIT_S)
    return max(growing(state), error.wait_s if isinstance(error, PassingError) else 0.0)


def log_wait(state: tenacity.RetryCallState) -> None:
    """Say in the log why an attempt has failed, and when the next one comes."""
    error = state.outcome.exception() if state.outcome else None
    logger.warning("the server did not answer (%s): trying again in %.0f s", error, state.upcoming_sleep)


def seconds_asked(retry_after: str | None) -> float:
    """Return how long a server asks to wait in its header Retry-After, in seconds; 0 if it does not say so.

    >>> seconds_asked("7"), seconds_asked(None), seconds_asked("soon"), seconds_asked("-1"), seconds_asked("nan")
    (7.0, 0.0, 0.0, 0.0, 0.0)
    """
    if retry_after is None:
        return 0.0
    try:
        seconds = float(retry_after)
    except ValueError:
        try:
            seconds = parsedate_to_datetime(retry_after).timestamp() - time.time()
        except (TypeError, ValueError, OverflowError):
            return 0.0
    return 0.0 if math.isnan(seconds) else max(0.0, seconds)


def check_wait(seconds: float, endpoint: str, message: str) -> None:
    """Check that a server asks for no longer wait than LONGEST_RETRY_AFTER_S. ModelError: it does."""
    if seconds > LONGEST_RETRY_AFTER_S:
        raise ModelError(
            f"the server at {endpoint} asks to wait {seconds:,.0f} s ({message}): run again after that to continue; what "
            "was answered is stored."
        )


def finish_within(seconds: float, call: Callable[[], Result]) -> Result:
    """Return what `call` returns. TimeoutError: it takes longer, however it waits; it is then left to itself.

    The bounds of libraries hold for the next bytes, so that a server which sends one now and then would never end.
    """
    end: Future[Result] = Future()

    def run() -> None:
        try:
            end.set_result(call())
        except BaseException as error:
            end.set_exception(error)

    threading.Thread(target=run, name="request", daemon=True).start()
    return end.result(seconds)


def quote(text: str, key: str | None = None) -> str:
    r"""Return the beginning of a server's text as one line, without the `key` and without what steers a terminal.

    >>> quote("no access with\n the key abc", "abc")
    'no access with the key ***'
    >>> quote("\x1b[31mred\x07")
    '[31mred'
    """
    beginning = " ".join(text[:LOOKED_AT].split())  # a key that is cut off there is far behind what is quoted
    secret = mask(beginning.replace(key, "***") if key else beginning)
    visible = "".join(letter if letter.isprintable() else " " for letter in secret)
    return " ".join(visible.split())[:QUOTE]


def redirection(location: str) -> str:
    """Return what an answer says that names another address. It is not asked, as nobody has chosen that server.

    >>> redirection("https://gpu08/v1/models")
    'it sends on to https://gpu08/v1/models'
    """
    return f"it sends on to {quote(location) or 'no address'}"


def message_in(body: Any) -> Any:
    """Return what a server says in the JSON of an error; servers put it into different places of it.

    >>> message_in({"error": {"message": "no such model", "code": 404}})
    'no such model'
    """
    while isinstance(body, dict):
        body = next((body[key] for key in ("error", "message", "detail") if key in body), json.dumps(body))
    return body
