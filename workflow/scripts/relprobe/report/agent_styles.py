"""How agents look in figures: a colour for each family of a study, and a marker for each agent of it."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

FAMILY_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7b5ea7", "#8c564b")
"""The first six are those of Okabe and Ito, which colour-blind people can tell apart. A ninth family has the first again."""
SCHEMES = {
    "#000000": "ink",
    "#ffffff": "paper",
    "#dddddd": "grid",
    "#cccccc": "faint",
    "#444444": "strong",
    **{colour: f"family-{number}" for number, colour in enumerate(FAMILY_COLOURS)},
}
"""Colour in the files of figures -> the variable of the page's style that takes its place; its value follows the scheme."""
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*", "<", ">", "p", "h")
DASHES = ("-", "--", "-.", ":")
PEOPLE = "#000000"
CONTROL = "#808080"
CONTROL_FAMILY = "control"
NO_FAMILY = ""
"""The family of controls among those of all agents (`families`)."""


@dataclass(frozen=True)
class AgentStyle:
    """What tells an agent apart in a figure. `family`: what has its colour in common; `hollow`: the marker is an outline."""

    colour: str
    marker: str
    dash: str
    family: str
    hollow: bool = False


OWN_CONTROL = AgentStyle(CONTROL, "o", "-", CONTROL_FAMILY, hollow=True)
"""How a model's own control looks, which is drawn into the row of the model."""


class Styles(NamedTuple):
    """The styles of agents, in the order of the figures, and of agents with layers."""

    agents: Mapping[str, AgentStyle]
    layered: Mapping[str, AgentStyle]


@dataclass(frozen=True)
class FigureSettings:
    """Which figures of a study are drawn, and what decides how its agents look.

    `kinds`, `layered`: agent -> humans, masked, causal or control, of its agents and of those that are asked after each of
    their layers; `families`: those of the agents of the study (`families`).
    """

    figure_names: list[str]
    kinds: dict[str, str]
    families: dict[str, str] | None = None
    layered: dict[str, str] | None = None

    def styles(self, controls: Iterable[str] = ()) -> Styles:
        """Return the styles of the agents. `controls`: agents that `kinds` does not have.

        >>> FigureSettings([], {"bert": "masked"}).styles(["random"]).agents["random"].colour == CONTROL
        True
        """
        kinds, families = {**self.kinds, **dict.fromkeys(controls, "control")}, self.families or {}
        return Styles(agent_styles(kinds, families), agent_styles(self.layered or {}, families))


def natural(name: str) -> list[tuple[bool, int, str]]:
    """Return the key of an order in which model-2 stands before model-10.

    >>> sorted(["model-10", "model-2", "bert"], key=natural)
    ['bert', 'model-2', 'model-10']
    """
    parts = re.findall(r"\d+|\D+", name)
    return [(part.isdigit(), int(part) if part.isdigit() else 0, part) for part in parts]


def families(
    models: Mapping[str, Mapping[str, Any]], controls: Sequence[str] = (), agents: Sequence[str] | None = None
) -> dict[str, str]:
    """Return the family of each agent of a study, in the order of the figures, and below them the `controls`.

    `models`: the agents of the configuration, of which those of `agents` take part; without `agents`, all of them.

    Families stand in the order of their first models; in a family, the smaller model stands before the larger, and names
    with numbers stand in the order of the numbers. An agent without a family belongs to that of its model. `controls`: the
    names that the studies give theirs; their family is NO_FAMILY.

    >>> families({"gpt-10": {"family": "G"}, "bert": {}, "gpt-2": {"family": "G"}, "bert-3": {"model": "bert", "shots": 3}})
    {'gpt-2': 'G', 'gpt-10': 'G', 'bert': 'bert', 'bert-3': 'bert'}
    """
    named = {agent: _family(agent, models) for agent in (models if agents is None else agents)}
    order = list(dict.fromkeys(named.values()))

    def key(agent: str) -> tuple[int, float, list[tuple[bool, int, str]]]:
        return order.index(named[agent]), float(models[agent].get("size", 0)), natural(agent)

    without_family = {name: NO_FAMILY for name in controls if name not in models}
    return {agent: named[agent] for agent in sorted(named, key=key)} | without_family


def _family(agent: str, models: Mapping[str, Mapping[str, Any]]) -> str:
    entry = models[agent]
    model = str(entry.get("model", agent))
    return str(entry.get("family") or models.get(model, {}).get("family") or model)


def agent_styles(agents: Mapping[str, str], families: Mapping[str, str]) -> dict[str, AgentStyle]:
    """Return the look of each agent of a study, in the order of its figures: people, models by family, controls.

    `agents`: agent -> its kind: humans, masked, causal or control. `families`: those of the agents of the study
    (`families`), so that an agent looks the same in all its figures; a model without an entry is a family of its own.

    >>> kinds = {"random": "control", "gpt": "causal", "bert-2": "masked"}
    >>> styles = agent_styles(kinds, {"bert-1": "BERT", "bert-2": "BERT", "gpt": "GPT"})
    >>> [(agent, look.colour, look.marker) for agent, look in styles.items()][:2]
    [('bert-2', '#0072b2', 's'), ('gpt', '#d55e00', 'o')]
    """
    named_families = {agent: family for agent, family in families.items() if family != NO_FAMILY}
    for agent, kind in agents.items():
        if kind not in ("humans", "control"):
            named_families.setdefault(agent, agent)
    order = list(dict.fromkeys(named_families.values()))
    members = {
        family: [agent for agent, agent_family in named_families.items() if agent_family == family] for family in order
    }
    model_styles = {
        agent: _style(FAMILY_COLOURS[number % len(FAMILY_COLOURS)], marker, family)
        for number, family in enumerate(order)
        for marker, agent in enumerate(members[family])
    }
    people = [agent for agent, kind in agents.items() if kind == "humans"]
    control_agents = sorted((agent for agent, kind in agents.items() if kind == "control"), key=natural)
    controls = [agent for agent, family in families.items() if family == NO_FAMILY]
    return {
        **{agent: _style(PEOPLE, marker, "people") for marker, agent in enumerate(people)},
        **{agent: style for agent, style in model_styles.items() if agent in agents and agents[agent] != "control"},
        **{agent: _style(CONTROL, _place(agent, control_agents, controls), CONTROL_FAMILY) for agent in control_agents},
    }


def _style(colour: str, number: int, family: str) -> AgentStyle:
    turn, marker = divmod(number, len(MARKERS))
    return AgentStyle(colour, MARKERS[marker], DASHES[number % len(DASHES)], family, hollow=turn % 2 == 1)


def _place(agent: str, control_agents: Sequence[str], controls: Sequence[str]) -> int:
    """Return the place of a control's marker: that of its name or, as for MODEL+control, of the name's end.

    `controls`: those of all studies, so that a control has the same marker in each; `control_agents`: those of the figure.
    """
    ends = [position for position, name in enumerate(controls) if agent == name or agent.endswith(f"+{name}")]
    return ends[0] if ends else len(controls) + control_agents.index(agent)
