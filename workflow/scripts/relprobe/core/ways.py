"""Ways of asking: with the probe alone, with solved examples before it, in a chat, or for a list of words."""

from collections.abc import Mapping, Sequence
from typing import Any

KEYS = ("shots", "chat", "task")
"""The keys of a way that have a value."""


def ways_of(entry: Mapping[str, Any]) -> list[str]:
    """Return how an agent is asked, if it is asked in another way than with the bare probes.

    >>> ways_of({"type": "causal", "shots": 3, "chat": True})
    ['shots 3', 'chat true']
    """
    ways = [f"{key} {entry[key]}".lower() for key in KEYS if key in entry]
    return ways + [key for key in ("context", "peft", "layers") if key in entry]


def in_words(entry: Mapping[str, Any]) -> str:
    """Return the way in which an agent is asked, as figures and tables say it.

    >>> [in_words(entry) for entry in ({}, {"shots": 1}, {"chat": True, "shots": 3}, {"chat": "answer"}, {"task": "people"})]
    ['bare probe', '1 example', '3 examples, chat', 'chat, one word', "people's task"]
    """
    words = []
    if "shots" in entry:
        words.append(f"{entry['shots']} example{'' if entry['shots'] == 1 else 's'}")
    if "context" in entry:
        words.append("context")
    if entry.get("chat") and "task" not in entry:
        words.append("chat, one word" if entry["chat"] == "answer" else "chat")
    if "task" in entry:
        words.append(f"people's task{', chat' if entry.get('chat') else ''}")
    if entry.get("samples", 1) > 1:
        words.append(f"{entry['samples']} samples")
    return ", ".join(words) or "bare probe"


def asked_in_several_ways(
    models: Mapping[str, Mapping[str, Any]], agents: Sequence[str]
) -> dict[str, dict[str, dict[str, Any]]]:
    """Return the models that several of the agents ask in different ways: model -> agent -> what decides the way.

    `models`: the entries of all agents. A model has the name of the entry that says where its files are, or the name that
    its server knows it by: a model behind an endpoint is the same one where it gives log-probabilities and where it chats.
    An agent with an adapter is another model. `way` is in words; `answer` is what the agent gives: "log-probabilities",
    "one word" (in a chat), or "list".

    >>> models = {"m": {}, "m-shots": {"model": "m", "shots": 3}, "m-list": {"model": "m", "task": "list"}, "n": {}}
    >>> asked_in_several_ways(models, ["m", "m-list", "n"])
    {'m': {'m': {'way': 'bare probe', 'answer': 'log-probabilities'}, 'm-list': {'way': "people's task", 'answer': 'list'}}}
    """
    several: dict[str, dict[str, dict[str, Any]]] = {}
    for agent in agents:
        entry = models[agent]
        if "peft" in entry:
            continue
        model = entry["name"] if "endpoint" in entry else entry.get("model", agent)
        several.setdefault(model, {})[agent] = {"way": in_words(entry), "answer": _answer(entry)}
    return {model: ways for model, ways in several.items() if len({one["way"] for one in ways.values()}) > 1}


def _answer(entry: Mapping[str, Any]) -> str:
    if "task" in entry:
        return "list"
    return "one word" if entry.get("chat") == "answer" else "log-probabilities"
