"""What relprobe has logged: a library's warning, which it gives once in a process, is no word of ours."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager

import pytest


def said(caplog: pytest.LogCaptureFixture) -> list[str]:
    """The messages of relprobe's own loggers."""
    return [record.getMessage() for record in caplog.records if record.name.startswith("relprobe")]


@contextmanager
def warnings_of_relprobe() -> Iterator[list[str]]:
    """Have the warnings of relprobe's loggers in a list, also where no test with a `caplog` runs."""
    messages: list[str] = []
    handler, logger = logging.Handler(logging.WARNING), logging.getLogger("relprobe")
    handler.emit = lambda record: messages.append(record.getMessage())  # type: ignore[method-assign]
    logger.addHandler(handler)
    try:
        yield messages
    finally:
        logger.removeHandler(handler)
