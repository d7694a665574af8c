"""The validation of the configuration, before any step runs. An error is one sentence: it names the key and the remedy."""

import copy
import functools
import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import jsonschema

from relprobe.core.errors import ConfigError, DataError
from relprobe.core.files import check_all_seen, exists, nfc, read_yaml
from relprobe.core.secrets import note_addresses
from relprobe.core.study import Needs, Targets, study_of
from relprobe.core.words import hint
from relprobe.studies import STUDIES, asking, entries

Validator: Any = jsonschema.validators.extend(  # type: ignore[no-untyped-call]
    jsonschema.Draft202012Validator,
    # JSON Schema takes 1.0 for an integer. It would reach the command line of a step as "1.0", which is no int there.
    type_checker=jsonschema.Draft202012Validator.TYPE_CHECKER.redefine("integer", lambda _, value: type(value) is int),
)
MANY = 10_000_000
"""More answers of a model than these are named before a run: a GPU gives some thousands a second."""
STUDY_FILES = ("prompts", "relations", "language")
"""The keys of a study's section that name a YAML file."""


def validate(config: dict[str, Any], root: Path) -> None:
    """Check a configuration and fill in the defaults, in place.

    It must fit the JSON schema (workflow/schemas) and the conditions that a schema cannot express, such as a model of the
    panel that is not among the models. A file of prompts, relations or a language that is not in the working directory is
    taken from `root`, the folder that holds config.yaml and workflow. ConfigError: a sentence on the first fault.
    """
    note_addresses(config)
    schema = whole_schema(root / "workflow/schemas")
    _check_keys(config, "the configuration")
    _compose(config)
    errors = Validator(schema).iter_errors(config)
    for error in sorted(errors, key=lambda e: (len(e.absolute_path), e.validator != "additionalProperties", e.message)):
        raise ConfigError(_sentence(error))
    _check_signs(config)
    entries.complete_paths(config)
    configured = [study for study in STUDIES if study in config]
    if not configured:
        raise ConfigError(f"config: there is no study: add a section {' or '.join(STUDIES)}.")
    config["models"] = entries.agents(config["models"])
    _check_missing(config, configured, root)
    for part in ("models", "encoders", "vectors", "resources"):
        for name, entry in config.get(part, {}).items():
            if "model" in entry or entries.is_participant(entry):
                continue  # the source is that of the other entry, or the server's own
            entries.check_origin(f"{part}.{name}", entry, _needs(STUDIES))
    for name, entry in config["models"].items():
        entries.check_server(f"models.{name}", entry)
        entries.check_adapter(f"models.{name}", entry)
    _fill_defaults(config, schema)
    entries.check_panel(config)
    _check_compare(config)
    _check_comparisons(config)
    _find_file(config["prompting"], "examples", root)
    _find_file(config["prompting"], "chat", root)
    asking.check_asking(config, configured)
    for study in configured:
        for key in STUDY_FILES:
            _find_file(config[study], key, root)
        _stand_in(config, study, root)
        study_of(study).check(config)
    _check_files(config, configured)
    missing = left_out(config)
    _check_embeddings(config, [study for study in configured if study not in missing])
    if len(missing) == len(configured):
        raise ConfigError(f"config: there is no study to run. {' '.join(missing.values())}")


def check_keys(files: Iterable[Path]) -> None:
    """Check that no key occurs twice in a file of the configuration: Snakemake would take the last one in silence.

    `files`: config.yaml, or the files of `--configfile`. Of a key that is in two files, the one in the later file counts, as
    Snakemake says. ConfigError: a key occurs twice in one of them, or a file is no valid YAML.
    """
    try:
        for file in files:
            read_yaml(file, as_written=True)
    except DataError as error:
        raise ConfigError(f"config: {error}") from error


def _check_compare(config: dict[str, Any]) -> None:
    """Check that the results folder to compare with is there. ConfigError: it holds no metrics, or an agent is unknown."""
    if "compare" not in config:
        return
    folder = Path(config["compare"]["before"])
    if not any(folder.glob("*/metrics/*.parquet")):
        raise ConfigError(f"config: compare.before names {folder}, which holds no STUDY/metrics/*.parquet: correct it.")
    for agent in config["compare"].get("renamed", {}):
        if agent not in config["models"]:
            raise ConfigError(f"config: compare.renamed names {agent}, which is no model of this run: correct it.")


def _check_comparisons(config: dict[str, Any]) -> None:
    """Check the pairs of agents that are declared. ConfigError: a name is no agent, or a pair is of one agent or twice."""
    seen: set[frozenset[str]] = set()
    for pair in config["comparisons"]:
        shown = f"[{', '.join(pair)}]"
        if unknown := [name for name in pair if name not in config["models"]]:
            raise ConfigError(
                f"config: comparisons names {shown}, but {unknown[0]} is no agent of `models`: correct the name, or leave "
                "the pair out."
            )
        studies = [set(config["models"][name].get("studies", STUDIES)) & set(config) for name in pair]
        if not set.intersection(*studies):
            raise ConfigError(
                f"config: comparisons names {shown}, but no study asks both, so that the family has no test: name a study "
                "in `studies` of both, or leave the pair out."
            )
        if len(set(pair)) == 1:
            raise ConfigError(
                f"config: comparisons names {shown}, which is one agent twice: name two, or leave it out."
            )
        if frozenset(pair) in seen:
            raise ConfigError(f"config: comparisons names {shown} twice: leave it out once.")
        seen.add(frozenset(pair))


def _stand_in(config: dict[str, Any], study: str, root: Path) -> None:
    """Add the resource that a study may have in place of the one that it lacks (`StandIn`)."""
    needs = study_of(study).needs
    other = None if needs is None else needs.stand_in
    if other is None or other.key not in config[study] or _data_of(config, study) is None:
        return
    _find_file(config[study], other.key, root)
    if not exists(file := config[study][other.key]):
        raise ConfigError(f"config: {study}.{other.key} names {file}, which does not exist: correct it.")
    config["resources"][other.resource] = {"path": file}


def stand_ins(config: dict[str, Any], *, remedies: bool = False) -> dict[str, str]:
    """Return the studies that have other data in place of those that they lack: study -> a sentence that says so.

    `config`: a validated configuration. `remedies`: say after it how to get the data.
    """
    sentences = {}
    for study, needs in _needs(study for study in STUDIES if study in config).items():
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
    own data (`Needs.own`) needs no others, and neither does one with others in their place (`StandIn`).
    """
    sentences = {}
    for study, needs in _needs(study for study in STUDIES if study in config).items():
        other = needs.stand_in is not None and needs.stand_in.resource in config["resources"]
        if not other and (reason := _data_of(config, study)) is not None:
            sentences[study] = f"The study {study} is left out, as {reason}: {needs.remedy}."
    return sentences


def sizes(config: dict[str, Any]) -> dict[str, tuple[int, int]]:
    """Return study -> its probes and the answers to them that each model gives, where they are known before a run.

    `config`: a validated configuration.
    """
    known = {study: study_of(study).size(config) for study in STUDIES if study in config}
    return {study: size for study, size in known.items() if size is not None}


def targets(config: dict[str, Any]) -> dict[str, Mapping[str, Targets]]:
    """Return study -> relation, or another part -> its targets, where they are known before a run.

    `config`: a validated configuration.
    """
    return {study: study_of(study).targets(config) for study in STUDIES if study in config}


def remarks(config: dict[str, Any]) -> list[str]:
    """Return what else is said before a run: that a study asks for more than MANY answers, or guesses articles.

    `config`: a validated configuration.
    """
    many = [
        f"The study {study} asks each model for {answers:,} answers, to {probes:,} probes, which takes long: give fewer "
        "words or prompts, or shorter lists of candidates (relprobe doctor says how long)."
        for study, (probes, answers) in sizes(config).items()
        if answers > MANY
    ]
    return many + _guessed_articles(config)


def _guessed_articles(config: dict[str, Any]) -> list[str]:
    """Return a sentence if prompts ask for articles that the file of the language tells by the ends of words alone."""
    from relprobe.sources.language import guesses_articles

    section = config.get("relations", {})
    language, prompts = (section.get(key) for key in ("language", "prompts"))
    if not language or not prompts or not guesses_articles(Path(language)):
        return []
    if "[DET]" not in str(read_yaml(Path(prompts))):  # without the comments
        return []
    return [
        f"{prompts} has [DET], and {language} tells articles by the ends of words, in one case alone: a probe may read “mit "
        "ein Säge”. Look at the probes, and give a table of words with their articles (articles.before_word.table), or "
        "write the prompts without [DET]."
    ]


def _needs(studies: Iterable[str]) -> dict[str, Needs]:
    """Return the needs of the studies with a resource that the user must get, as it cannot be fetched."""
    return {study: needs for study in studies if (needs := study_of(study).needs) is not None}


def _find_file(section: dict[str, Any], key: str, root: Path) -> None:
    """Replace the path of a shipped file by its path from the working directory."""
    file = section.get(key)
    if file is not None and not exists(file) and exists(str(root / file)):
        section[key] = os.path.relpath(root / file)


def _check_files(config: dict[str, Any], configured: list[str]) -> None:
    """Check that the YAML files that a configuration names can be read, also those that no check of a study reads."""
    files = {f"prompting.{key}": config["prompting"].get(key) for key in ("examples", "chat")}
    files |= {f"{study}.{key}": config[study].get(key) for study in configured for key in STUDY_FILES}
    for where, file in files.items():
        if file is not None and exists(file) and Path(file).is_file():
            try:
                read_yaml(Path(file))
            except DataError as error:
                raise ConfigError(f"config: {where}: {error}") from error


def _check_missing(config: dict[str, Any], configured: list[str], root: Path) -> None:
    """Check that not several of the files that a configuration names are missing: one sentence names them all.

    A single one is named where its entry is checked. ConfigError: several are missing.
    """
    missing = [f"{where} names {path}" for where, path in _named_files(config, configured, root) if not exists(path)]
    if len(missing) > 1:
        *first, last = missing
        raise ConfigError(f"config: {', '.join(first)} and {last}, which do not exist: correct them.")


def _named_files(config: dict[str, Any], configured: list[str], root: Path) -> Iterator[tuple[str, str]]:
    """Yield the key and the path of each file that must be there; those of `root` are there."""
    left_out = {f"resources.{needs.resource}" for needs in _needs(STUDIES).values()}
    for part in ("models", "encoders", "vectors", "resources"):
        for name, entry in config.get(part, {}).items():
            if f"{part}.{name}" not in left_out:
                places = {"path": entry, "peft.path": entry.get("peft", {})}
                yield from ((f"{part}.{name}.{key}", one["path"]) for key, one in places.items() if "path" in one)
    sections = dict.fromkeys(configured, STUDY_FILES) | {"prompting": ("examples", "chat")}
    for section, keys in sections.items():
        paths = {key: config.get(section, {}).get(key) for key in keys}
        yield from ((f"{section}.{key}", path) for key, path in paths.items() if path and not exists(str(root / path)))


def _data_of(config: dict[str, Any], study: str) -> str | None:
    """Return why a study lacks the data that its user must get, or None if it has them, needs none or has own ones."""
    needs = study_of(study).needs
    if needs is None or needs.own in config["resources"]:
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


@functools.cache
def whole_schema(folder: Path) -> dict[str, Any]:
    """Return the schema of the configuration, with the names of the studies and the schemas of their sections in it.

    It is read once, so nobody may change it.
    """
    schema: dict[str, Any] = read_yaml(folder / "config.schema.yaml")
    schema["$defs"]["model"]["properties"]["studies"]["items"] = {"enum": list(STUDIES)}
    schema["properties"] |= {study: read_yaml(folder / f"{study}.schema.yaml") for study in STUDIES}
    return schema


def _check_keys(value: Any, where: str) -> None:
    """Check that all keys are strings. YAML reads a key like 1, 2026-02-03 or yes as a number, a date or a truth value."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if not isinstance(key, str):
                place = " ".join(where.split())  # in one line, whatever the keys are
                raise ConfigError(f"config: the key {key!r} in {place} is not a word: put it in quotes or correct it.")
            _check_keys(inner, key)
    elif isinstance(value, list):
        for inner in value:
            _check_keys(inner, where)


def _check_signs(config: dict[str, Any]) -> None:
    """Check that no text but the name of a file has a sign that cannot be seen, such as a control. ConfigError: one has."""
    try:
        check_all_seen(_without_files(config), "config")
    except DataError as error:
        raise ConfigError(str(error)) from error


def _without_files(value: Any) -> Any:
    """Return a part of the configuration without the names of files, which have the characters that the disk has."""
    if isinstance(value, dict):
        return {key: _without_files(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_without_files(inner) for inner in value]
    return None if isinstance(value, str) and exists(value) else value


def _compose(value: Any) -> Any:
    """Bring the texts of a configuration into Unicode's form NFC, in place, but for the names of files as the disk has them.

    ConfigError: two keys are one in that form.
    """
    if isinstance(value, str):
        composed = nfc(value)
        return value if composed != value and exists(value) else composed
    if isinstance(value, list):
        value[:] = map(_compose, value)
    elif isinstance(value, dict):
        pairs = [(nfc(key), _compose(inner)) for key, inner in value.items()]
        if len(dict(pairs)) < len(value):
            twice = next(key for key, _ in pairs if [one for one, _ in pairs].count(key) > 1)
            raise ConfigError(
                f"config: the key {twice!r} is there twice, with accents written in two ways: delete one."
            )
        value.clear()
        value.update(pairs)
    return value


def _fill_defaults(config: dict[str, Any], schema: dict[str, Any]) -> None:
    """Add the keys that are missing, with the schema's defaults, to a mapping and the mappings in it."""
    for key, part in schema.get("properties", {}).items():
        if "default" in part:
            config.setdefault(key, copy.deepcopy(part["default"]))
        if isinstance(config.get(key), dict):
            _fill_defaults(config[key], part)


def _sentence(error: Any) -> str:
    """Return an error of the schema as a sentence."""
    where = ".".join(map(str, error.absolute_path)) or "the configuration"
    if error.validator == "additionalProperties":
        keys = list(error.schema["properties"])
        unknown = sorted(set(error.instance) - set(keys))[0]
        return f"config: unknown key {unknown!r} in {where}: {hint(unknown, keys)}"
    if error.validator == "required":
        missing = next(key for key in error.validator_value if key not in error.instance)
        return f"config: {where} has no {missing!r}: add it."
    if error.validator == "enum":
        return (
            f"config: {where} is {error.instance!r}, but must be one of {', '.join(map(str, error.validator_value))}."
        )
    if error.validator in ("pattern", "propertyNames"):
        allowed = error.schema.get("description", "other characters")
        return f"config: {where} holds {error.instance!r}, where only {allowed} will do."
    return f"config: {where}: {error.message}: correct it."


def _check_embeddings(config: dict[str, Any], configured: Iterable[str]) -> None:
    """Check that no study that is run needs the hidden states of a served model."""
    for study in configured:
        own = {name: entry for name, entry in config["models"].items() if study in entry.get("studies", STUDIES)}
        served = [name for name, entry in own.items() if "endpoint" in entry and "task" not in entry]
        if served and study_of(study).hidden_states(config):
            raise ConfigError(
                f"config: models.{served[0]} is served, and a server gives no hidden states, which {study} needs: leave "
                "one of them out, for example in a configuration of its own with relations or definitions."
            )
