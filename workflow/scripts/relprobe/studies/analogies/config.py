"""Checks of the configuration of the analogies study that its schema cannot make."""

from collections.abc import Mapping
from typing import Any

from relprobe.core.errors import ConfigError, DataError
from relprobe.core.files import single_file
from relprobe.studies.analogies.ask import Template, check_pair_template
from relprobe.studies.analogies.data import DEMONSTRATION, OWN, own

EXAMPLE = 4
"""The number of words of a solved example: two pairs that are related alike."""
SENTENCES = True
"""Whole sentences are scored or embedded, which are no answers in words."""
TASK = "continue"
"""Models may say in words which of two pairs continues an analogy."""
TASK_HERE = True
"""Models on this machine may, too."""
LAYERS = True
"""Agents with `layers` are asked layer by layer: classifiers read their states."""
UNREAD = {"embeddings": ("shots",), "layers": ("shots",)}
"""Part -> what of an agent's entry it does not read: sentences are embedded without examples before them."""
CONTROLS = ("static",)
"""The names of its controls; those of all studies decide their markers in figures."""

NEEDS = (
    "bats",
    "get BATS 3.0 at https://vecto.space/projects/BATS and name its folder, or the archive's url and sha256, "
    "under resources.bats, or a CSV file of your own analogies as resources.own_analogies.path",
)
"""The resource that users get themselves, and how to get it; without it, and without INSTEAD, the study is left out."""
INSTEAD = OWN
"""The resource that takes the place of BATS: own analogies."""
STAND_IN = ("demonstration", DEMONSTRATION, "BATS 3.0")
"""The key of the section that names a shipped file, the resource that it becomes, and the data that are not there then."""


def check(config: dict[str, Any]) -> None:
    """Check the templates of the analogies study, the names of the encoders, and own analogies on this machine.

    ConfigError: a template has another form, an encoder has the name of a model, or a line of own data is wrong.
    """
    for name in (INSTEAD, DEMONSTRATION):
        try:
            if (file := single_file(config["resources"].get(name, {}).get("path"))) is not None:
                own(file)
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


def settings_of(config: Mapping[str, Any], agent: str) -> Any:
    """Return what the section says of an agent by its name: the layer that its classifiers read."""
    return config.get("analogies", {}).get("supervised", {}).get("layers", {}).get(agent)


def needs_hidden_states(_config: dict[str, Any]) -> bool:
    """Say that the classifiers read the hidden states of every model."""
    return True
