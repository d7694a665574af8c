"""The agents of a study side by side: what all studies say of how values are averaged and tested."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

import polars as pl

from relprobe.core.metric import Metric
from relprobe.stats.averages import averages
from relprobe.stats.comparisons import paired_tests
from relprobe.stats.controls import beyond_controls, judge_of, model_of, owner
from relprobe.stats.pooled import pooled_tests
from relprobe.stats.samples import Tables
from relprobe.stats.schemas import AgentKind, Averages, Tests

CONDITION = ("condition",)
"""The columns that divide the values of most studies."""


class Comparison(NamedTuple):
    """Averages, and the tests between agents."""

    averages: Averages
    tests: Tests


@dataclass(frozen=True)
class AgentComparison:
    """Which agents of a study are compared, and over which units.

    `controls`: the agents that are no language models. `members`: the checkpoints that are not the last of their series,
    which are compared with controls alone. `persons`: the agents that are a person each, whom models are compared with.
    `pooled`: those that are the answers of several people together. All other agents are models. `declared`: the pairs of
    agents that the configuration declares. `targets`: the units of the study (common), or those that each agent has (own).
    Where all agents are asked all units, the two differ in no average; `own_units` marks an agent that lacks some.
    """

    controls: list[str]
    members: list[str] | None = None
    declared: list[list[str]] | None = None
    targets: Literal["common", "own"] = "common"
    persons: list[str] | None = None
    pooled: list[str] | None = None

    def kinds(self, agents: Iterable[str]) -> dict[str, AgentKind]:
        """Return the kind of each agent.

        >>> AgentComparison(["random"], persons=["humans"]).kinds(["gpt2", "random", "humans"])
        {'gpt2': 'model', 'random': 'control', 'humans': 'person'}
        """
        named: Mapping[AgentKind, list[str] | None] = {
            "member": self.members,
            "control": self.controls,
            "person": self.persons,
            "pooled": self.pooled,
        }
        kinds: dict[str, AgentKind] = {
            agent: kind for kind, kind_agents in named.items() for agent in kind_agents or []
        }
        return {agent: kinds.get(agent, "model") for agent in agents}

    def averages(
        self,
        values: Mapping[str, pl.DataFrame],
        metrics: Sequence[Metric],
        groups: Sequence[str] = CONDITION,
        *,
        links: Tables | None = None,
        asked: Tables | None = None,
    ) -> Averages:
        """Return the averages of each agent, with intervals (`averages.averages`). `values`: agent -> its values."""
        return averages(values, metrics, groups, targets=self.targets, links=links, asked=asked)

    def tests(
        self,
        values: Mapping[str, pl.DataFrame],
        metrics: Sequence[Metric],
        groups: Sequence[str] = CONDITION,
        *,
        links: Tables | None = None,
        absent: bool = False,
    ) -> Tests:
        """Return the tests between agents (`comparisons.paired_tests`). `values`: as above."""
        kinds, declared = self.kinds(values), self.declared or []
        return paired_tests(values, metrics, groups, kinds=kinds, absent=absent, links=links, declared=declared)

    def compare(self, values: Mapping[str, pl.DataFrame], metrics: Sequence[Metric]) -> Comparison:
        """Return averages and tests of a study whose values are divided by CONDITION, and linked by nothing."""
        return Comparison(self.averages(values, metrics), self.tests(values, metrics))

    def primary(
        self,
        values: Mapping[str, pl.DataFrame],
        metric: Metric,
        over: str = "condition",
        *,
        links: Tables | None = None,
    ) -> pl.DataFrame:
        """Return what each agent has beyond its controls in a metric, pooled over the column `over` (CONTROLS without it).

        It is one number for a study, with one test (`pooled.pooled_tests`, `controls.beyond_controls`).
        """
        pooled = pooled_tests(values, metric, over, kinds=self.kinds(values), links=links)
        return beyond_controls(pooled, self.controls)

    def with_judges(self, agents: Iterable[str]) -> "AgentComparison":
        """Return the comparison of agents that are judges of models, where members and declared pairs are models.

        A member is every judge of a model that is one, and a pair of models stands for all judges that both have.

        >>> model_comparison = AgentComparison(["a pmi+word"], members=["a"], declared=[["a", "b"]])
        >>> judge_comparison = model_comparison.with_judges(["a pmi", "a pmi+word", "b pmi"])
        >>> judge_comparison.members, judge_comparison.declared
        (['a pmi'], [['a pmi', 'b pmi']])
        """
        judged = [agent for agent in agents if model_of(agent) is not None]
        members = [agent for agent in judged if model_of(agent) in (self.members or []) and owner(agent) is None]
        judges = dict.fromkeys(map(judge_of, judged))
        declared = [[f"{model} {judge}" for model in pair] for pair in self.declared or [] for judge in judges]
        return replace(self, members=members, declared=declared)


MODELS = AgentComparison([])
"""All agents are models."""


class JudgeGroups(NamedTuple):
    """Which agents are compared where a model has several judges: those that share a model, and those that share a judge."""

    models: dict[str, list[str]]
    """Model -> its judges, without their own controls."""
    judges: dict[str, list[str]]
    """Judge -> the agents of all models that have it, with their own controls."""
    without_model: list[str]
    """The agents without a model: people, and the controls of all models."""


def judge_groups(agents: Iterable[str]) -> JudgeGroups:
    """Return which agents are compared; MODEL JUDGE is the name of a judge of a model.

    >>> judge_groups(["a pmi", "a pmi+word", "b pmi", "b schema", "static"])  # doctest: +NORMALIZE_WHITESPACE
    JudgeGroups(models={'a': ['a pmi'], 'b': ['b pmi', 'b schema']},
                judges={'pmi': ['a pmi', 'a pmi+word', 'b pmi'], 'schema': ['b schema']}, without_model=['static'])
    """
    groups = JudgeGroups({}, {}, [])
    for agent in agents:
        model = model_of(agent)
        if model is None:
            groups.without_model.append(agent)
            continue
        groups.judges.setdefault(judge_of(agent), []).append(agent)
        if owner(agent) is None:
            groups.models.setdefault(model, []).append(agent)
    return groups
