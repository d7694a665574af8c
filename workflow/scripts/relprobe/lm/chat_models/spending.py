"""What an agent has sent, in all of its runs and studies: a file with a line before and a line after every request.

A request that fails is counted as well, and so is one whose answer a killed job has never seen. So a limit holds over all
runs: a line is written before a request is sent, under a lock that the agent's jobs share.
"""

from __future__ import annotations

import fcntl
import json
import os
import threading
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from relprobe.core.errors import DataError, ModelError


class LimitError(ModelError):
    """The next request would go beyond the limits of an agent."""


@dataclass
class Request:
    """A request that was sent: its job, the most tokens that it can take and, if something came back, what that was."""

    job: str
    bound: int
    outcome: str | None = None
    counts: Mapping[str, int] = field(default_factory=dict)  # prompt_tokens, reply_tokens, thought_tokens
    cost: int | None = None  # the tokens that it has taken, if that is known

    @property
    def tokens(self) -> int:
        """The tokens that count for the limit: those taken, or else the most that it can have taken."""
        return self.bound if self.cost is None else self.cost


class Spending:
    """The requests of an agent, from the file `path`. `job`: what this job's lines say. `limits`: requests and tokens."""

    def __init__(self, path: Path, job: str, limits: Mapping[str, int] | None = None) -> None:
        self._path, self._job, self._limits = path, job, dict(limits or {})
        self._thread, self._read = threading.Lock(), 0
        self._sent: dict[str, Request] = {}
        path.parent.mkdir(parents=True, exist_ok=True)

    def reserve(self, tokens: int) -> str:
        """Note a request before it is sent, which can take so many tokens, and return its number.

        LimitError: it would go beyond a limit.
        """
        with self._locked() as file:
            self._check(tokens)
            number = uuid.uuid4().hex
            self._append(file, {"request": number, "job": self._job, "bound": tokens, "date": _now()})
        return number

    def settle(self, number: str, outcome: str, cost: int | None, counts: Mapping[str, int] | None = None) -> None:
        """Note what came of a request. `cost`: the tokens it took; None: unknown, so that the most it can take counts."""
        with self._locked() as file:
            line = {"settled": number, "outcome": outcome, "cost": cost, "counts": dict(counts or {}), "date": _now()}
            self._append(file, line)

    def requests(self) -> list[Request]:
        """Return the requests of all jobs, in order."""
        with self._locked():
            return list(self._sent.values())

    def _check(self, tokens: int) -> None:
        requests, most = len(self._sent), self._limits.get("requests")
        if most is not None and requests >= most:
            raise LimitError(
                f"{self._path.stem} has sent {requests:,} requests, and limits.requests is {most:,}: raise it to go on; "
                "what was answered is stored, and is not asked again."
            )
        taken, most = sum(request.tokens for request in self._sent.values()), self._limits.get("tokens")
        if most is not None and taken + tokens > most:
            raise LimitError(
                f"{self._path.stem} has taken {taken:,} tokens, its next question can take {tokens:,}, and limits.tokens is "
                f"{most:,}: raise it to go on; what was answered is stored, and is not asked again."
            )

    @contextmanager
    def _locked(self) -> Iterator[int]:
        """Keep the other threads and jobs of the agent off the file, and read what they have written."""
        with self._thread:
            file = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
            try:
                fcntl.flock(file, fcntl.LOCK_EX)
                self._read_on(file)
                yield file
            finally:
                os.close(file)

    def _append(self, file: int, line: Mapping[str, Any]) -> None:
        os.write(file, (json.dumps(line) + "\n").encode())  # one call, so that a killed job leaves no half of a line
        self._read_on(file)

    def _read_on(self, file: int) -> None:
        new = os.pread(file, os.fstat(file).st_size - self._read, self._read)
        for line in new.splitlines():
            self._take(line)
        self._read += len(new)

    def _take(self, text: bytes) -> None:
        try:
            line = json.loads(text)
            if "request" in line:
                self._sent[line["request"]] = Request(line["job"], line["bound"])
            else:
                request = self._sent[line["settled"]]
                request.outcome, request.cost, request.counts = line["outcome"], line["cost"], line["counts"]
        except (ValueError, KeyError, TypeError) as error:
            raise DataError(
                f"{self._path} has a damaged line ({text[:60]!r}), so that nobody knows what the agent has sent: delete the "
                "line, or the file to count from 0."
            ) from error


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
