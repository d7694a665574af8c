"""Checks of the configuration of the degrees study that its schema cannot make, and the names of its raters."""

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
"""Rater -> the kind of scores that it reads."""

NEEDS = (
    "semeval2012",
    "get the packages of SemEval-2012 Task 2 from https://sites.google.com/site/semeval2012task2/ "
    "and name their folder as resources.semeval2012.path",
)
"""The resource that users get themselves, and how to get it; without it the study is left out."""


def check(config: dict[str, Any]) -> None:
    """Check the prompts of the degrees study. ConfigError: the file does not exist."""
    study = config["degrees"]
    if not exists(study["prompts"]):
        raise ConfigError(f"config: degrees.prompts names {study['prompts']}, which does not exist: correct it.")


def needs_hidden_states(config: dict[str, Any]) -> bool:
    """Say whether a rater reads hidden states."""
    return "hidden" in config["degrees"]["raters"]
