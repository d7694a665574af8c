"""The configuration, validated before anything runs: each fault is one sentence that names the key and the remedy."""

import copy
import difflib
from pathlib import Path
from typing import Any

import jsonschema
import yaml

from relprobe.errors import ConfigError

Validator: Any = jsonschema.validators.extend(  # type: ignore[no-untyped-call]
    jsonschema.Draft202012Validator,
    # JSON has no integers, so 1.0 would be one; here it would reach a command line as "1.0".
    type_checker=jsonschema.Draft202012Validator.TYPE_CHECKER.redefine("integer", lambda _, value: type(value) is int),
)
ORIGINS = ("huggingface", "path", "pypi", "url")
PINNED_BY = {"huggingface": ("revision",), "pypi": ("file", "sha256"), "url": ("sha256",), "path": ()}


def validate(config: dict[str, Any], schema_file: Path) -> None:
    """Check a configuration against the JSON schema and what a schema cannot say, and fill in the schema's defaults.

    ConfigError: the first fault, in words.
    """
    schema = yaml.safe_load(schema_file.read_text(encoding="utf-8"))
    _check_keys(config, "the configuration")
    errors = Validator(schema).iter_errors(config)
    for error in sorted(errors, key=lambda e: (len(e.absolute_path), e.validator != "additionalProperties", e.message)):
        raise ConfigError(_sentence(error))
    for part in ("models", "resources"):
        for name, entry in config.get(part, {}).items():
            _check_origin(f"{part}.{name}", entry)
    _fill_defaults(config, schema)
    _check_panel(config)
    _check_relations(config)


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


def _exists(path: str) -> bool:
    try:
        return Path(path).exists()
    except OSError:  # longer than any file name
        return False


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
        origins = ORIGINS if where.startswith("models.") else ORIGINS[1:]
        raise ConfigError(f"config: {where} {said}: give exactly one of {', '.join(origins)}.")
    missing = [key for key in PINNED_BY[given[0]] if key not in entry]
    if missing:
        raise ConfigError(
            f"config: {where} has {given[0]!r} without {missing[0]!r}: add it, so that the source is pinned."
        )
    if given[0] == "path" and not _exists(entry["path"]):
        raise ConfigError(f"config: {where}.path names {entry['path']}, which does not exist: correct it.")


def _check_panel(config: dict[str, Any]) -> None:
    for model in config["lexicon"]["panel"]:
        if model not in config["models"]:
            raise ConfigError(f"config: lexicon.panel names {model!r}, which is not among the models: add it there.")


def _check_relations(config: dict[str, Any]) -> None:
    """Check that the resources and files that the relations study names are there."""
    study = config["relations"]
    for resource in sorted({"wordnet", *study["tuples"]} - set(config["resources"])):
        raise ConfigError(f"config: relations needs resources.{resource}: add it, as config.yaml shows.")
    if "wordnet" in study["tuples"] and "wordnet_sample" not in study:
        raise ConfigError("config: relations.tuples names wordnet, but there is no relations.wordnet_sample: add it.")
    if max(study["choices"]["symmetry_k"]) > study["top_k"]:
        raise ConfigError("config: relations.choices.symmetry_k goes beyond relations.top_k: raise top_k or lower it.")
    if not _exists(study["prompts"]):
        raise ConfigError(f"config: relations.prompts names {study['prompts']}, which does not exist: correct it.")
