"""Checks of the study's configuration that its JSON schema cannot make."""

from pathlib import Path
from typing import Any

from relprobe.core.errors import ConfigError, DataError
from relprobe.core.files import exists
from relprobe.studies.definitions.prompts import read


def check(config: dict[str, Any]) -> None:
    """Check that WordNet, the patterns and the models that the study names are there. ConfigError: one is missing."""
    study = config["definitions"]
    if "wordnet" not in config["resources"]:
        raise ConfigError("config: definitions needs resources.wordnet: add it, as config.yaml shows.")
    for model in study["capitals"]:
        if model not in config["models"]:
            raise ConfigError(
                f"config: definitions.capitals names {model!r}, which is not among the models: correct it."
            )
    if not exists(study["prompts"]):
        raise ConfigError(f"config: definitions.prompts names {study['prompts']}, which does not exist: correct it.")
    try:
        read(Path(study["prompts"]))
    except DataError as error:
        raise ConfigError(f"config: definitions.prompts: {error}") from None
