"""Checks of the configuration of the degrees study that its schema cannot make, and the names of its raters."""

from pathlib import Path
from typing import Any

from relprobe.core.errors import ConfigError, DataError
from relprobe.core.files import exists, single_file
from relprobe.studies.degrees.data import OWN, own

TASK = "maxdiff"
"""Models may answer the task's MaxDiff questions, as people did."""
TASK_HERE = True
"""Models on this machine may, too."""
SENTENCES = True
"""Whole sentences are scored or embedded, which are no answers in words."""

LAYERS = True
"""Agents with `layers` are asked layer by layer: their hidden states rate the pairs."""

UNREAD = {"analogy": ("shots",), "hidden": ("shots",), "layers": ("shots",)}
"""Kind of scores, or part -> what of an agent's entry it does not read: no example stands before an analogy, which holds
paradigms itself, or before a sentence whose states are read."""

CONTROLS = ("random", "pmi", "static", "typical")
"""The names of its controls; those of all studies decide their markers in figures."""

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
    "and name their folder as resources.semeval2012.path, or a CSV file of your own ratings as "
    "resources.own_ratings.path",
)
"""The resource that users get themselves, and how to get it; without it, and without INSTEAD, the study is left out."""


INSTEAD = OWN
"""The resource that takes the place of the package: own ratings."""


def check(config: dict[str, Any]) -> None:
    """Check the prompts of the degrees study, and own ratings that lie on this machine.

    ConfigError: the file of prompts does not exist, or a line or a relation of own data is wrong.
    """
    study = config["degrees"]
    if not exists(study["prompts"]):
        raise ConfigError(f"config: degrees.prompts names {study['prompts']}, which does not exist: correct it.")
    if INSTEAD in config["resources"]:
        for name, entry in config.get("models", {}).items():
            if entry.get("task") == TASK:
                raise ConfigError(
                    f"config: models.{name} has `task: {TASK}`, but people answered no MaxDiff questions about own ratings: "
                    "take the agent out."
                )
    try:
        if (file := single_file(config["resources"].get(INSTEAD, {}).get("path"))) is not None:
            own(file, Path(study["prompts"]))
    except DataError as error:
        raise ConfigError(str(error)) from None


def needs_hidden_states(config: dict[str, Any]) -> bool:
    """Say whether a rater reads hidden states."""
    return "hidden" in config["degrees"]["raters"]
