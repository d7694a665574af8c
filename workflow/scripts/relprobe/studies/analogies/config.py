"""Checks of the configuration of the analogies study that its schema cannot make."""

from pathlib import Path
from typing import Any

from relprobe.core.errors import ConfigError, DataError
from relprobe.studies.analogies.data import OWN, own
from relprobe.studies.analogies.template import Template, check_pair_template

NEEDS = (
    "bats",
    "get BATS 3.0 at https://vecto.space/projects/BATS and name its folder, or the archive's url and sha256, "
    "under resources.bats, or a CSV file of your own analogies as resources.own_analogies.path",
)
"""The resource that users get themselves, and how to get it; without it, and without INSTEAD, the study is left out."""
INSTEAD = OWN
"""The resource that takes the place of BATS: own analogies."""


def check(config: dict[str, Any]) -> None:
    """Check the templates of the analogies study, the names of the encoders, and own analogies on this machine.

    ConfigError: a template has another form, an encoder has the name of a model, or a line of own data is wrong.
    """
    path = config["resources"].get(INSTEAD, {}).get("path")
    if path is not None and Path(path).is_file():
        try:
            own(Path(path))
        except DataError as error:
            raise ConfigError(str(error)) from None
    Template.of(config["analogies"]["template"])
    for name in config["analogies"].get("supervised", {}).get("layers", {}):
        if name not in config["models"]:
            raise ConfigError(f"config: analogies.supervised.layers names {name!r}, which is no model: correct it.")
    for name, entry in config["encoders"].items():
        if name in config["models"]:
            raise ConfigError(f"config: encoders.{name} has the name of a model: rename one of them.")
        if "template" in entry:
            check_pair_template(entry["template"], entry.get("pooling", ""), f"config: encoders.{name}.template")


def needs_hidden_states(_config: dict[str, Any]) -> bool:
    """Say that the classifiers read the hidden states of every model."""
    return True
