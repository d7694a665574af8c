"""What the configuration of the degrees study must have beyond its schema, and the names of its raters."""

from typing import Any

from relprobe.errors import ConfigError
from relprobe.files import exists

RATERS = {
    "schema": "schema",
    "schema-mean": "schema",
    "analogy": "analogy",
    "analogy-mean": "analogy",
    "pmi": "pmi",
    "hidden": "hidden",
}
"""Rater -> the kind of scores it is made of."""


def check(config: dict[str, Any]) -> None:
    """Check that the prompts that the degrees study names are there."""
    study = config["degrees"]
    if not exists(study["prompts"]):
        raise ConfigError(f"config: degrees.prompts names {study['prompts']}, which does not exist: correct it.")
