"""Tries of a request to a server: failures that may pass, growing waits between tries, and what errors quote of a server."""

import json
import logging
from typing import Any

import tenacity

logger = logging.getLogger("relprobe")

FIRST_WAIT_S, LONGEST_WAIT_S = 1.0, 60.0
"""The longest waits before the second and before any later try, unless the server asks for a longer one."""
QUOTE = 200
"""The characters of a server's message that an error quotes."""


class PassingError(Exception):
    """A try that failed in a way that may pass; `wait_s` is how long the server asks to wait."""

    def __init__(self, reason: str, wait_s: float = 0.0) -> None:
        super().__init__(reason)
        self.wait_s = wait_s


def wait(state: tenacity.RetryCallState) -> float:
    """Return the seconds before the next try: random ones up to a bound that doubles, or as many as the server asks."""
    error = state.outcome.exception() if state.outcome else None
    growing = tenacity.wait_random_exponential(multiplier=FIRST_WAIT_S, max=LONGEST_WAIT_S)
    return max(growing(state), error.wait_s if isinstance(error, PassingError) else 0.0)


def log_wait(state: tenacity.RetryCallState) -> None:
    """Say in the log why a try has failed, and when the next one comes."""
    error = state.outcome.exception() if state.outcome else None
    logger.warning("the server did not answer (%s): trying again in %.0f s", error, state.upcoming_sleep)


def quote(text: str, key: str | None) -> str:
    r"""Return the beginning of a server's text as one line, without the `key`.

    >>> quote("no access with\n the key abc", "abc")
    'no access with the key ***'
    """
    secret = text.replace(key, "***") if key else text
    return " ".join(secret.split())[:QUOTE]


def message_in(body: Any) -> Any:
    """Return what a server says in the JSON of an error; servers put it into different places of it.

    >>> message_in({"error": {"message": "no such model", "code": 404}})
    'no such model'
    """
    while isinstance(body, dict):
        body = next((body[key] for key in ("error", "message", "detail") if key in body), json.dumps(body))
    return body
