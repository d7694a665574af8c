"""The agents of a study side by side: what all studies say of how values are averaged and tested."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import polars as pl

from relprobe.core.metric import Metric
from relprobe.stats.averages import averages
from relprobe.stats.comparisons import paired_tests
from relprobe.stats.controls import kinds_of
from relprobe.stats.schemas import AgentKind, Averages, Tests


@dataclass(frozen=True)
class AgentComparison:
    """Which agents of a study are compared, and over which units.

    `controls`: the agents that are no language models. `members`: the checkpoints that are not the last of their series,
    which are compared with controls alone. `declared`: the pairs of agents that the configuration declares. `targets`: the
    units of the study (common), or those that each agent has (own). Where all agents are asked all units, the two differ in
    no average; `own_units` marks an agent that lacks some.
    """

    controls: list[str]
    members: list[str] | None = None
    declared: list[list[str]] | None = None
    targets: Literal["common", "own"] = "common"

    def kinds(self, agents: Iterable[str], people: Iterable[str] = ()) -> dict[str, AgentKind]:
        """Return the kind of each agent; `people`: those that are one.

        >>> AgentComparison(["random"]).kinds(["gpt2", "random", "humans"], people=["humans"])
        {'gpt2': 'model', 'random': 'control', 'humans': 'person'}
        """
        named = [*agents]
        return kinds_of(named, self.controls, self.members or []) | {name: "person" for name in people if name in named}

    def averages(self, values: Mapping[str, pl.DataFrame], metrics: Sequence[Metric]) -> Averages:
        """Return the averages of each agent, with intervals over clusters. `values`: agent -> its values."""
        return averages(values, metrics, targets=self.targets)

    def tests(self, values: Mapping[str, pl.DataFrame], metrics: Sequence[Metric]) -> Tests:
        """Return the tests between agents (`paired_tests`). `values`: as above."""
        return paired_tests(values, metrics, kinds=self.kinds(values), declared=self.declared or [])
