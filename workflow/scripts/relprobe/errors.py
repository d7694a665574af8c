"""The errors a user can mend; each message is one plain sentence that names what is wrong and the remedy."""


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


def first_line(error: Exception) -> str:
    """Return the first line of a library's message, to quote in a sentence of ours."""
    return str(error).strip().partition("\n")[0]
