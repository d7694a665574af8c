"""The entries of the configuration: its agents, and where their files come from."""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from relprobe.core.errors import ConfigError
from relprobe.core.files import exists
from relprobe.core.series import step_of, tokens_of
from relprobe.core.study import Needs
from relprobe.core.ways import ways_of

ORIGINS = ("huggingface", "path", "pypi", "url")
"""The keys that name a source. An entry has exactly one of them."""
SERVER_KEYS = ("name", "key_env", "concurrency", "timeout", "compare")
"""The keys that only a served model has, apart from `endpoint`."""
CHAT_KEYS = ("limits", "request")
"""The keys that only a participant has: a served model that takes a task in its chat endpoint."""
TASK_KEYS = ("samples", "orders", "thoughts")
"""The keys that only an agent with a task has."""
NO_PARTICIPANT = (
    *("chat", "shots", "layers", "context", "bos", "dtype", "device_map", "peft", "compare"),
    *("size", "series", "step", "tokens", "revisions", "allow_pickle"),
)
"""The keys that no participant has: it gets the words of its task and nothing else, and is one model."""
SHARED = ("type", "family", "size", "series", "step", "tokens", "dtype", "bos", "device_map", "endpoint", *SERVER_KEYS)
"""What the agents of one model share, apart from its files."""
SOURCE = (*ORIGINS, "revision", "allow_pickle", "file", "sha256", "member")
"""The keys of a model's files."""
PATHS = ("path", "prompts", "relations", "language", "demonstration", "examples", "chat", "map", "before")
"""The keys whose value, if it is a word, may be a path."""
PINNED_BY = {"huggingface": ("revision",), "pypi": ("file", "sha256"), "url": ("sha256",), "path": ()}
"""The key of a source -> the keys that pin it to fixed contents."""


def complete_paths(section: dict[str, Any]) -> None:
    """Write "~" as the home folder in every path, and a path that begins with "-", which looks like an option, with "./"."""
    for key, value in section.items():
        if isinstance(value, dict):
            complete_paths(value)
        elif key in PATHS and str(value).startswith("~/") and not exists(value):
            section[key] = str(Path(value).expanduser())
        if key in PATHS and str(value).startswith("-"):
            section[key] = f"./{value}"


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
    >>> [(name, one["step"], one["tokens"]) for name, one in _checkpoints({"m": entry})]
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
            read = tokens_of(revision)
            tokens = {} if read is None else {"tokens": read}
            yield agent, {**rest, "revision": revision, "series": name, "step": step, **tokens}


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
            if is_participant(entry):
                entry.setdefault("type", "causal")
            if "type" not in entry:
                raise ConfigError(f"config: {where} has no 'type': add it.")
            continue
        if base not in models or "model" in models[base]:
            fault = "is no entry of models" if base not in models else "shares another entry's model itself"
            raise ConfigError(f"config: {where}.model names {base!r}, which {fault}: name an entry that has a source.")
        if is_participant(models[base]) and "task" not in entry:
            raise ConfigError(
                f"config: {where} shares the model {base!r}, which only chats, and so needs a `task`: add it."
            )
        own = [key for key in (*SHARED, *SOURCE) if key in entry and entry[key] != models[base].get(key)]
        if own:
            raise ConfigError(f"config: {where} has {own[0]!r} beside `model`, which decides it: leave it out.")
    for entry in models.values():
        if "model" in entry:
            base = models[entry["model"]]
            shared = [key for key in SHARED if not ("endpoint" in base and "task" in entry and key in NO_PARTICIPANT)]
            entry |= {key: base[key] for key in shared if key in base}


def check_vectors(config: Mapping[str, Any]) -> None:
    """Check that no set of static vectors, which is an agent, has the name of a model. ConfigError: one has."""
    for name in config.get("vectors", {}):
        if name in config["models"]:
            raise ConfigError(f"config: vectors.{name} has the name of a model: rename one of them.")


def is_participant(entry: dict[str, Any]) -> bool:
    """Say whether an agent is a model behind a server that takes a task in its chat endpoint.

    >>> is_participant({"endpoint": "http://localhost:8000/v1", "task": "list"}), is_participant({"task": "list"})
    (True, False)
    """
    return "endpoint" in entry and "task" in entry


def check_origin(where: str, entry: dict[str, Any], needs: dict[str, Needs]) -> None:
    """Check that an entry has exactly one source, that it is pinned, and that a local path exists.

    `where`: the key of the entry, such as models.bert. `needs`: the resources that users must get
    (`Study.needs`). Their paths may be missing: their studies are then left out.
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
    if where in {f"resources.{one.resource}" for one in needs.values()}:
        return
    if sources[0] == "path" and not exists(entry["path"]):
        raise ConfigError(f"config: {where}.path names {entry['path']}, which does not exist: correct it.")
    if sources[0] == "path" and not (Path(entry["path"]).is_file() or Path(entry["path"]).is_dir()):
        raise ConfigError(
            f"config: {where}.path names {entry['path']}, which is neither a file nor a folder: correct it."
        )


def addresses(config: Mapping[str, Any]) -> dict[str, str]:
    """Return the addresses that files are fetched from: the name of each entry, such as models.bert.peft -> `url`."""
    entries = {
        f"{part}.{name}": entry
        for part in ("models", "encoders", "vectors", "resources")
        for name, entry in config.get(part, {}).items()
    }
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
    check_origin(f"{where}.peft", entry["peft"], {})


def check_server(where: str, entry: dict[str, Any]) -> None:
    """Check the keys of a served model; a model that is not served must have none of them."""
    if "endpoint" not in entry:
        alone = [key for key in (*SERVER_KEYS, *CHAT_KEYS) if key in entry]
        if alone:
            raise ConfigError(
                f"config: {where} has {alone[0]!r}, which is for served models: add `endpoint` or delete it."
            )
        return
    if not is_participant(entry) and (unused := [key for key in CHAT_KEYS if key in entry]):
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
