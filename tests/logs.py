"""What relprobe has logged: a library's warning, which it gives once in a process, is no word of ours."""

import pytest


def said(caplog: pytest.LogCaptureFixture) -> list[str]:
    """The messages of relprobe's own loggers."""
    return [record.getMessage() for record in caplog.records if record.name.startswith("relprobe")]
