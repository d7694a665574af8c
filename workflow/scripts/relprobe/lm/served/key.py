"""The key of a server: it comes from the environment, and stands in no file, log or command line."""

import os
from collections.abc import Mapping
from typing import Any

from relprobe.core.errors import ConfigError


def key_of(server: Mapping[str, Any]) -> str | None:
    """Return the key of a server from the environment; None if its entry names no variable.

    >>> key_of({"endpoint": "http://localhost:8000/v1"}) is None
    True
    """
    variable = server.get("key_env")
    if variable is None:
        return None
    if not os.environ.get(variable):
        raise ConfigError(f"the environment variable {variable}, which `key_env` names, is not set: export it.")
    return os.environ[variable]
