"""HTTP to a server: JSON is sent, and an answer comes whole, in time, of a bounded size and from this server alone."""

from __future__ import annotations

import functools
import json
import ssl
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import httpx2

from relprobe.core.errors import ModelError
from relprobe.lm.retries import PassingError, finish_within, message_in, quote

CONNECT_S = 10.0
"""The most seconds for a connection: a server that has no time to answer still takes one."""


class AbsentError(PassingError):
    """An attempt that has reached no server."""


class LateError(PassingError):
    """An attempt whose answer did not come whole in time."""


@dataclass(frozen=True)
class HttpAnswer:
    """A whole answer of a server."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def text(self) -> str:
        """The body as text."""
        return self.body.decode(errors="replace")

    @property
    def kind(self) -> str:
        """What an answer that is no JSON looks like."""
        beginning = self.text[:1000].lower()
        return "a page of HTML" if "<html" in beginning or "<!doctype" in beginning else "a text"

    def message(self, key: str | None) -> str:
        """Return what the server says of an error, without the `key`; a page of HTML is named and not quoted."""
        try:
            value = message_in(json.loads(self.body))
        except (ValueError, RecursionError):  # no JSON, or lists in lists without end
            return self.kind if "<" in self.text[:100] else quote(self.text, key)
        return quote(value if isinstance(value, str) else json.dumps(value), key)

    def json(self, endpoint: str, key: str | None) -> Any:
        """Return the JSON of the body. PassingError: it is broken. ModelError: the server at `endpoint` sends no JSON.

        `key`: what errors must not quote.
        """
        try:
            return json.loads(self.body)
        except (ValueError, RecursionError) as error:  # no JSON, or lists in lists without end
            if "json" in self.headers.get("Content-Type", ""):
                raise PassingError(f"it answered with broken JSON: {quote(self.text, key)}") from error
            raise ModelError(
                f"the server at {endpoint} answers with {self.kind}, not with JSON: correct `endpoint`, which ends in /v1 "
                "with most servers."
            ) from error


class Http:
    """Connections to servers. `key` goes into the header of each request and nowhere else. `largest`: bytes of an answer."""

    def __init__(self, key: str | None, timeout_s: float, largest: int, connections: int = 100) -> None:
        self._timeout_s, self._largest = timeout_s, largest
        self._client = httpx2.Client(
            verify=_trusted(),
            headers={"Authorization": f"Bearer {key}"} if key else {},
            auth=_unsigned,  # without it, a login would be taken from the user's .netrc
            timeout=httpx2.Timeout(timeout_s, connect=min(CONNECT_S, timeout_s)),
            limits=httpx2.Limits(max_connections=connections),
        )

    def close(self) -> None:
        """Close all connections."""
        self._client.close()

    def send(self, method: str, url: str, body: Mapping[str, Any] | None = None) -> HttpAnswer:
        """Send a request once. PassingError: no whole answer (AbsentError, LateError). ValueError: no such address."""
        try:
            return finish_within(self._timeout_s, lambda: self._whole(method, url, body))
        except (httpx2.ConnectError, httpx2.ConnectTimeout) as error:
            raise AbsentError(_cause(error)) from error
        except (httpx2.TimeoutException, TimeoutError) as error:
            raise LateError(f"its answer is not whole after {self._timeout_s:g} s") from error
        except (httpx2.UnsupportedProtocol, httpx2.InvalidURL) as error:
            raise ValueError(str(error)) from error
        except httpx2.HTTPError as error:
            raise PassingError(str(error)) from error

    def _whole(self, method: str, url: str, body: Mapping[str, Any] | None) -> HttpAnswer:
        end, parts, size = time.monotonic() + self._timeout_s, [], 0
        with self._client.stream(method, url, json=body) as response:
            for part in response.iter_bytes():
                parts.append(part)
                size += len(part)
                if size > self._largest:
                    raise PassingError(f"its answer has more than {self._largest / 2**20:,.0f} MiB")
                if time.monotonic() > end:  # nobody waits for it any more
                    raise TimeoutError
            return HttpAnswer(response.status_code, response.headers, b"".join(parts))


@functools.cache
def _trusted() -> ssl.SSLContext:
    """Return the certificates that are trusted: a process reads them once, which takes longer than ten answers."""
    return httpx2.create_ssl_context()


def _unsigned(request: httpx2.Request) -> httpx2.Request:
    return request


def _cause(error: BaseException) -> str:
    """Return what the system says of a connection that failed, or else the error itself."""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, OSError) and cause.strerror:
            return cause.strerror
        cause = cause.__cause__ or cause.__context__
    return str(error)
