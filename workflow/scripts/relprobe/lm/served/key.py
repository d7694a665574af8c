"""The key of a server: it comes from the environment, and stands in no file, log or command line."""

import os
from collections.abc import Mapping
from typing import Any

from relprobe.core.errors import ConfigError
from relprobe.core.secrets import note_secret


def key_of(server: Mapping[str, Any]) -> str | None:
    """Return the key of a server from the environment, without blanks around it; None if its entry names no variable.

    ConfigError: the variable is not set, or what it holds cannot be sent as a key.

    >>> key_of({"endpoint": "http://localhost:8000/v1"}) is None
    True
    """
    variable = server.get("key_env")
    if variable is None:
        return None
    key = os.environ.get(variable, "").strip()
    if not key:
        raise ConfigError(f"the environment variable {variable}, which `key_env` names, is not set: export it.")
    return checked_key(key, f"the environment variable {variable}")


def checked_key(key: str, source: str) -> str:
    """Return a key that can be sent in a header, noted as a secret. `source`: where it comes from.

    ConfigError: one of its characters is none of ASCII that is printed. The error shows nothing of the key.
    """
    note_secret(key)
    wrong = [number for number, letter in enumerate(key, 1) if not " " <= letter <= "~"]
    if wrong:
        raise ConfigError(
            f"{source} holds no key that can be sent: its character {wrong[0]} of {len(key)} is a line break, a control "
            "character or no ASCII: set it again without it."
        )
    return key
