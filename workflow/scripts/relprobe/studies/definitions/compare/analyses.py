"""From the metrics of all agents to tests between agents and tasks, and to averages on the groups that people answered."""

from collections.abc import Mapping
from typing import Literal, NamedTuple

import polars as pl

from relprobe.stats.averages import averages as averages_of
from relprobe.stats.comparisons import contrast_tests, paired_tests
from relprobe.stats.controls import kinds_of
from relprobe.stats.schemas import AVERAGES, AgentKind, Averages, Tests
from relprobe.studies.definitions.ask.prompts import POS
from relprobe.studies.definitions.measure.conditions import SMALL
from relprobe.studies.definitions.measure.metrics import MEASURES, TASK_PAIRS
from relprobe.studies.definitions.schemas import HUMANS, Metrics, TaskContrasts


class Comparisons(NamedTuple):
    """The tests between agents, and those between the tasks within each agent."""

    agents: Tests
    tasks: TaskContrasts


def averages(metrics: dict[str, Metrics], *, targets: Literal["common", "own"]) -> Averages:
    """Average the metrics of every agent, with intervals over families.

    `targets`: the groups of the study (common), or those that each agent has (own). All agents are asked all groups, so that
    the two differ in no average; `own_units` marks an agent that lacks some.
    """
    return averages_of(metrics, MEASURES, targets=targets)


def comparisons(metrics: dict[str, Metrics], *, controls: list[str], members: list[str] | None = None) -> Comparisons:
    """Test the differences between agents, and between the tasks within each agent, per part of speech.

    `controls`: the agents that are no language models. `members`: the checkpoints that are not the last of their series,
    which are compared with controls alone.
    """
    kinds = kinds_of(metrics, controls, members or [])
    kinds |= {agent: "person" for agent in metrics if agent == HUMANS}
    return Comparisons(compare(metrics, kinds), compare_tasks(metrics, kinds))


def compare(values: Mapping[str, Metrics], kinds: Mapping[str, AgentKind]) -> Tests:
    """Compare every pair of agents on every metric per part of speech; families are the clusters.

    `kinds`: agent -> model or control. The paper's test is McNemar's on P@1, and Wilcoxon's on RS.
    """
    return paired_tests(_by_pos(values), MEASURES, kinds=kinds)


def compare_tasks(values: Mapping[str, Metrics], kinds: Mapping[str, AgentKind]) -> TaskContrasts:
    """Compare W2D with D2W within every agent, per measure and part of speech; `metric` is the measure."""
    by_pos = _by_pos(values)
    parts = [
        contrast_tests(by_pos, measure, [tasks], column="metric", groups=["condition"], kinds=kinds)
        for measure, tasks in TASK_PAIRS.items()
    ]
    return pl.concat(parts).sort("metric", "condition", maintain_order=True)


def beside_people(metrics: dict[str, Metrics]) -> Averages:
    """Average the metrics of every agent over the groups that people answered (Table 8).

    The conditions are parts of speech, and the groups of up to FEW candidates, as in the paper.
    """
    answered = metrics[HUMANS].filter(pl.col("condition").is_in([*POS, SMALL]))
    keys = answered.select("metric", "condition", "unit").unique()
    same = {
        agent: table.join(keys, on=["metric", "condition", "unit"], how="semi", maintain_order="left")
        for agent, table in metrics.items()
    }
    return averages_of(same, MEASURES) if answered.height else pl.DataFrame(schema=AVERAGES)


def _by_pos(values: Mapping[str, Metrics]) -> dict[str, Metrics]:
    return {agent: table.filter(pl.col("condition").is_in(list(POS))) for agent, table in values.items()}
