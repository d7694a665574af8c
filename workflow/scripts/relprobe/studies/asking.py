"""The checks of how the agents of a configuration are asked: with examples, in a chat, for a task, or layer by layer."""

from pathlib import Path
from typing import Any

from relprobe.core.errors import ConfigError, DataError
from relprobe.core.study import study_of
from relprobe.studies import STUDIES, conversations, examples, studies_with
from relprobe.studies.entries import NO_CHAT_MODEL, SOURCE, TASK_KEYS, is_chat_model

ALL_TASKS = "people"
"""The value of `task` that stands for the task of every study."""


def takes_task(entry: dict[str, Any], study: str) -> bool:
    """Return whether an agent takes the task that people took in a study (`Study.task`).

    >>> takes_task({"task": "people"}, "relations"), takes_task({"task": "list"}, "degrees")
    (True, False)
    """
    task = study_of(study).task
    return task is not None and entry.get("task") in (task.name, ALL_TASKS) and study in entry.get("studies", STUDIES)


def check_asking(config: dict[str, Any], configured: list[str]) -> None:
    """Check how the agents are asked: with examples, in a chat, or for lists. ConfigError: see the sentences."""
    lines: set[tuple[str, str]] = set()
    for name, entry in config["models"].items():
        where, studies = f"models.{name}", [study for study in configured if study in entry.get("studies", STUDIES)]
        for key in ("chat", "task"):
            if key in entry and entry["type"] != "causal":
                kind = {"masked": "a masked model", "encoder-decoder": "an encoder-decoder model"}[entry["type"]]
                raise ConfigError(f"config: {where} has `{key}`, but {kind} writes no answers here: leave it out.")
        if "task" in entry:
            _check_task(where, entry)
            studies = [study for study in studies if takes_task(entry, study)]
        elif alone := [key for key in TASK_KEYS if key in entry]:
            raise ConfigError(f"config: {where} has `{alone[0]}` without `task`: add it, or leave `{alone[0]}` out.")
        if "layers" in entry:
            _check_layers(where, entry)
            studies = [study for study in studies if study_of(study).layers]
        embedding = [study for study in studies if study_of(study).sentences]
        if entry.get("chat") == "answer" and embedding:
            raise ConfigError(
                f"config: {where} has `chat: answer`, but the study {embedding[0]} scores or embeds whole sentences: use "
                f"`chat: true`, or name other studies in {where}.studies."
            )
        if "chat" in entry or "task" in entry:
            lines |= {(study, line) for study in studies for line in lines_of(entry, study)}
        if "shots" in entry:
            _check_shots(where, entry["shots"], config, studies)
    for study, line in sorted(lines):
        try:
            conversations.check(Path(config["prompting"]["chat"]), study, line)
        except DataError as error:
            raise ConfigError(f"config: prompting.chat: {error}") from error


def lines_of(entry: dict[str, Any], study: str) -> tuple[str, ...]:
    """Return the names of the lines that an agent is asked with in a chat or for a task, beside `system`.

    >>> lines_of({"chat": "answer"}, "definitions"), lines_of({"task": "people"}, "definitions")
    (('question',), ('w2d', 'd2w'))
    """
    if "task" in entry:
        task = study_of(study).task
        return () if task is None else task.lines
    return ("question" if entry["chat"] == "answer" else "instruction",)


def _check_task(where: str, entry: dict[str, Any]) -> None:
    """Check an agent that takes a task. ConfigError: it has examples, or answers in another way, or has no study."""
    task = entry["task"]
    if is_chat_model(entry):
        unused = [key for key in (*NO_CHAT_MODEL, *SOURCE) if key in entry]
        if unused:
            raise ConfigError(
                f"config: {where} has `task` and an endpoint, so it is asked in words as people were, and {unused[0]!r} "
                "says nothing there: leave it out."
            )
    if "shots" in entry or entry.get("chat") == "answer":
        key = "shots" if "shots" in entry else "chat: answer"
        raise ConfigError(
            f"config: {where} has `task: {task}` and `{key}`: people saw no examples and had a task of their own; leave it "
            "out."
        )
    if entry.get("thoughts") and not ({"endpoint", "chat"} & entry.keys()):
        raise ConfigError(
            f"config: {where} has `thoughts`, which a model on this machine has in its chat template alone: add "
            "`chat: true`, or leave `thoughts` out."
        )
    _check_studies_of_task(where, entry)


def _check_studies_of_task(where: str, entry: dict[str, Any]) -> None:
    """Check that an agent takes part in a study with its task, and can be asked there. ConfigError: it does not."""
    task = entry["task"]
    tasks = {
        study: task_of_study
        for study in STUDIES
        if (task_of_study := study_of(study).task) and task in (task_of_study.name, ALL_TASKS)
    }
    taken = list(tasks)
    if "endpoint" not in entry:
        taken = [study for study, task_of_study in tasks.items() if task_of_study.here]
        if not taken:
            raise ConfigError(
                f"config: {where} has `task: {task}`, which models take behind an `endpoint` alone: add it."
            )
    if not set(taken) & set(entry.get("studies", taken)):
        raise ConfigError(
            f"config: {where} has `task: {task}`, which is of the study {' or '.join(taken)} alone: add it to "
            f"{where}.studies."
        )


def _check_layers(where: str, entry: dict[str, Any]) -> None:
    """Check an agent that is asked layer by layer. ConfigError: its layers have no answers, or a study asks none."""
    faults = {
        "it has an endpoint, and a server gives no answers of single layers": "endpoint" in entry,
        "it is an encoder-decoder model": entry["type"] == "encoder-decoder",
        "it has `task`, and lists are written with the whole model": "task" in entry,
        "it has `chat: answer`, and an answer in words is written with the whole model": entry.get("chat") == "answer",
    }
    for fault in (name for name, true in faults.items() if true):
        raise ConfigError(f"config: {where} has `layers`, but {fault}: leave one of them out.")
    asking = studies_with(lambda study: study.layers)
    if not set(entry.get("studies", asking)) <= set(asking):
        raise ConfigError(
            f"config: {where} has `layers`, which is of the studies {', '.join(asking)} alone: name only these in "
            f"{where}.studies."
        )


def _check_shots(where: str, shots: int, config: dict[str, Any], studies: list[str]) -> None:
    """Check that the file of examples is well-formed and has enough of them. ConfigError: it is not, or has too few."""
    try:
        for study in studies:
            if (width := study_of(study).example) is not None:
                examples.check(Path(config["prompting"]["examples"]), study, width, shots)
    except DataError as error:
        raise ConfigError(f"config: {where}.shots is {shots}, but {error}") from error
