"""The sections of the studies: their checks, which studies lack their data, and what is said of them before a run."""

import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from relprobe.core.errors import ConfigError, DataError
from relprobe.core.files import exists, read_yaml
from relprobe.core.study import Needs, Targets, study_of
from relprobe.core.words import amount
from relprobe.studies import STUDIES, asking

MANY = 10_000_000
"""More answers of a model than these are named before a run: a GPU gives some thousands a second."""
STUDY_FILES = ("prompts", "relations", "language")
"""The keys of a study's section that name a YAML file."""


def studies_of(config: Mapping[str, Any]) -> list[str]:
    """Return the studies that a configuration has a section of."""
    return [study for study in STUDIES if study in config]


def resources_of_users() -> set[str]:
    """Return the resources that users must get (`Study.needs`): their studies are left out where these are not there."""
    return {needs.resource for needs in _needs(STUDIES).values()}


def have_data(config: dict[str, Any]) -> bool:
    """Return whether a study of a configuration needs no data that its user must get, has them, or others in their place."""
    studies = studies_of(config)
    stand_ins = {study: needs.stand_in for study, needs in _needs(studies).items() if needs.stand_in is not None}
    return any(
        _data_of(config, study) is None or (study in stand_ins and stand_ins[study].key in config[study])
        for study in studies
    )


def shipped_files(config: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the section and the key of each YAML file that a configuration may name, of which this project has some."""
    yield from (("prompting", key) for key in ("examples", "chat"))
    yield from ((study, key) for study in studies_of(config) for key in STUDY_FILES)


def find_shipped(section: dict[str, Any], key: str, root: Path) -> None:
    """Replace the path of a shipped file by its path from the working directory, in place. `root`: see `config.validate`."""
    file = section.get(key)
    if file is not None and not exists(file) and exists(str(root / file)):
        section[key] = os.path.relpath(root / file)


def check(config: dict[str, Any]) -> None:
    """Check the sections of the studies. `config`: a complete one, whose entries were checked. ConfigError: see there."""
    studies = studies_of(config)
    asking.check_asking(config, studies)
    for study in studies:
        study_of(study).check(config)
    _check_files(config)
    missing = left_out(config)
    _check_embeddings(config, [study for study in studies if study not in missing])
    if len(missing) == len(studies):
        raise ConfigError(f"config: there is no study to run. {' '.join(missing.values())}")


def stand_in(config: dict[str, Any], study: str, root: Path) -> None:
    """Add the resource that a study may have in place of the one that it lacks (`StandIn`), in place.

    `root`: see `config.validate`. ConfigError: it is not there.
    """
    needs = study_of(study).needs
    other = None if needs is None else needs.stand_in
    if other is None or other.key not in config[study] or _data_of(config, study) is None:
        return
    find_shipped(config[study], other.key, root)
    if not exists(file := config[study][other.key]):
        raise ConfigError(f"config: {study}.{other.key} names {file}, which does not exist: correct it.")
    config["resources"][other.resource] = {"path": file}


def stand_ins(config: dict[str, Any], *, remedies: bool = False) -> dict[str, str]:
    """Return the studies that have other data in place of those that they lack: study -> a sentence that says so.

    `config`: a validated configuration. `remedies`: say after it how to get the data.
    """
    sentences = {}
    for study, needs in _needs(studies_of(config)).items():
        if needs.stand_in is not None and needs.stand_in.resource in config["resources"]:
            reason = f"{needs.stand_in.lacking} is not here ({_data_of(config, study)})"
            sentences[study] = (
                f"{study.capitalize()}: a small demonstration set is used, as {reason}; this is fine for a first run."
            )
            if remedies:
                sentences[study] += f" It is a demonstration and no benchmark: for one, {needs.remedy}."
    return sentences


def absent(config: dict[str, Any]) -> dict[str, str]:
    """Return the studies that the configuration has no section of: study -> a sentence that says what data it needs."""
    needs = _needs(STUDIES)
    return {
        study: f"The study {study} is not in this configuration: add a section `{study}` to have it."
        + (f" For its data, {needs[study].remedy}." if study in needs else "")
        for study in STUDIES
        if study not in config
    }


def left_out(config: dict[str, Any]) -> dict[str, str]:
    """Return the studies whose data are missing: study -> a sentence that says which, and where to get them.

    `config`: a validated configuration. These studies are left out of the run; the others run. A study with
    own data (`Needs.substitute`) needs no others, and neither does one with others in their place (`StandIn`).
    """
    sentences = {}
    for study, needs in _needs(studies_of(config)).items():
        has_stand_in = needs.stand_in is not None and needs.stand_in.resource in config["resources"]
        if not has_stand_in and (reason := _data_of(config, study)) is not None:
            sentences[study] = f"The study {study} is left out, as {reason}: {needs.remedy}."
    return sentences


def sizes(config: dict[str, Any]) -> dict[str, tuple[int, int]]:
    """Return study -> its probes and the answers to them that each model gives, where they are known before a run.

    `config`: a validated configuration.
    """
    found_sizes = {study: study_of(study).size(config) for study in studies_of(config)}
    return {study: size for study, size in found_sizes.items() if size is not None}


def targets(config: dict[str, Any]) -> dict[str, Mapping[str, Targets]]:
    """Return study -> relation, or another part -> its targets, where they are known before a run.

    `config`: a validated configuration.
    """
    return {study: study_of(study).targets(config) for study in studies_of(config)}


def remarks(config: dict[str, Any]) -> list[str]:
    """Return what else is said before a run: that a study asks for more than MANY answers, or guesses articles.

    `config`: a validated configuration.
    """
    many = [
        f"The study {study} asks each model for {answers:,} answers, to {amount(probes, 'probe')}, which takes long: give "
        "fewer words or prompts, or shorter lists of candidates (relprobe doctor says how long)."
        for study, (probes, answers) in sizes(config).items()
        if answers > MANY
    ]
    return many + _guessed_articles(config)


def _guessed_articles(config: dict[str, Any]) -> list[str]:
    """Return a sentence if prompts ask for articles that the file of the language tells by the ends of words alone."""
    from relprobe.sources.language import guesses_articles

    sentences = []
    for study in ("relations", "pairs"):
        language, prompts = (config.get(study, {}).get(key) for key in ("language", "prompts"))
        if not language or not prompts or not guesses_articles(Path(language)):
            continue
        if "[DET" in str(read_yaml(Path(prompts))):  # without the comments
            sentences.append(
                f"{prompts} has [DET], and {language} guesses articles by the ends of words: a probe may read “mit ein "
                "Säge”. Give a table of words with their articles (articles.before_word.table) and write [DET:dat] where "
                "the case is another, or write the prompts without [DET]."
            )
    return list(dict.fromkeys(sentences))


def _needs(studies: Iterable[str]) -> dict[str, Needs]:
    """Return the needs of the studies with a resource that the user must get, as it cannot be fetched."""
    return {study: needs for study in studies if (needs := study_of(study).needs) is not None}


def _check_files(config: dict[str, Any]) -> None:
    """Check that the YAML files that a configuration names can be read, also those that no check of a study reads."""
    for section, key in shipped_files(config):
        file = config[section].get(key)
        if file is not None and exists(file) and Path(file).is_file():
            try:
                read_yaml(Path(file))
            except DataError as error:
                raise ConfigError(f"config: {section}.{key}: {error}") from error


def _data_of(config: dict[str, Any], study: str) -> str | None:
    """Return why a study lacks the data that its user must get, or None if it has them, needs none or has own ones."""
    needs = study_of(study).needs
    if needs is None or needs.substitute in config["resources"]:
        return None
    return _absence(config, needs.resource)


def _absence(config: dict[str, Any], resource: str) -> str | None:
    """Return why a resource is missing, or None if it is there."""
    if resource not in config["resources"]:
        return f"the config has no resources.{resource}"
    path = config["resources"][resource].get("path")
    if path is None or exists(path):
        return None
    return f"resources.{resource}.path names {path}, which does not exist"


def _check_embeddings(config: dict[str, Any], studies: Iterable[str]) -> None:
    """Check that none of the studies, which are run, needs the hidden states of a served model."""
    for study in studies:
        agents = {name: entry for name, entry in config["models"].items() if study in entry.get("studies", STUDIES)}
        served = [name for name, entry in agents.items() if "endpoint" in entry and "task" not in entry]
        if served and study_of(study).hidden_states(config):
            raise ConfigError(
                f"config: models.{served[0]} is served, and a server gives no hidden states, which {study} needs: leave "
                "one of them out, for example in a configuration of its own with relations or definitions."
            )
