"""The entries of the configuration: its agents, and where their files come from."""

import os
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

from relprobe.core.errors import ConfigError
from relprobe.core.files import exists
from relprobe.core.prompting import prompting_of
from relprobe.core.series import step_of, tokens_of
from relprobe.core.words import enumeration
from relprobe.studies import STUDIES

ORIGINS = ("huggingface", "path", "pypi", "url")
"""The keys that name a source. An entry has exactly one of them."""
SERVER_KEYS = ("name", "key_env", "concurrency", "timeout", "compare")
"""The keys that only a served model has, apart from `endpoint`."""
CHAT_KEYS = ("limits", "request")
"""The keys that only a chat model has: a served model that takes a task in its chat endpoint."""
TASK_KEYS = ("samples", "orders", "thoughts")
"""The keys that only an agent with a task has."""
NO_CHAT_MODEL = (
    *("chat", "shots", "layers", "context", "bos", "dtype", "device_map", "peft", "compare"),
    *("size", "series", "step", "tokens", "revisions", "allow_pickle"),
)
"""The keys that no chat model has: it gets the words of its task and nothing else, and is one model."""
SHARED = ("type", "family", "size", "series", "step", "tokens", "dtype", "bos", "device_map", "endpoint", *SERVER_KEYS)
"""What the agents of one model share, apart from its files."""
SOURCE = (*ORIGINS, "revision", "allow_pickle", "file", "sha256", "member")
"""The keys of a model's files."""
PINNED_BY = {"huggingface": ("revision",), "pypi": ("file", "sha256"), "url": ("sha256",), "path": ()}
"""The key of a source -> the keys that pin it to fixed contents."""
PARTS = ("models", "encoders", "vectors", "resources")
"""The parts of the configuration whose entries have files."""


def check(config: dict[str, Any], resources_of_users: Collection[str]) -> None:
    """Check the entries of a configuration, each by itself and then beside the others.

    `config`: a complete one (`config.complete`). `resources_of_users`: the resources that users must get, whose files may be
    missing. ConfigError: see the sentences.
    """
    may_lack = {f"resources.{resource}" for resource in resources_of_users}
    for where, entry in entries_of(config):
        if "model" not in entry and not is_chat_model(
            entry
        ):  # the source is that of the other entry, or the server's own
            check_origin(where, entry, may_lack)
    for name, entry in config["models"].items():
        check_server(f"models.{name}", entry)
        check_adapter(f"models.{name}", entry)
    _check_names(config)
    check_panel(config)
    _check_compare(config)
    _check_comparisons(config)


def entries_of(config: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the key and the value of each entry that has files, such as models.bert."""
    yield from ((f"{part}.{name}", entry) for part in PARTS for name, entry in config.get(part, {}).items())


def agents(models: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Return the entries of the agents by their names, each with the keys of the model that it shares.

    ConfigError: two agents have one name, or an entry shares a model in a wrong way, or two members of a series one step.
    """
    agents: dict[str, dict[str, Any]] = {}
    for name, entry in _checkpoints(models):
        if name in agents:
            raise ConfigError(
                f"config: two agents have the name {name!r}, as a checkpoint is named NAME-REVISION: rename the entry, or "
                "leave one of the revisions out."
            )
        agents[name] = entry
    _share_models(agents)
    _check_series(agents)
    return agents


def _checkpoints(models: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the names and entries of the agents: an entry with `revisions` is one agent for each.

    `revisions` lists the names of checkpoints, which say their steps (`core.series.step_of`), or maps them to their steps.
    ConfigError: a listed name has no number, or the entry has no `huggingface`.

    >>> entry = {"type": "causal", "huggingface": "org/m", "revisions": ["step1000-tokens4B"]}
    >>> [(name, entry["step"], entry["tokens"]) for name, entry in _checkpoints({"m": entry})]
    [('m-step1000-tokens4B', 1000, 4000000000)]
    """
    for name, entry in models.items():
        if "revisions" not in entry:
            yield name, entry
            continue
        if "huggingface" not in entry or "revision" in entry:
            raise ConfigError(
                f"config: models.{name} has `revisions`, which belong to `huggingface` and stand for `revision`: correct it."
            )
        options = {key: value for key, value in entry.items() if key != "revisions"}
        named = entry["revisions"]
        steps = named if isinstance(named, dict) else {revision: step_of(revision) for revision in named}
        for revision, step in steps.items():
            if step is None:
                raise ConfigError(
                    f"config: models.{name}.revisions holds {revision!r}, which has no number of a training step: leave it "
                    f"out, or say the steps, as in `revisions: {{{revision}: 1000}}`."
                )
            agent = f"{name}-{revision.replace('/', '-')}"
            read = tokens_of(revision)
            tokens = {} if read is None else {"tokens": read}
            yield agent, {**options, "revision": revision, "series": name, "step": step, **tokens}


def _check_series(models: dict[str, Any]) -> None:
    """Check that the members of a series, which are asked in one way, have different steps. ConfigError: two have one."""
    steps: dict[tuple[Any, ...], str] = {}
    for name, entry in models.items():
        if {"series", "step"} <= set(entry):
            key = (entry["series"], float(entry["step"]), *prompting_of(entry))
            if key in steps:
                raise ConfigError(
                    f"config: {steps[key]} and {name} are both step {entry['step']} of the series {entry['series']}: "
                    "correct `step`, or say the steps, as in `revisions: {main: 143000}`."
                )
            steps[key] = name


def _share_models(models: dict[str, Any]) -> None:
    """Give the entries with `model` the keys of the model that they share. ConfigError: see the sentences."""
    for name, entry in models.items():
        where, base = f"models.{name}", entry.get("model")
        if base is None:
            if is_chat_model(entry):
                entry.setdefault("type", "causal")
            if "type" not in entry:
                raise ConfigError(f"config: {where} has no 'type': add it.")
            continue
        if base not in models or "model" in models[base]:
            fault = "is no entry of models" if base not in models else "shares another entry's model itself"
            raise ConfigError(f"config: {where}.model names {base!r}, which {fault}: name an entry that has a source.")
        if is_chat_model(models[base]) and "task" not in entry:
            raise ConfigError(
                f"config: {where} shares the model {base!r}, which only chats, and so needs a `task`: add it."
            )
        repeated = [key for key in (*SHARED, *SOURCE) if key in entry and entry[key] != models[base].get(key)]
        if repeated:
            raise ConfigError(f"config: {where} has {repeated[0]!r} beside `model`, which decides it: leave it out.")
    for entry in models.values():
        if "model" in entry:
            base = models[entry["model"]]
            shared = [key for key in SHARED if not ("endpoint" in base and "task" in entry and key in NO_CHAT_MODEL)]
            entry |= {key: base[key] for key in shared if key in base}


def is_chat_model(entry: dict[str, Any]) -> bool:
    """Return whether an agent is a model behind a server that takes a task in its chat endpoint.

    >>> is_chat_model({"endpoint": "http://localhost:8000/v1", "task": "list"}), is_chat_model({"task": "list"})
    (True, False)
    """
    return "endpoint" in entry and "task" in entry


def where_to_get(entry: Mapping[str, Any]) -> str:
    """Return in brackets where the file of an entry is to be had; "" if the entry does not say it.

    >>> where_to_get({"path": "data/norms.csv", "get_from": "the authors' page"})
    " (from the authors' page)"
    """
    return f" (from {entry['get_from']})" if "get_from" in entry else ""


def check_origin(where: str, entry: dict[str, Any], may_lack: Collection[str] = ()) -> None:
    """Check that an entry has exactly one source, that it is pinned, and that a local path exists.

    `where`: the key of the entry, such as models.bert. `may_lack`: the keys of those whose path may be missing.
    """
    sources = [origin for origin in ORIGINS if origin in entry]
    if len(sources) != 1:
        fault = f"has the sources {enumeration(sources)}" if sources else "has no source"
        origins = ORIGINS[1:] if where.startswith(("resources.", "vectors.")) else ORIGINS
        raise ConfigError(f"config: {where} {fault}: give exactly one of {', '.join(origins)}.")
    missing = [key for key in PINNED_BY[sources[0]] if key not in entry]
    if missing:
        raise ConfigError(
            f"config: {where} has {sources[0]!r} without {missing[0]!r}: add it, so that the source is pinned."
        )
    if where in may_lack:
        return
    if sources[0] == "path" and not exists(entry["path"]):
        origin = where_to_get(entry)
        remedy = "get it, or correct the path" if origin else "correct it"
        raise ConfigError(f"config: {where}.path names {entry['path']}{origin}, which does not exist: {remedy}.")
    if sources[0] == "path" and not (Path(entry["path"]).is_file() or Path(entry["path"]).is_dir()):
        raise ConfigError(
            f"config: {where}.path names {entry['path']}, which is neither a file nor a folder: correct it."
        )


def addresses(config: Mapping[str, Any]) -> dict[str, str]:
    """Return the addresses that files are fetched from: the name of each entry, such as models.bert.peft -> `url`."""
    entries = dict(entries_of(config))
    entries |= {f"{name}.peft": entry["peft"] for name, entry in entries.items() if "peft" in entry}
    return {name: entry["url"] for name, entry in entries.items() if "url" in entry}


def check_adapter(where: str, entry: dict[str, Any]) -> None:
    """Check the source of an agent's adapter. ConfigError: it has none or several, or the agent is behind a server."""
    if "peft" not in entry:
        return
    if "endpoint" in entry:
        raise ConfigError(
            f"config: {where} has `peft` and an endpoint, but a server adds adapters itself: leave `peft` out, and give "
            "the server's name of the adapter as `name`."
        )
    check_origin(f"{where}.peft", entry["peft"])


def check_server(where: str, entry: dict[str, Any]) -> None:
    """Check the keys of a served model; a model that is not served must have none of them."""
    if "endpoint" not in entry:
        alone = [key for key in (*SERVER_KEYS, *CHAT_KEYS) if key in entry]
        if alone:
            raise ConfigError(
                f"config: {where} has {alone[0]!r}, which is for served models: add `endpoint` or delete it."
            )
        return
    if not is_chat_model(entry) and (unused := [key for key in CHAT_KEYS if key in entry]):
        raise ConfigError(
            f"config: {where} has {unused[0]!r}, which needs a `task`: add it, or leave {unused[0]!r} out."
        )
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


def check_panel(config: dict[str, Any]) -> None:
    """Check that the models of the lexicon's panel are models of the configuration."""
    for model in config.get("lexicon", {}).get("panel", []):
        if model not in config["models"]:
            raise ConfigError(f"config: lexicon.panel names {model!r}, which is not among the models: add it there.")
        if shared := config["models"][model].get("model"):
            raise ConfigError(
                f"config: lexicon.panel names {model!r}, whose words are those of {shared!r}: name that one."
            )


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


def _check_names(config: Mapping[str, Any]) -> None:
    """Check that no set of static vectors, which is an agent, has the name of a model. ConfigError: one has."""
    for name in config.get("vectors", {}):
        if name in config["models"]:
            raise ConfigError(f"config: vectors.{name} has the name of a model: rename one of them.")
