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
    """Check that the resource and the prompts that the degrees study names are there."""
    study = config["degrees"]
    if "semeval2012" not in config["resources"]:
        raise ConfigError(
            "config: degrees needs resources.semeval2012, the packages of SemEval-2012 Task 2: "
            "add it, as resources/studies/degrees.yaml shows."
        )
    if not exists(study["prompts"]):
        raise ConfigError(f"config: degrees.prompts names {study['prompts']}, which does not exist: correct it.")
