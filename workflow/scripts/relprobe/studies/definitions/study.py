"""What the definitions study is, and what its configuration must have beyond its schema."""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from relprobe.core.analyses import by_agent
from relprobe.core.errors import ConfigError, DataError
from relprobe.core.files import exists, single_file
from relprobe.core.study import (
    Config,
    InRun,
    Roles,
    StepInput,
    Study,
    Targets,
    Task,
    agent_files,
    readings,
    table_files,
)
from relprobe.studies.definitions.claims import CLAIMS
from relprobe.studies.definitions.dictionary import OWN
from relprobe.studies.definitions.patterns import check_parts, read
from relprobe.studies.definitions.schemas import GUESS, HUMANS
from relprobe.studies.frame.run import page_in_run

COUNTS = "word_counts"
ANSWERS_RESOURCE = "definition_answers"
CONTROLS = (GUESS, "length", "frequency")
"""The controls of every run; sets of static vectors are controls, too."""
MOST_VALUES_MB = 4000
"""What the values of a dozen agents take, a million rows each, where all 59,747 groups are worked out."""


def check(config: Config) -> None:
    """Check the data, the patterns, the choices and the names of the study. ConfigError: see the sentences."""
    study, resources = config["definitions"], config["resources"]
    if "wordnet" not in resources and OWN not in resources:
        raise ConfigError(
            f"config: definitions needs resources.wordnet: add it, as config.yaml shows, or your own dictionary as "
            f"resources.{OWN}."
        )
    for model in study["capitals"]:
        if model not in config["models"]:
            raise ConfigError(
                f"config: definitions.capitals names {model!r}, which is not among the models: correct it."
            )
    _check_choices(study, resources)
    parts = _parts_of_speech(study, resources)
    _check_sample(study, parts)
    _check_patterns(study["prompts"], parts)
    _check_files(resources)


def capital(config: Mapping[str, Any], agent: str) -> Any:
    """Return what the section says of an agent by its name: whether its texts begin with a capital letter."""
    return agent in config.get("definitions", {}).get("capitals", ())


def _check_choices(study: dict[str, Any], resources: dict[str, Any]) -> None:
    choices, sizes = study.get("choices", {}), study.get("candidates", {})
    if choices.get("causal_d2w") == "whole" and not study.get("word_boundary"):
        raise ConfigError(
            "config: definitions.choices.causal_d2w is whole, but the ends of words are not scored: add "
            "`word_boundary: true` to definitions."
        )
    if choices.get("phrases") == "joined" and COUNTS in resources:
        raise ConfigError(
            f"config: definitions.choices.phrases is joined, which wordfreq alone does: leave it out, or resources.{COUNTS}."
        )
    if choices.get("bands", [0, 1])[0] >= choices.get("bands", [0, 1])[1]:
        raise ConfigError("config: definitions.choices.bands must rise: the second number is the lower one.")
    if sizes.get("maximum") is not None and sizes["maximum"] < sizes.get("minimum", 5):
        raise ConfigError("config: definitions.candidates.maximum is below the minimum: correct one of them.")


def _parts_of_speech(study: dict[str, Any], resources: dict[str, Any]) -> list[str]:
    """Return the parts of speech of the run, as far as they are known now: those of an own dictionary are in the file."""
    if OWN not in resources:
        return list(study.get("parts_of_speech", ["noun", "verb"]))
    from relprobe.sources.own.definitions import read as read_own

    try:
        file = single_file(resources[OWN].get("path"))
        return [] if file is None else list(dict.fromkeys(entry.pos for entry in read_own(file)))
    except DataError as error:
        raise ConfigError(f"config: resources.{OWN}: {error}") from None


def _check_sample(study: dict[str, Any], parts: Iterable[str]) -> None:
    for pos in parts:
        if study.get("sample") and pos not in study["sample"]:
            raise ConfigError(
                f"config: definitions.sample says nothing of {pos}s: add `{pos}:` and the number of groups to draw."
            )


def _check_patterns(file: str, parts: Iterable[str]) -> None:
    if not exists(file):
        raise ConfigError(f"config: definitions.prompts names {file}, which does not exist: correct it.")
    try:
        check_parts(read(Path(file)), parts, Path(file))
    except DataError as error:
        raise ConfigError(f"config: definitions.prompts: {error}") from None


def _check_files(resources: dict[str, Any]) -> None:
    """Check the files of counts and of people's answers that lie on this machine."""
    from relprobe.sources.exported import Layout
    from relprobe.sources.own import definition_answers, word_counts

    entry = resources.get(ANSWERS_RESOURCE, {})
    layout = Layout.of(entry)
    if layout is not None:
        layout.check(definition_answers.ANSWER_TABLE)
    checks: dict[str, Callable[[Path], object]] = {
        COUNTS: word_counts.check_header,
        ANSWERS_RESOURCE: partial(definition_answers.read, layout=layout),
    }
    for resource, look in checks.items():
        try:
            if (file := single_file(resources.get(resource, {}).get("path"))) is not None:
                look(file)
        except DataError as error:
            raise ConfigError(f"config: resources.{resource}: {error}") from None


def targets(config: Config) -> Mapping[str, Targets]:
    """Return part of speech -> its number of groups, where a sample of them is drawn. `config`: a validated one."""
    study = config["definitions"]
    parts = _parts_of_speech(study, config["resources"])
    sample = study.get("sample") or {}
    return {pos: Targets(sample[pos], sample[pos]) for pos in parts if sample}


def has_people(config: Config) -> bool:
    """Return whether people's answers are an agent of the run."""
    return ANSWERS_RESOURCE in config["resources"]


def agents(config: Config, roles: Roles) -> list[str]:
    """Return the agents of a run, in the order of its tables: people, controls, models, and those with people's task."""
    return [*[HUMANS] * has_people(config), *CONTROLS, *roles.vectors, *roles.models, *roles.task_agents]


def in_run(config: Config, roles: Roles) -> InRun:
    """Return what the study says of itself in a run. `config`: a validated one."""
    study = config["definitions"]
    all_agents, controls = agents(config, roles), [*CONTROLS, *roles.vectors]
    people = [HUMANS] * has_people(config)
    is_wordnet = OWN not in config["resources"]
    facts = {"paper": is_wordnet, "static": "static_vectors" in config["resources"]}
    page = page_in_run("definitions", config, roles, facts)
    kinds = dict.fromkeys(people, "humans") | dict.fromkeys(controls, "control") | dict(roles.types)
    responses = agent_files("definitions", "responses", all_agents)
    figures = page.figure_settings(kinds)
    return InRun(
        all_agents,
        controls,
        page.has,
        scored=agent_files("definitions", "scores", roles.models),
        compared=StepInput(
            table_files("definitions", "properties"),
            {
                "persons": people,
                "minimum": study["candidates"]["minimum"],
                "bands": study["choices"]["bands"],
            },
            makes=["tasks", "sizes"],
            memory=MOST_VALUES_MB,
        ),
        shown=StepInput(
            {
                **table_files("definitions", "groups", "probes", "properties", "tasks", "sizes"),
                "responses": responses,
                **page.agent_tables(all_agents, roles.task_agents),
                "by_agent": by_agent("definitions", [agent for agent in all_agents if agent not in (HUMANS, GUESS)]),
            },
            {
                **figures,
                "table_names": page.table_names(),
                "targets": study["targets"],
                "averaged_units": config["targets"],
                "ties": study["choices"]["ties"],
                "source": "WordNet" if is_wordnet else "your dictionary",
            },
            shipped=page.published(),
            makes=["answers"],
            memory=MOST_VALUES_MB,
        ),
        drawn=StepInput(table_files("definitions", "averages"), figures),
        trials=StepInput(
            {"responses": responses, **table_files("definitions", "properties")},
            {"ties": study["choices"]["ties"], "expected": [GUESS]},
        ),
        people=ANSWERS_RESOURCE,
        readable=readings(
            {
                **table_files("definitions", "groups", "probes", "properties", "words"),
                "responses": responses,
            }
        ),
    )


STUDY = Study(
    check=check,
    claims=CLAIMS,
    controls=(*CONTROLS, "static"),
    takes=("SUBSETS", "describe", "agent_table", "published"),
    task=Task("choose", ("w2d", "d2w")),
    example=2,  # word and definition
    agent_settings=capital,
    targets=targets,
    in_run=in_run,
)
