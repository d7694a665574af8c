"""Ways of asking: with the probe alone, with solved examples before it, in a chat, or for a list of words."""

from collections.abc import Mapping, Sequence
from typing import Any

BARE = "bare"
"""The way of an agent that is asked with the probe alone."""


def prompting_of(entry: Mapping[str, Any]) -> list[str]:
    """Return in words how an agent is asked, if it is asked in another way than with the bare probe.

    The task of one study and that of every study (`people`) are the same way.

    >>> prompting_of({"type": "causal", "shots": 3, "chat": True}), prompting_of({"chat": "answer", "shots": 1})
    (['3 examples', 'chat'], ['1 example', 'chat, one word'])
    >>> prompting_of({"task": "list", "chat": True, "samples": 4}), prompting_of({"type": "masked"})
    (["people's task", 'chat', '4 samples'], [])
    >>> prompting_of({"task": "list", "chat": True, "thoughts": 500})
    ["people's task", 'chat', 'thoughts']
    """
    shots, samples, task = entry.get("shots"), entry.get("samples", 1), "task" in entry
    words = {
        f"{shots} example{'' if shots == 1 else 's'}": shots is not None,
        "people's task": task,
        "chat, one word": entry.get("chat") == "answer",
        "chat": entry.get("chat") is True,
        f"{samples} samples": samples > 1,
        "thoughts": entry.get("thoughts", 0) > 0,
        "context": "context" in entry,
        "adapter": "peft" in entry,
        "layers": "layers" in entry,
    }
    return [word for word, holds in words.items() if holds]


def network_of(agent: str, entry: Mapping[str, Any]) -> str:
    """Return the name of the model that an agent asks: that of its files' entry, or the one that its server knows it by.

    An agent with an adapter is another model, and has its own name.

    >>> network_of("m-shots", {"model": "m", "shots": 3}), network_of("m-lora", {"model": "m", "peft": {"path": "lora"}})
    ('m', 'm-lora')
    """
    if "peft" in entry:
        return agent
    return str(entry["name"] if "endpoint" in entry else entry.get("model", agent))


def prompting_by_model(
    models: Mapping[str, Mapping[str, Any]], agents: Sequence[str]
) -> dict[str, dict[str, dict[str, Any]]]:
    """Return the models that several of the agents ask in different ways: model -> agent -> what decides the way.

    `models`: the entries of all agents. A model has the name of the entry that says where its files are, or the name that
    its server knows it by: a model behind an endpoint is the same one where it gives log-probabilities and where it chats.
    An agent with an adapter is another model. `way` is that of `prompting_of`; `answer` is what the agent gives:
    "log-probabilities", "one word" (in a chat), or "list".

    >>> models = {"m": {}, "m-shots": {"model": "m", "shots": 3}, "m-list": {"model": "m", "task": "list"}, "n": {}}
    >>> prompting_by_model(models, ["m", "m-list", "n"])
    {'m': {'m': {'way': 'bare', 'answer': 'log-probabilities'}, 'm-list': {'way': "people's task", 'answer': 'list'}}}
    """
    several: dict[str, dict[str, dict[str, Any]]] = {}
    for agent in agents:
        entry = models[agent]
        if "peft" in entry:
            continue
        several.setdefault(network_of(agent, entry), {})[agent] = {
            "way": ", ".join(prompting_of(entry)) or BARE,
            "answer": _answer(entry),
        }
    return {model: ways for model, ways in several.items() if len({asked["way"] for asked in ways.values()}) > 1}


def _answer(entry: Mapping[str, Any]) -> str:
    if "task" in entry:
        return "list"
    return "one word" if entry.get("chat") == "answer" else "log-probabilities"
