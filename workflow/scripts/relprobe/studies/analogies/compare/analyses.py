"""Averages, tests between agents, and tests within an agent, from the metrics of all agents."""

from collections.abc import Collection, Mapping, Sequence
from itertools import combinations
from typing import Literal, NamedTuple

import polars as pl

from relprobe.core.metric import Metric
from relprobe.stats.averages import averages as averages_of
from relprobe.stats.comparisons import contrast_tests, paired_tests
from relprobe.stats.controls import kinds_of
from relprobe.stats.schemas import AgentKind, Averages, Tests
from relprobe.studies.analogies.measure.metrics import COLUMNS, MEASURES, RIGHT, SWAPPED
from relprobe.studies.analogies.schemas import SETTINGS, Contrasts, Metrics


def averages(metrics: dict[str, Metrics], *, targets: Literal["common", "own"]) -> Averages:
    """Average the accuracies of all agents, with intervals over families of tuples or over relations.

    `targets`: the tuples of the study (common), or those that each agent has (own). All agents are asked all of them, so
    that the two differ in no average; `own_units` marks an agent that lacks some.
    """
    return averages_of(metrics, MEASURES, targets=targets)


def comparisons(metrics: dict[str, Metrics], *, kinds: dict[str, str], members: list[str] | None = None) -> Tests:
    """Test the differences between agents, over families of tuples within a relation and over relations within a group.

    `kinds`: agent -> masked, causal or control. `members`: the checkpoints that are not the last of their series, which are
    compared with controls alone.
    """
    return paired_tests(metrics, MEASURES, kinds=kinds_of_agents(kinds, members or []))


class OfConditions(NamedTuple):
    """Tests within every agent: between its probes, and between the right and the swapped queries of a probe."""

    probes: Contrasts
    queries: Contrasts


def contrasts(metrics: dict[str, Metrics], *, kinds: dict[str, str], members: list[str] | None = None) -> OfConditions:
    """Test within every agent which of two probes is harder, and what the right query adds to a swapped one.

    Two probes are compared on the same tuples, two queries on the same instances. The column `metric` is the setting; a and
    b are the metrics of the two probes, or of a probe with the right query and with the swapped one. `kinds` and `members`
    as in `comparisons`: members of a series are a family of their own.
    """
    of_agents = kinds_of_agents(kinds, members or [])
    queries = [(probe + RIGHT, probe + SWAPPED) for probe in COLUMNS]
    return OfConditions(
        _within(metrics, list(combinations(COLUMNS, 2)), of_agents), _within(metrics, queries, of_agents)
    )


def _within(
    values: Mapping[str, pl.DataFrame], pairs: Sequence[tuple[str, str]], kinds: Mapping[str, AgentKind]
) -> pl.DataFrame:
    """Test the differences between pairs of metrics, which are named without their setting (CONTRASTS_OF_CONDITIONS)."""
    tables = []
    for setting in SETTINGS:
        like = Metric(setting, cluster=("cluster",), share=True)
        named = [(f"{setting} {a}", f"{setting} {b}") for a, b in pairs]
        tables.append(contrast_tests(values, like, named, column="metric", groups=("condition",), kinds=kinds))
    return pl.concat(tables)


def kinds_of_agents(kinds: Mapping[str, str], members: Collection[str] = ()) -> dict[str, AgentKind]:
    """Return the kind of each agent in tests: encoders, too, are controls. `kinds`: agent -> masked, causal or control.

    >>> kinds_of_agents({"bert": "masked", "static": "control"})
    {'bert': 'model', 'static': 'control'}
    """
    return kinds_of(kinds, [agent for agent, kind in kinds.items() if kind == "control"], members)
