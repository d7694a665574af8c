"""What the configuration of the degrees study must have beyond its schema, and the names of its raters."""

from typing import Any

from relprobe.core.errors import ConfigError
from relprobe.core.files import exists

RATERS = {
    "schema": "schema",
    "schema-mean": "schema",
    "analogy": "analogy",
    "analogy-mean": "analogy",
    "pmi": "pmi",
    "hidden": "hidden",
}
"""Rater -> the kind of scores it is made of."""

NEEDS = (
    "semeval2012",
    "get the packages of SemEval-2012 Task 2 from https://sites.google.com/site/semeval2012task2/ "
    "and name their folder as resources.semeval2012.path",
)
"""The resource that the user must bring, and how to get it; without it the study is left out."""


def check(config: dict[str, Any]) -> None:
    """Check that the prompts that the degrees study names are there."""
    study = config["degrees"]
    if not exists(study["prompts"]):
        raise ConfigError(f"config: degrees.prompts names {study['prompts']}, which does not exist: correct it.")
