"""The configuration of a run: it is read, completed and checked in one direction, before any step runs.

What is written (`parse`) → defaults and paths (`complete`) → its entries (entries.py) → the sections of the studies
(sections.py); none of these asks one before it. An error is one sentence: it names the key and the remedy.
"""

import copy
import functools
from collections.abc import Iterable, Iterator, Set
from pathlib import Path
from typing import Any

import jsonschema

from relprobe.core.errors import ConfigError, DataError
from relprobe.core.files import check_all_seen, exists, nfc, read_yaml
from relprobe.core.secrets import note_addresses
from relprobe.core.words import hint
from relprobe.studies import STUDIES, entries, sections

Validator: Any = jsonschema.validators.extend(  # type: ignore[no-untyped-call]
    jsonschema.Draft202012Validator,
    # JSON Schema takes 1.0 for an integer. It would reach the command line of a step as "1.0", which is no int there.
    type_checker=jsonschema.Draft202012Validator.TYPE_CHECKER.redefine("integer", lambda _, value: type(value) is int),
)
PATHS = ("path", "prompts", "relations", "language", "demonstration", "examples", "chat", "map", "before")
"""The keys whose value, if it is a word, may be a path."""


def validate(config: dict[str, Any], root: Path) -> None:
    """Check a configuration and complete it, in place: its form, what it leaves out, its entries, and its studies.

    It must fit the JSON schema (workflow/schemas) and the conditions that a schema cannot express, such as a model of the
    panel that is not among the models. A file of prompts, relations or a language that is not in the working directory is
    taken from `root`, the folder that holds config.yaml and workflow. ConfigError: a sentence on the first fault.
    """
    schema = whole_schema(root / "workflow/schemas")
    parse(config, schema)
    complete(config, schema, root)
    entries.check(config, sections.resources_of_users())
    sections.check(config)


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


@functools.cache
def whole_schema(folder: Path) -> dict[str, Any]:
    """Return the schema of the configuration, with the names of the studies and the schemas of their sections in it.

    It is read once, so nobody may change it.
    """
    schema: dict[str, Any] = read_yaml(folder / "config.schema.yaml")
    schema["$defs"]["model"]["properties"]["studies"]["items"] = {"enum": list(STUDIES)}
    schema["properties"] |= {study: read_yaml(folder / f"{study}.schema.yaml") for study in STUDIES}
    return schema


def parse(config: dict[str, Any], schema: dict[str, Any]) -> None:
    """Check what a configuration says by itself, and bring its texts into one form, in place.

    ConfigError: a key is no word, a value does not fit the schema or has a sign that cannot be seen, or there is no study.
    """
    note_addresses(config)
    _check_words(config, "the configuration")
    _compose(config)
    errors = Validator(schema).iter_errors(config)
    for error in sorted(errors, key=lambda e: (len(e.absolute_path), e.validator != "additionalProperties", e.message)):
        raise ConfigError(_sentence(error))
    _check_signs(config)
    if not sections.studies_of(config):
        raise ConfigError(f"config: there is no study: add a section {' or '.join(STUDIES)}.")


def complete(config: dict[str, Any], schema: dict[str, Any], root: Path) -> None:
    """Fill in what a configuration leaves out, in place; the checks behind it alter nothing.

    These are the defaults, the paths as they are from the working directory, the agents of its models (`entries.agents`),
    and the data that stand in for others (`sections.stand_in`). ConfigError: several files are missing, or one that stands
    in, or an agent cannot be made of its entry.
    """
    _complete_paths(config)
    _fill_defaults(config, schema)
    for section, key in sections.shipped_files(config):
        sections.find_shipped(config[section], key, root)
    _check_missing(config)
    config["models"] = entries.agents(config["models"])
    for study in sections.studies_of(config):
        sections.stand_in(config, study, root)


def _check_words(value: Any, where: str) -> None:
    """Check that all keys are strings. YAML reads a key like 1, 2026-02-03 or yes as a number, a date or a truth value."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if not isinstance(key, str):
                home = " ".join(where.split())  # in one line, whatever the keys are
                raise ConfigError(f"config: the key {key!r} in {home} is not a word: put it in quotes or correct it.")
            _check_words(inner, key)
    elif isinstance(value, list):
        for inner in value:
            _check_words(inner, where)


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
            twice = next(key for key, _ in pairs if [name for name, _ in pairs].count(key) > 1)
            raise ConfigError(
                f"config: the key {twice!r} is there twice, with accents written in two ways: delete one."
            )
        value.clear()
        value.update(pairs)
    return value


def _complete_paths(section: dict[str, Any]) -> None:
    """Write "~" as the home folder in every path, and a path that begins with "-", which looks like an option, with "./"."""
    for key, value in section.items():
        if isinstance(value, dict):
            _complete_paths(value)
        elif key in PATHS and str(value).startswith("~/") and not exists(value):
            section[key] = str(Path(value).expanduser())
        if key in PATHS and str(value).startswith("-"):
            section[key] = f"./{value}"


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


def _check_missing(config: dict[str, Any]) -> None:
    """Check that not several of the files that a configuration names are missing: one sentence names them all.

    A single one is named where its entry is checked. The data of a study that is left out without them are named where no
    study would be left. ConfigError: several are missing.
    """
    may_lack = sections.resources_of_users()
    missing = [*_missing_files(config, may_lack)]
    if missing and not sections.have_data(config):
        missing = [*_missing_files(config, set())]
    if len(missing) > 1:
        *first, last = missing
        raise ConfigError(f"config: {', '.join(first)} and {last}, which do not exist: get them, or correct the paths.")


def _missing_files(config: dict[str, Any], may_lack: Set[str]) -> Iterator[str]:
    """Yield the key and the path of each missing file, and in brackets where it is to be had, if that is said.

    `may_lack`: the resources that need not be there.
    """
    for where, entry in entries.entries_of(config):
        if where.removeprefix("resources.") not in may_lack:
            sources = {f"{where}.path": entry, f"{where}.peft.path": entry.get("peft", {})}
            for key, source in sources.items():
                if "path" in source and not exists(source["path"]):
                    yield f"{key} names {source['path']}{entries.where_to_get(entry)}"
    for section, key in sections.shipped_files(config):
        if (file := config[section].get(key)) and not exists(file):
            yield f"{section}.{key} names {file}"
