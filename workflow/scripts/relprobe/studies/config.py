"""The validation of the configuration, before any step runs. An error is one sentence: it names the key and the remedy."""

import copy
import difflib
import importlib
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import jsonschema

from relprobe.core.errors import ConfigError, DataError
from relprobe.core.files import exists, read_yaml
from relprobe.core.series import step_of, ways_of
from relprobe.studies import STUDIES, conversations, examples

Validator: Any = jsonschema.validators.extend(  # type: ignore[no-untyped-call]
    jsonschema.Draft202012Validator,
    # JSON Schema takes 1.0 for an integer. It would reach the command line of a step as "1.0", which is no int there.
    type_checker=jsonschema.Draft202012Validator.TYPE_CHECKER.redefine("integer", lambda _, value: type(value) is int),
)
ORIGINS = ("huggingface", "path", "pypi", "url")
"""The keys that name a source. An entry has exactly one of them."""
SERVER_KEYS = ("name", "key_env", "concurrency", "timeout", "compare")
"""The keys that only a served model has, beside `endpoint`."""
SHARED = ("type", "family", "size", "series", "step", "dtype", "bos", "device_map", "endpoint", *SERVER_KEYS)
"""What the agents of one model share beside its files."""
SOURCE = (*ORIGINS, "revision", "allow_pickle", "file", "sha256", "member")
"""The keys of a model's files."""
SENTENCES = ("systematicity", "analogies", "degrees")
"""The studies that score or embed whole sentences, which are no answers in words."""
STUDY_FILES = ("prompts", "relations", "language")
"""The keys of a study's section that name a YAML file."""
PINNED_BY = {"huggingface": ("revision",), "pypi": ("file", "sha256"), "url": ("sha256",), "path": ()}
"""The key of a source -> the keys that pin it to fixed contents."""


def validate(config: dict[str, Any], root: Path) -> None:
    """Check a configuration and fill in the defaults, in place.

    It must fit the JSON schema (workflow/schemas) and the conditions that a schema cannot express, such as a model of the
    panel that is not among the models. A file of prompts, relations or a language that is not in the working directory is
    taken from `root`, the folder that holds config.yaml and workflow. ConfigError: a sentence on the first fault.
    """
    schema = _schema(root / "workflow/schemas")
    _check_keys(config, "the configuration")
    errors = Validator(schema).iter_errors(config)
    for error in sorted(errors, key=lambda e: (len(e.absolute_path), e.validator != "additionalProperties", e.message)):
        raise ConfigError(_sentence(error))
    configured = [study for study in STUDIES if study in config]
    if not configured:
        raise ConfigError(f"config: there is no study: add a section {' or '.join(STUDIES)}.")
    config["models"] = _agents(config["models"])
    _share_models(config["models"])
    _check_series(config["models"])
    for part in ("models", "encoders", "vectors", "resources"):
        for name, entry in config.get(part, {}).items():
            if "model" in entry:
                continue  # the source is that of the other entry
            _check_origin(f"{part}.{name}", entry, _needs(STUDIES))
    for name, entry in config["models"].items():
        _check_server(f"models.{name}", entry)
        _check_adapter(f"models.{name}", entry)
    _fill_defaults(config, schema)
    _check_panel(config)
    _check_compare(config)
    _find_file(config["prompting"], "examples", root)
    _find_file(config["prompting"], "chat", root)
    _check_asking(config, configured)
    for study in configured:
        for key in STUDY_FILES:
            _find_file(config[study], key, root)
        _of(study).check(config)
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
            read_yaml(file)
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


def _agents(models: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Return the agents by their names, a checkpoint each for `revisions`. ConfigError: two agents have one name."""
    agents: dict[str, dict[str, Any]] = {}
    for name, entry in _checkpoints(models):
        if name in agents:
            raise ConfigError(
                f"config: two agents have the name {name!r}, as a checkpoint is named NAME-REVISION: rename the entry, or "
                "leave one of the revisions out."
            )
        agents[name] = entry
    return agents


def _checkpoints(models: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the names and entries of the agents: an entry with `revisions` is one agent for each.

    `revisions` lists the names of checkpoints, which say their steps (`core.series.step_of`), or maps them to their steps.
    ConfigError: a listed name has no number, or the entry has no `huggingface`.

    >>> entry = {"type": "causal", "huggingface": "org/m", "revisions": ["step1000-tokens4B"]}
    >>> dict(_checkpoints({"m": entry}))["m-step1000-tokens4B"]
    {'type': 'causal', 'huggingface': 'org/m', 'revision': 'step1000-tokens4B', 'series': 'm', 'step': 1000}
    """
    for name, entry in models.items():
        if "revisions" not in entry:
            yield name, entry
            continue
        if "huggingface" not in entry or "revision" in entry:
            raise ConfigError(
                f"config: models.{name} has `revisions`, which belong to `huggingface` and stand for `revision`: correct it."
            )
        rest = {key: value for key, value in entry.items() if key != "revisions"}
        named = entry["revisions"]
        steps = named if isinstance(named, dict) else {revision: step_of(revision) for revision in named}
        for revision, step in steps.items():
            if step is None:
                raise ConfigError(
                    f"config: models.{name}.revisions holds {revision!r}, which has no number of a training step: leave it "
                    f"out, or say the steps, as in `revisions: {{{revision}: 1000}}`."
                )
            agent = f"{name}-{revision.replace('/', '-')}"
            yield agent, {**rest, "revision": revision, "series": name, "step": step}


def _check_series(models: dict[str, Any]) -> None:
    """Check that the members of a series, which are asked in one way, have different steps. ConfigError: two have one."""
    places: dict[tuple[Any, ...], str] = {}
    for name, entry in models.items():
        if {"series", "step"} <= set(entry):
            key = (entry["series"], float(entry["step"]), *ways_of(entry))
            if key in places:
                raise ConfigError(
                    f"config: {places[key]} and {name} are both step {entry['step']} of the series {entry['series']}: "
                    "correct `step`, or say the steps, as in `revisions: {main: 143000}`."
                )
            places[key] = name


def _share_models(models: dict[str, Any]) -> None:
    """Give the entries with `model` the keys of the model that they share. ConfigError: see the sentences."""
    for name, entry in models.items():
        where, base = f"models.{name}", entry.get("model")
        if base is None:
            if "type" not in entry:
                raise ConfigError(f"config: {where} has no 'type': add it.")
            continue
        if base not in models or "model" in models[base]:
            fault = "is no entry of models" if base not in models else "shares another entry's model itself"
            raise ConfigError(f"config: {where}.model names {base!r}, which {fault}: name an entry that has a source.")
        own = [key for key in (*SHARED, *SOURCE) if key in entry and entry[key] != models[base].get(key)]
        if own:
            raise ConfigError(f"config: {where} has {own[0]!r} beside `model`, which decides it: leave it out.")
    for entry in models.values():
        if "model" in entry:
            entry |= {key: value for key, value in models[entry["model"]].items() if key in SHARED}


def _check_asking(config: dict[str, Any], configured: list[str]) -> None:
    """Check how the agents are asked: with examples, in a chat, or for lists. ConfigError: see the sentences."""
    lines: set[tuple[str, str]] = set()
    for name, entry in config["models"].items():
        where, studies = f"models.{name}", [study for study in configured if study in entry.get("studies", STUDIES)]
        for key in ("chat", "task"):
            if key in entry and entry["type"] != "causal":
                kind = {"masked": "a masked model", "encoder-decoder": "an encoder-decoder model"}[entry["type"]]
                raise ConfigError(f"config: {where} has `{key}`, but {kind} writes no answers here: leave it out.")
        if "task" in entry:
            _check_lists(where, entry)
            studies = [study for study in studies if study == "relations"]
        elif "samples" in entry:
            raise ConfigError(f"config: {where} has `samples` without `task: list`: add it, or leave `samples` out.")
        whole = [study for study in studies if study in SENTENCES]
        if entry.get("chat") == "answer" and whole:
            raise ConfigError(
                f"config: {where} has `chat: answer`, but the study {whole[0]} scores or embeds whole sentences: use "
                f"`chat: true`, or name other studies in {where}.studies."
            )
        if "chat" in entry or "task" in entry:
            lines |= {(study, line_of(entry)) for study in studies}
        if "shots" in entry:
            _check_shots(where, entry["shots"], config, studies)
    for study, line in sorted(lines):
        try:
            conversations.check(Path(config["prompting"]["chat"]), study, line)
        except DataError as error:
            raise ConfigError(f"config: prompting.chat: {error}") from error


def line_of(entry: dict[str, Any]) -> str:
    """Return the name of the line that an agent is asked with in a chat or for a list, beside `system`.

    >>> line_of({"chat": "answer"})
    'question'
    """
    return "list" if "task" in entry else "question" if entry["chat"] == "answer" else "instruction"


def _check_lists(where: str, entry: dict[str, Any]) -> None:
    """Check an agent that writes lists. ConfigError: it has examples, or answers in another way, or has no study."""
    if "shots" in entry or entry.get("chat") == "answer":
        key = "shots" if "shots" in entry else "chat: answer"
        raise ConfigError(
            f"config: {where} has `task: list` and `{key}`: people saw no examples and wrote words; leave it out."
        )
    if "endpoint" in entry:
        raise ConfigError(
            f"config: {where} has `task: list` and an endpoint, but a model must be on this machine to write lists: "
            "leave one of them out."
        )
    if "relations" not in entry.get("studies", ["relations"]):
        raise ConfigError(
            f"config: {where} has `task: list`, which is of the study relations alone: add it to {where}.studies."
        )


def _check_shots(where: str, shots: int, config: dict[str, Any], studies: list[str]) -> None:
    """Check that the file of examples is well-formed and has enough of them. ConfigError: it is not, or has too few."""
    try:
        for study in studies:
            examples.check(Path(config["prompting"]["examples"]), study, shots)
    except DataError as error:
        raise ConfigError(f"config: {where}.shots is {shots}, but {error}") from error


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
        origins = ORIGINS[1:] if where.startswith(("resources.", "vectors.")) else ORIGINS
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


def _check_adapter(where: str, entry: dict[str, Any]) -> None:
    """Check the source of an agent's adapter. ConfigError: it has none or several, or the agent is behind a server."""
    if "peft" not in entry:
        return
    if "endpoint" in entry:
        raise ConfigError(
            f"config: {where} has `peft` and an endpoint, but a server adds adapters itself: leave `peft` out, and give "
            "the server's name of the adapter as `name`."
        )
    _check_origin(f"{where}.peft", entry["peft"], {})


def _check_server(where: str, entry: dict[str, Any]) -> None:
    """Check the keys of a served model; a model that is not served must have none of them."""
    if "endpoint" not in entry:
        alone = [key for key in SERVER_KEYS if key in entry]
        if alone:
            raise ConfigError(
                f"config: {where} has {alone[0]!r}, which is for served models: add `endpoint` or delete it."
            )
        return
    if "name" not in entry:
        raise ConfigError(f"config: {where} has an endpoint without 'name': add the server's name of the model.")
    if entry["type"] != "causal":
        raise ConfigError(
            f"config: {where} is {entry['type']}, but servers of completions have causal models only: delete its endpoint, "
            "or correct `type`."
        )
    unused = [key for key in ("dtype", "device_map", "allow_pickle") if key in entry and not entry.get("compare")]
    if unused:
        raise ConfigError(f"config: {where} has {unused[0]!r}, which the server decides: delete it.")
    if "key_env" in entry and not os.environ.get(entry["key_env"]):
        raise ConfigError(
            f"config: {where}.key_env names the environment variable {entry['key_env']}, which is not set: export it."
        )


def _check_embeddings(config: dict[str, Any], configured: Iterable[str]) -> None:
    """Check that no study that is run needs the hidden states of a served model."""
    for study in configured:
        needs = getattr(_of(study), "needs_hidden_states", None)
        own = {name: entry for name, entry in config["models"].items() if study in entry.get("studies", STUDIES)}
        served = [name for name, entry in own.items() if "endpoint" in entry]
        if served and needs is not None and needs(config):
            raise ConfigError(
                f"config: models.{served[0]} is served, and a server gives no hidden states, which {study} needs: leave "
                "one of them out, for example in a configuration of its own with relations or definitions."
            )


def _check_panel(config: dict[str, Any]) -> None:
    """Check that the models of the lexicon's panel are models of the configuration."""
    for model in config.get("lexicon", {}).get("panel", []):
        if model not in config["models"]:
            raise ConfigError(f"config: lexicon.panel names {model!r}, which is not among the models: add it there.")
        if shared := config["models"][model].get("model"):
            raise ConfigError(
                f"config: lexicon.panel names {model!r}, whose words are those of {shared!r}: name that one."
            )
