"""The errors a user can mend; each message is one plain sentence that names what is wrong and the remedy."""

import errno
import os

OUT_OF_SPACE = tuple(map(os.strerror, (errno.ENOSPC, errno.EDQUOT)))
"""What the system says when a disk, or the user's share of it, is full; libraries hand on the words without the number."""


class RelprobeError(Exception):
    """The root: whatever is raised below it reaches the user as its sentence, without a traceback."""


class ConfigError(RelprobeError):
    """A key or value of the configuration does not fit."""


class SourceError(RelprobeError):
    """An external file cannot be had, or is not the one that was pinned."""


class DataError(RelprobeError):
    """A file was had but does not say what its reader expects."""


class ModelError(RelprobeError):
    """A model cannot be loaded or does not compute what it should."""


class ProbeError(RelprobeError):
    """A request that a model cannot answer as it stands."""


def full_disk(error: BaseException | None) -> str | None:
    """Return the first message that a full disk gave, be it that of an error that led to `error`; None: it gave none."""
    said = None
    while error is not None:
        if any(words in str(error) for words in OUT_OF_SPACE):
            said = first_line(error)
        error = error.__cause__ or error.__context__
    return said


def first_line(error: BaseException) -> str:
    """Return the first line of a library's message, to quote in a sentence of ours."""
    return str(error).strip().partition("\n")[0]
