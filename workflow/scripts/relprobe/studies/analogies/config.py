"""Checks of the configuration of the analogies study that its schema cannot make."""

from typing import Any

from relprobe.core.errors import ConfigError
from relprobe.studies.analogies.template import Template, check_pair_template

NEEDS = (
    "bats",
    "get BATS 3.0 at https://vecto.space/projects/BATS and name its folder, or the archive's url and sha256, "
    "under resources.bats",
)
"""The resource that users get themselves, and how to get it; without it the study is left out."""


def check(config: dict[str, Any]) -> None:
    """Check the templates of the analogies study, and that no encoder has the name of a model."""
    Template.of(config["analogies"]["template"])
    for name, entry in config["encoders"].items():
        if name in config["models"]:
            raise ConfigError(f"config: encoders.{name} has the name of a model: rename one of them.")
        if "template" in entry:
            check_pair_template(entry["template"], entry.get("pooling", ""), f"config: encoders.{name}.template")


def needs_hidden_states(_config: dict[str, Any]) -> bool:
    """Say that the classifiers read the hidden states of every model."""
    return True
