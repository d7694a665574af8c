"""The configuration, validated before anything runs: each fault is one sentence that names the key and the remedy."""

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
    # JSON has no integers, so 1.0 would be one; here it would reach a command line as "1.0".
    type_checker=jsonschema.Draft202012Validator.TYPE_CHECKER.redefine("integer", lambda _, value: type(value) is int),
)
ORIGINS = ("huggingface", "path", "pypi", "url")
PINNED_BY = {"huggingface": ("revision",), "pypi": ("file", "sha256"), "url": ("sha256",), "path": ()}


def validate(config: dict[str, Any], root: Path) -> None:
    """Check a configuration against the JSON schema and what a schema cannot say, and complete it in place.

    It gets the schema's defaults; a prompts file that is not in the working directory is looked for in `root`, the
    workflow's folder. ConfigError: the first fault, in words.
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
    """Return the studies of the config whose data are not at hand: study -> the sentence that says what to do."""
    sentences = {}
    for study, (resource, remedy) in _needs(study for study in STUDIES if study in config).items():
        if (reason := _absence(config, resource)) is not None:
            sentences[study] = f"The study {study} is left out, as {reason}: {remedy}."
    return sentences


def _of(study: str) -> Any:
    """Return the module that says what a study needs of the config beyond its schema."""
    return importlib.import_module(f"relprobe.studies.{study}.config")


def _needs(studies: Iterable[str]) -> dict[str, tuple[str, str]]:
    """Return study -> the resource that its user must bring and how to get it, for the studies that need one."""
    return {study: _of(study).NEEDS for study in studies if hasattr(_of(study), "NEEDS")}


def _find_prompts(section: dict[str, Any], root: Path) -> None:
    prompts = section.get("prompts")
    if prompts is not None and not exists(prompts) and exists(str(root / prompts)):
        section["prompts"] = os.path.relpath(root / prompts)


def _absence(config: dict[str, Any], resource: str) -> str | None:
    if resource not in config["resources"]:
        return f"the config has no resources.{resource}"
    path = config["resources"][resource].get("path")
    if path is None or exists(path):
        return None
    return f"resources.{resource}.path names {path}, which does not exist"


def _schema(folder: Path) -> dict[str, Any]:
    """Read the schema with those of the studies' sections."""
    schema: dict[str, Any] = read_yaml(folder / "config.schema.yaml")
    for study in STUDIES:
        schema["properties"][study] = read_yaml(folder / f"{study}.schema.yaml")
    return schema


def _check_keys(value: Any, where: str) -> None:
    """Check that all keys are words: YAML also makes numbers, dates and truth values of them."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if not isinstance(key, str):
                raise ConfigError(f"config: the key {key!r} in {where} is not a word: put it in quotes or correct it.")
            _check_keys(inner, key)
    elif isinstance(value, list):
        for inner in value:
            _check_keys(inner, where)


def _fill_defaults(config: dict[str, Any], schema: dict[str, Any]) -> None:
    for key, part in schema.get("properties", {}).items():
        if "default" in part:
            config.setdefault(key, copy.deepcopy(part["default"]))
        if isinstance(config.get(key), dict):
            _fill_defaults(config[key], part)


def _sentence(error: Any) -> str:
    """Put a schema error into words."""
    where = ".".join(map(str, error.absolute_path)) or "the configuration"
    if error.validator == "additionalProperties":
        known = list(error.schema["properties"])
        unknown = sorted(set(error.instance) - set(known))[0]
        near = difflib.get_close_matches(unknown, known, n=1)
        remedy = f"did you mean {near[0]!r}?" if near else f"known are {', '.join(known)}."
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
    """Check that an entry has exactly one source, pinned as it must be, and that a local one is there.

    A resource that a study needs of its user may be missing: then the study is left out.
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
    for model in config.get("lexicon", {}).get("panel", []):
        if model not in config["models"]:
            raise ConfigError(f"config: lexicon.panel names {model!r}, which is not among the models: add it there.")
