"""What the configuration of the systematicity study must have beyond its schema."""

from typing import Any

from relprobe.core.errors import ConfigError
from relprobe.studies.systematicity.metrics import OPEN


def check(config: dict[str, Any]) -> None:
    """Check that WordNet is there, and that every category is named once and has another beside it."""
    study = config["systematicity"]
    if "wordnet" not in config["resources"]:
        raise ConfigError("config: systematicity needs resources.wordnet: add it, as config.yaml shows.")
    names = [category for categories in study["categories"].values() for category in categories]
    twice = next((category for category in names if names.count(category) > 1), None)
    if twice is not None:
        raise ConfigError(f"config: systematicity.categories names {twice!r} twice: leave it out once.")
    for carrier in study["carriers"]:
        if carrier.count("[W]") != 1:
            raise ConfigError(f"config: systematicity.carriers holds {carrier!r}, which must have one [W]: correct it.")
    longest = max(OPEN.values())
    if study["top_k"] < longest:
        raise ConfigError(
            f"config: systematicity.top_k is below {longest}, the cut-off of open-vocabulary precision: raise it."
        )


def needs_hidden_states(_config: dict[str, Any]) -> bool:
    """Say that the classifiers read the hidden states of every model."""
    return True
