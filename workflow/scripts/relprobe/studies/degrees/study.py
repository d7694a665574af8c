"""What the degrees study is, the names of its raters, and what its configuration must have beyond its schema."""

from collections.abc import Sequence
from pathlib import Path

from relprobe.core.errors import ConfigError, DataError
from relprobe.core.files import exists, single_file
from relprobe.core.metric import Metric
from relprobe.core.study import Config, Needs, Study, Task
from relprobe.studies.degrees.claims import CLAIMS
from relprobe.studies.degrees.data import OWN, own

TASK = Task("maxdiff")
"""The MaxDiff questions of the task, as people answered them."""
RATERS = {
    "schema": "schema",
    "schema-mean": "schema",
    "analogy": "analogy",
    "analogy-mean": "analogy",
    "pmi": "pmi",
    "hidden": "hidden",
}
"""Rater -> the kind of scores that it reads."""


def check(config: Config) -> None:
    """Check the prompts of the degrees study, and own ratings that lie on this machine.

    ConfigError: the file of prompts does not exist, or a line or a relation of own data is wrong.
    """
    study = config["degrees"]
    if not exists(study["prompts"]):
        raise ConfigError(f"config: degrees.prompts names {study['prompts']}, which does not exist: correct it.")
    if OWN in config["resources"]:
        for name, entry in config.get("models", {}).items():
            if entry.get("task") == TASK.name:
                raise ConfigError(
                    f"config: models.{name} has `task: {TASK.name}`, but people answered no MaxDiff questions about own "
                    "ratings: take the agent out."
                )
    try:
        if (file := single_file(config["resources"].get(OWN, {}).get("path"))) is not None:
            own(file, Path(study["prompts"]))
    except DataError as error:
        raise ConfigError(str(error)) from None


def reads_hidden_states(config: Config) -> bool:
    """Say whether a rater reads hidden states."""
    return "hidden" in config["degrees"]["raters"]


def metrics() -> Sequence[Metric]:
    """Return the metrics of the study."""
    from relprobe.studies.degrees.measure import MEASURES

    return MEASURES


STUDY = Study(
    check=check,
    metrics=metrics,
    claims=CLAIMS,
    controls=("random", "pmi", "static", "typical"),
    task=TASK,
    needs=Needs(
        "semeval2012",
        "get the packages of SemEval-2012 Task 2 from https://sites.google.com/site/semeval2012task2/ "
        "and name their folder as resources.semeval2012.path, or a CSV file of your own ratings as "
        "resources.own_ratings.path",
        own=OWN,
    ),
    sentences=True,
    layers=True,
    # No example stands before an analogy, which holds paradigms itself, or before a sentence whose states are read.
    unread={"analogy": ("shots",), "hidden": ("shots",), "layers": ("shots",)},
    hidden_states=reads_hidden_states,
)
