"""Agents that repeat another one: an agent has only what its way of asking changes.

Solved examples stand before a probe, and not before a sentence that is embedded: there the agent with `shots` would have the
values of the agent without them, under a second name. It would stand on the page as another agent, and each of its tests
would make the p-values of all others larger (Holm's adjustment).
"""

from collections.abc import Iterable, Mapping
from typing import Any

from relprobe.core.study import study_of

READ: dict[str, Any] = {
    **dict.fromkeys(("shots", "chat", "context", "peft", "layers", "task", "samples", "request")),
    **{"orders": 1, "thoughts": 0},
}
"""The keys of an entry that decide how its model is asked, and what an agent without the key has."""
ANSWERS, LAYERS, TASK = "answers", "layers", "task"
"""The parts of every study: answers to its probes, values after each layer, and the task that people took."""


def duplicate_agents(config: Mapping[str, Any], study: str, agents: Iterable[str], part: str = "") -> dict[str, str]:
    """Return the agents that repeat another one in a part of a study: agent -> the agent whose answers it would repeat.

    Agents of one model whose entries differ only in what the part does not read are asked alike: `Study.unread` names these
    keys. The answers are those of the first that has none of these keys, or as few as any; the entry that says where the
    model's files are comes before others. `config`: a validated configuration. `part`: a part that
    it names, or else the agent's own (`part_of`).

    >>> models = {"few": {"model": "m", "shots": 3}, "m": {"type": "causal"}, "chat": {"model": "m", "chat": True}}
    >>> duplicate_agents({"models": models}, "systematicity", models, "embeddings")
    {'few': 'm'}
    >>> duplicate_agents({"models": models | {"again": {"model": "m"}}}, "systematicity", [*models, "again"])
    {'again': 'm'}
    """
    alike: dict[str, list[str]] = {}
    for agent in agents:
        alike.setdefault(repr(_asked(config, study, agent, part)), []).append(agent)
    return {
        agent: first
        for group in alike.values()
        for first in [min(group, key=lambda agent: _rank(config["models"][agent], study, part))]
        for agent in group
        if agent != first
    }


def sentences(config: Mapping[str, Any], taking_part: Mapping[str, Iterable[str]]) -> list[str]:
    """Return a sentence on each agent that takes no part in studies where it would repeat another one.

    `taking_part`: study -> the agents that the configuration names for it.

    >>> models = {"m": {"type": "causal"}, "again": {"model": "m"}}
    >>> sentences({"models": models}, {"relations": models})
    ['again takes no part in the study relations, where it is asked as m is: take it out, or ask it in another way.']
    """
    pairs: dict[tuple[str, str], list[str]] = {}
    for study, agents in taking_part.items():
        for agent, first in duplicate_agents(config, study, agents).items():
            pairs.setdefault((agent, first), []).append(study)
    return [
        f"{agent} takes no part in the {'study' if len(studies) == 1 else 'studies'} {', '.join(studies)}, where "
        f"it is asked as {first} is: take it out, or ask it in another way."
        for (agent, first), studies in pairs.items()
    ]


def part_of(entry: Mapping[str, Any]) -> str:
    """Return the part of a study that an agent takes.

    >>> part_of({"shots": 3}), part_of({"task": "people"}), part_of({"layers": "all"})
    ('answers', 'task', 'layers')
    """
    return next((part for part in (TASK, LAYERS) if part in entry), ANSWERS)


def _asked(config: Mapping[str, Any], study: str, agent: str, part: str) -> tuple[Any, ...]:
    """Return what decides the answers of an agent in a part of a study."""
    entry = config["models"][agent]
    read = {key: entry.get(key, without) for key, without in READ.items() if key not in _unread(study, part, entry)}
    return entry.get("model", agent), read, study_of(study).agent_settings(config, agent)


def _rank(entry: Mapping[str, Any], study: str, part: str) -> tuple[int, bool]:
    return sum(key in entry for key in _unread(study, part, entry)), "model" in entry


def _unread(study: str, part: str, entry: Mapping[str, Any]) -> tuple[str, ...]:
    return study_of(study).unread.get(part or part_of(entry), ())
