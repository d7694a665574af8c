"""The configuration, validated before anything runs: each fault is one sentence that names the key and the remedy."""

import copy
import difflib
from pathlib import Path
from typing import Any

import jsonschema
import yaml

from relprobe.analogies.config import check as check_analogies
from relprobe.definitions.config import check as check_definitions
from relprobe.degrees.config import check as check_degrees
from relprobe.errors import ConfigError
from relprobe.files import exists
from relprobe.relations.config import check as check_relations
from relprobe.systematicity.config import check as check_systematicity

Validator: Any = jsonschema.validators.extend(  # type: ignore[no-untyped-call]
    jsonschema.Draft202012Validator,
    # JSON has no integers, so 1.0 would be one; here it would reach a command line as "1.0".
    type_checker=jsonschema.Draft202012Validator.TYPE_CHECKER.redefine("integer", lambda _, value: type(value) is int),
)
STUDIES = {
    "relations": check_relations,
    "definitions": check_definitions,
    "systematicity": check_systematicity,
    "analogies": check_analogies,
    "degrees": check_degrees,
}
"""The studies, in the order of the report, with what is asked of the section of each beyond its schema."""
BROUGHT: dict[str, tuple[str, str]] = {
    "analogies": (
        "bats",
        "get BATS 3.0 at https://vecto.space/projects/BATS and name its folder, or the archive's url and sha256, "
        "under resources.bats",
    ),
    "degrees": (
        "semeval2012",
        "get the packages of SemEval-2012 Task 2 from https://sites.google.com/site/semeval2012task2/ and name their folder "
        "as resources.semeval2012.path",
    ),
}
"""Study -> the resource that its user must bring, and how to get it: without it the study is left out, and others go on."""
ORIGINS = ("huggingface", "path", "pypi", "url")
PINNED_BY = {"huggingface": ("revision",), "pypi": ("file", "sha256"), "url": ("sha256",), "path": ()}


def validate(config: dict[str, Any], schema_file: Path) -> None:
    """Check a configuration against the JSON schema and what a schema cannot say, and fill in the schema's defaults.

    ConfigError: the first fault, in words.
    """
    schema = _schema(schema_file)
    _check_keys(config, "the configuration")
    errors = Validator(schema).iter_errors(config)
    for error in sorted(errors, key=lambda e: (len(e.absolute_path), e.validator != "additionalProperties", e.message)):
        raise ConfigError(_sentence(error))
    for part in ("models", "encoders", "resources"):
        for name, entry in config.get(part, {}).items():
            _check_origin(f"{part}.{name}", entry)
    _fill_defaults(config, schema)
    _check_panel(config)
    asked = [study for study in STUDIES if study in config]
    if not asked:
        raise ConfigError(f"config: there is no study: add a section {' or '.join(STUDIES)}.")
    for study in asked:
        STUDIES[study](config)
    missing = left_out(config)
    if len(missing) == len(asked):
        raise ConfigError(f"config: there is no study to run. {' '.join(missing.values())}")


def left_out(config: dict[str, Any]) -> dict[str, str]:
    """Return the studies that are asked for, but whose data are not at hand: study -> the sentence that says what to do."""
    sentences = {}
    for study, (resource, how) in BROUGHT.items():
        if study in config and (reason := _absence(config, resource)) is not None:
            sentences[study] = f"The study {study} is left out, as {reason}: {how}."
    return sentences


def _absence(config: dict[str, Any], resource: str) -> str | None:
    if resource not in config["resources"]:
        return f"the config has no resources.{resource}"
    path = config["resources"][resource].get("path")
    if path is None or exists(path):
        return None
    return f"resources.{resource}.path names {path}, which does not exist"


def _schema(file: Path) -> dict[str, Any]:
    """Read the schema, and those of the studies' sections from the files beside it."""
    schema: dict[str, Any] = yaml.safe_load(file.read_text(encoding="utf-8"))
    for study in STUDIES:
        section = file.with_name(f"{study}.schema.yaml")
        schema["properties"][study] = yaml.safe_load(section.read_text(encoding="utf-8"))
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


def _check_origin(where: str, entry: dict[str, Any]) -> None:
    """Check that an entry has exactly one source, pinned as it must be, and that a local one is there."""
    given = [origin for origin in ORIGINS if origin in entry]
    if len(given) != 1:
        said = f"has the sources {' and '.join(given)}" if given else "has no source"
        origins = ORIGINS[1:] if where.startswith("resources.") else ORIGINS
        raise ConfigError(f"config: {where} {said}: give exactly one of {', '.join(origins)}.")
    missing = [key for key in PINNED_BY[given[0]] if key not in entry]
    if missing:
        raise ConfigError(
            f"config: {where} has {given[0]!r} without {missing[0]!r}: add it, so that the source is pinned."
        )
    if where in {f"resources.{resource}" for resource, _ in BROUGHT.values()}:
        return
    if given[0] == "path" and not exists(entry["path"]):
        raise ConfigError(f"config: {where}.path names {entry['path']}, which does not exist: correct it.")


def _check_panel(config: dict[str, Any]) -> None:
    for model in config.get("lexicon", {}).get("panel", []):
        if model not in config["models"]:
            raise ConfigError(f"config: lexicon.panel names {model!r}, which is not among the models: add it there.")
