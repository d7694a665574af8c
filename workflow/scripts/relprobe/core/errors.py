"""The errors that a user can mend. The message of each is one plain sentence: it names what is wrong, and the remedy."""

import errno
import os
from collections.abc import Sequence

from relprobe.core.secrets import safe_text

OUT_OF_SPACE = (*map(os.strerror, (errno.ENOSPC, errno.EDQUOT)), "database or disk is full")
"""The messages of the system for a full disk and a full quota, and SQLite's. Libraries often leave out their numbers."""
BROKEN = (*map(os.strerror, (errno.EIO, errno.ESTALE, errno.EREMOTEIO)), "disk I/O error")
"""Those for a disk, or a connection to one, that fails."""
NO_ACCESS = (errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOTDIR, errno.EISDIR, errno.EEXIST)
"""The numbers of the errors where a file cannot be written for its place or its permissions."""


class RelprobeError(Exception):
    """The base class: the user sees the message of such an error, without a traceback, secrets and controls."""

    def __str__(self) -> str:
        """Return the message as it may be shown (core/secrets.py)."""
        return safe_text(super().__str__())


class ConfigError(RelprobeError):
    """A key or a value of the configuration is wrong or missing."""


class SourceError(RelprobeError):
    """An external file cannot be fetched, or its SHA-256 is not the one in the configuration."""


class DataError(RelprobeError):
    """A file is missing, damaged or has other contents than its reader expects."""


class ModelError(RelprobeError):
    """A model cannot be loaded, or computes wrong values such as NaN."""


class ProbeError(RelprobeError):
    """A model cannot answer a request, for example because the text has no slot."""


def full_disk(error: BaseException | None) -> str | None:
    """Return the message of a full disk in `error` or in the errors that led to it; None if there is none.

    Where several errors have such a message, that of the earliest one is returned.

    >>> full_disk(OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)))
    '[Errno 28] No space left on device'
    >>> full_disk(DataError("words.csv is missing: add it.")) is None
    True
    """
    return _earliest(error, OUT_OF_SPACE)


def failing_disk(error: BaseException | None) -> str | None:
    """Return the message of a disk that fails in `error` or in the errors that led to it, as `full_disk` does.

    >>> failing_disk(OSError(errno.EIO, os.strerror(errno.EIO), "scores.parquet"))
    "[Errno 5] Input/output error: 'scores.parquet'"
    """
    return _earliest(error, BROKEN)


def _earliest(error: BaseException | None, messages: Sequence[str]) -> str | None:
    message = None
    while error is not None:
        if any(words in str(error) for words in messages):
            message = first_line(error)
        error = error.__cause__ or error.__context__
    return message


def no_access(error: BaseException | None) -> str | None:
    """Return a sentence if `error` says that a file or folder may not be written or read, or has the wrong place; else None.

    >>> no_access(PermissionError(errno.EACCES, "Permission denied", "/scores.csv"))
    '/scores.csv cannot be written or read (Permission denied): name another place, or change its permissions.'
    >>> no_access(FileNotFoundError(errno.ENOENT, "No such file or directory", "a.csv")) is None
    True
    """
    if isinstance(error, OSError) and error.errno in NO_ACCESS and error.filename:
        reason = f"{error.filename} cannot be written or read ({error.strerror})"
        return f"{reason}: name another place, or change its permissions."
    return None


def shorten(text: str, most: int = 300) -> str:
    r"""Return the beginning of another program's message as one line, cut behind a sentence or a word.

    >>> shorten("no such layer: 13. Layers are numbered from 0.", 30)
    'no such layer: 13.'
    >>> shorten("a  layer\nis missing"), shorten("hippopotamus", 5)
    ('a layer is missing', 'hippo …')
    >>> len(shorten("word" * 75)), shorten("word" * 75 + "s")[-6:]
    (300, 'word …')
    """
    line = " ".join(text.split())
    if len(line) <= most:
        return line
    sentence, mark, _ = line[:most].rpartition(". ")
    if mark:
        return f"{sentence}."
    return f"{line[:most].rpartition(' ')[0] or line[:most]} …"


def first_line(error: BaseException) -> str:
    r"""Return the first line of an error's message, to quote it in a sentence.

    >>> first_line(ValueError("no such layer: 13\nlayers are numbered from 0"))
    'no such layer: 13'
    """
    return str(error).strip().partition("\n")[0]
