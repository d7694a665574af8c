"""The progress of a long step, logged as plain lines that are readable on a terminal and in a log file."""

import logging
import time
from collections.abc import Iterable, Iterator
from typing import TypeVar

logger = logging.getLogger("relprobe")
Item = TypeVar("Item")


def track(items: Iterable[Item], total: int, what: str, every_s: float = 10.0) -> Iterator[Item]:
    """Yield the items that a step works on, and log a line with the number of finished items every `every_s` seconds.

    `total`: the number of items. `what`: what the items are, such as "probes". A step that ends sooner logs no line.
    """
    start = last = time.monotonic()
    for done, item in enumerate(items):
        now = time.monotonic()
        if done and now - last >= every_s:
            last = now
            logger.info(line(done, total, what, now - start))
        yield item


def line(done: int, total: int, what: str, elapsed_s: float) -> str:
    """Return the line that says how far a step is: count, share, rate and, from a tenth of the items on, the time left.

    4,000 probes in 40 s are 100 a second, so the other 13,608 take 136 s:

    >>> line(4000, 17608, "probes", elapsed_s=40)
    '4,000 of 17,608 probes (23%), 100 a second, 2 min left'
    >>> line(1000, 17608, "probes", elapsed_s=10)  # the first items are read ahead, so their rate says little
    '1,000 of 17,608 probes (6%), 100 a second'
    """
    rate = done / elapsed_s
    left = f", {duration((total - done) / rate)} left" if done >= total / 10 else ""
    return f"{done:,} of {total:,} {what} ({done / total:.0%}), {rate:,.0f} a second{left}"


def duration(seconds: float) -> str:
    """Write a duration in seconds below 90 s, in minutes below 90 min, else in hours.

    >>> duration(45), duration(720), duration(12600)
    ('45 s', '12 min', '3.5 h')
    """
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
