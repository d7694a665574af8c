"""Progress of a long step as plain lines, readable on a terminal and in a log file alike."""

import logging
import time
from collections.abc import Iterable, Iterator
from typing import TypeVar

logger = logging.getLogger("relprobe")
Item = TypeVar("Item")


def track(items: Iterable[Item], total: int, what: str, every_s: float = 10.0) -> Iterator[Item]:
    """Yield the items that a long step works on and log, at most every `every_s` seconds, how many it is through with.

    A line reads "4,000 of 17,608 probes (23%), 110 a second, 2 min left".
    """
    start = last = time.monotonic()
    for done, item in enumerate(items):
        now = time.monotonic()
        if done and now - last >= every_s:
            last = now
            logger.info(line(done, total, what, now - start))
        yield item


def line(done: int, total: int, what: str, elapsed_s: float) -> str:
    """Say how far a step is: count, share, rate and time left."""
    rate = done / elapsed_s
    left = duration((total - done) / rate) if rate > 0 else "unknown time"
    return f"{done:,} of {total:,} {what} ({done / total:.0%}), {rate:,.0f} a second, {left} left"


def duration(seconds: float) -> str:
    """Write a duration in the largest unit that keeps it readable: 45 s, 12 min, 3.5 h."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
