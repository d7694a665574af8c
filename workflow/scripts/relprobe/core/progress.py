"""The progress of a long step, logged as plain lines that are readable on a terminal and in a log file."""

import logging
import time
from collections.abc import Iterable, Iterator
from typing import TypeVar

logger = logging.getLogger("relprobe")
Item = TypeVar("Item")


class Progress:
    """How far a step is: it logs a line every `every_s` seconds. A step that ends sooner logs none.

    `total`: the number of items. `what`: what the items are, such as "probes".
    """

    def __init__(self, total: int, what: str, every_s: float = 10.0) -> None:
        self.total, self.what, self.every_s = total, what, every_s
        self.done = self.stored = 0
        self._start = self._last = time.monotonic()

    def add(self, done: int, stored: int = 0) -> None:
        """Count items that are done; `stored` of them took no time, as an earlier run had done them."""
        self.done, self.stored = self.done + done, self.stored + stored
        now = time.monotonic()
        if now - self._last >= self.every_s and self.done < self.total:
            self._last = now
            logger.info(line(self.done, self.total, self.what, now - self._start, self.stored))


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
    if not rate:
        return text
    left = f", {duration((total - done) / rate)} left" if done >= total / 10 else ""
    return f"{text}, {rate:,.0f} a second{left}"


def duration(seconds: float) -> str:
    """Write a duration in seconds below 90 s, in minutes below 90 min, else in hours.

    >>> duration(45), duration(720), duration(12600)
    ('45 s', '12 min', '3.5 h')
    """
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
