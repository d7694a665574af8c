"""The progress of a long step: plain lines on a terminal and in a log file, and a small file beside the log for programs."""

import json
import logging
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TypeVar

logger = logging.getLogger("relprobe")
Item = TypeVar("Item")


@dataclass(frozen=True)
class State:
    """How far a step is that goes on.

    `begun`: when it has begun, in seconds since 1970. `done` of `total` items, which are `what`, took `seconds`; `stored` of
    them took no time. A step that has said nothing of its items yet has a total of 0.
    """

    begun: float
    done: int = 0
    total: int = 0
    what: str = ""
    stored: int = 0
    seconds: float = 0.0

    @property
    def text(self) -> str:
        """How far the step is in words (`line`); "" where nothing is known but that it has begun."""
        return line(self.done, self.total, self.what, self.seconds, self.stored) if self.total else ""

    @property
    def short(self) -> str:
        """The share of the items that is done, and the time left if it is known: "23%, 2 min left"; "" as above."""
        if not self.total:
            return ""
        left = time_left(self.done, self.total, self.seconds, self.stored)
        return ", ".join(filter(None, [f"{self.done / self.total:.0%}", left]))


@dataclass(frozen=True)
class StateFile:
    """The file in which a step says how far it is."""

    path: Path
    state: State

    def write(self, state: State) -> bool:
        """Replace the file, and return whether it could be written. It is for display alone: a step goes on without it."""
        from relprobe.core.files import whole_file  # with polars, which whoever reads a state does without

        try:
            with whole_file(self.path) as partial:
                partial.write_text(json.dumps(asdict(state)), encoding="utf-8")
        except OSError as error:
            logger.warning("%s cannot be written, so `relprobe status` does not show this step: %s", self.path, error)
            return False
        return True


RUNNING: ContextVar[StateFile | None] = ContextVar("RUNNING", default=None)
"""The file of the step that this process runs; None for one without a log."""


def state_path(log: Path) -> Path:
    """Return the file beside a log that says how far the step is, while it runs.

    >>> state_path(Path("logs/scores.log")).as_posix()
    'logs/scores.progress.json'
    """
    return log.with_suffix(".progress.json")


@contextmanager
def state_beside(log: Path | None) -> Iterator[None]:
    """Keep a file beside the log of a step that says how far it is (`State`), from its beginning to its end."""
    file = None if log is None else StateFile(state_path(log), State(time.time()))
    if file is None or not file.write(file.state):
        yield
        return
    token = RUNNING.set(file)
    try:
        yield
    finally:
        RUNNING.reset(token)
        with suppress(OSError):  # what is left is told from the next run by when it has begun
            file.path.unlink()


def read_state(log: Path, since: float = 0.0) -> State | None:
    """Return how far the step is whose log this is; None if it does not run, or has not begun `since` (seconds since 1970).

    A step that was killed leaves its file behind. A file that cannot be read says nothing, either: it is for display alone,
    and may be on the disk of another machine.
    """
    try:
        state = State(**json.loads(state_path(log).read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None
    return state if state.begun >= since else None


class Progress:
    """How far a step is: it logs a line every `every_s` seconds. A step that ends sooner logs none.

    `total`: the number of items. `what`: what the items are, such as "probes". The line stands in the step's `State`, too.
    """

    def __init__(self, total: int, what: str, every_s: float = 10.0) -> None:
        self.total, self.what, self.every_s = total, what, every_s
        self.done = self.stored = 0
        self._file = RUNNING.get()
        self._start = self._last = time.monotonic()

    def add(self, done: int, stored: int = 0) -> None:
        """Count items that are done; `stored` of them took no time, as an earlier run had done them."""
        self.done, self.stored = self.done + done, self.stored + stored
        now = time.monotonic()
        if now - self._last >= self.every_s and self.done < self.total:
            self._last = now
            state = State(0.0, self.done, self.total, self.what, self.stored, now - self._start)
            logger.info(state.text)
            if self._file is not None and not self._file.write(replace(state, begun=self._file.state.begun)):
                self._file = None


def track(items: Iterable[Item], total: int, what: str, every_s: float = 10.0) -> Iterator[Item]:
    """Yield the items that a step works on, one after the other, and log its `Progress`."""
    progress = Progress(total, what, every_s)
    for item in items:
        yield item
        progress.add(1)


def line(done: int, total: int, what: str, elapsed_s: float, stored: int = 0) -> str:
    """Return the line that says how far a step is: count, share, rate and, from a tenth of the items on, the time left.

    4,000 probes in 40 s are 100 a second, so the other 13,608 take 136 s. What was stored is not in the rate:

    >>> line(4000, 17608, "probes", elapsed_s=40)
    '4,000 of 17,608 probes (23%), 100 a second, 2 min left'
    >>> line(5000, 17608, "probes", elapsed_s=40, stored=1000)
    '5,000 of 17,608 probes (28%), 100 a second, 2 min left'
    >>> line(1000, 17608, "probes", elapsed_s=10)  # the first items take longer, or less, than the others
    '1,000 of 17,608 probes (6%), 100 a second'
    """
    rate = (done - stored) / elapsed_s
    text = f"{done:,} of {total:,} {what} ({done / total:.0%})"
    speed = f"{rate:,.0f} a second" if rate else ""
    return ", ".join(filter(None, [text, speed, time_left(done, total, elapsed_s, stored)]))


def time_left(done: int, total: int, elapsed_s: float, stored: int = 0) -> str:
    """Return how long a step still takes, as above: "2 min left"; "" before a tenth of the items, and without a rate."""
    if done == stored or done < total / 10:
        return ""
    return f"{duration((total - done) * elapsed_s / (done - stored))} left"


def duration(seconds: float) -> str:
    """Write a duration in seconds below 90 s, in minutes below 90 min, else in hours.

    >>> duration(45), duration(720), duration(12600)
    ('45 s', '12 min', '3.5 h')
    """
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
