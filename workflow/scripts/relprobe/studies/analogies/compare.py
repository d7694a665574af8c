"""The agents side by side: averages, tests between agents, and what the right query adds to a swapped one."""

from collections.abc import Collection, Mapping, Sequence
from typing import Literal, NamedTuple

import polars as pl

from relprobe.core.analyses import take
from relprobe.core.files import ShownTables
from relprobe.core.metric import Metric
from relprobe.sources.static_vectors import Vectors
from relprobe.stats.averages import averages as averages_of
from relprobe.stats.comparisons import Declared, contrast_tests, paired_tests
from relprobe.stats.controls import kinds_of
from relprobe.stats.schemas import AgentKind, Averages, Tests
from relprobe.studies.analogies.measures import MEASURES
from relprobe.studies.analogies.method import COLUMNS, RIGHT, SWAPPED, Choices, Split
from relprobe.studies.analogies.relations import Analogies
from relprobe.studies.analogies.results import OfLayers, OfVectors
from relprobe.studies.analogies.schemas import SETTINGS, Contrasts, LayerMetrics, Metrics

# Averages, tests between agents, and tests within an agent, from the metrics of all agents.


def averages(metrics: dict[str, Metrics], *, targets: Literal["common", "own"]) -> Averages:
    """Average the accuracies of all agents, with intervals over families of tuples or over relations.

    `targets`: the tuples of the study (common), or those that each agent has (own). All agents are asked all of them, so
    that the two differ in no average; `own_units` marks an agent that lacks some.
    """
    return averages_of(metrics, MEASURES, targets=targets)


def comparisons(
    metrics: dict[str, Metrics],
    *,
    kinds: dict[str, str],
    members: list[str] | None = None,
    declared: Declared = (),
) -> Tests:
    """Test the differences between agents, over families of tuples within a relation and over relations within a group.

    `kinds`: agent -> masked, causal or control. `members`: the checkpoints that are not the last of their series, which are
    compared with controls alone. `declared`: as for `paired_tests`.
    """
    return paired_tests(metrics, MEASURES, kinds=kinds_of_agents(kinds, members or []), declared=declared)


def contrasts(
    values: Mapping[str, pl.DataFrame], pairs: Sequence[tuple[str, str]], kinds: Mapping[str, AgentKind]
) -> pl.DataFrame:
    """Test the differences between pairs of metrics within every agent (CONTRASTS_OF_CONDITIONS).

    `pairs`: the probes, which are named without their setting. The column `metric` is the setting; a and b are the metrics.
    `kinds`: agent -> its kind in tests: members of a series are a family of their own.
    """
    tables = []
    for setting in SETTINGS:
        like = Metric(setting, cluster=("cluster",), share=True)
        named = [(f"{setting} {a}", f"{setting} {b}") for a, b in pairs]
        tables.append(contrast_tests(values, like, named, column="metric", groups=("condition",), kinds=kinds))
    return pl.concat(tables)


def query_tests(
    metrics: Mapping[str, Metrics], *, kinds: Mapping[str, str], members: Collection[str] = ()
) -> Contrasts:
    """Test within every agent what the right query adds to a swapped one, on the same instances (`contrasts`).

    `kinds` and `members`: as in `comparisons`.
    """
    pairs = [(probe + RIGHT, probe + SWAPPED) for probe in COLUMNS]
    return contrasts(metrics, pairs, kinds_of_agents(kinds, members))


def kinds_of_agents(kinds: Mapping[str, str], members: Collection[str] = ()) -> dict[str, AgentKind]:
    """Return the kind of each agent in tests: encoders, too, are controls. `kinds`: agent -> masked, causal or control.

    >>> kinds_of_agents({"bert": "masked", "static": "control"})
    {'bert': 'model', 'static': 'control'}
    """
    return kinds_of(kinds, [agent for agent, kind in kinds.items() if kind == "control"], members)


# All of these at once, as the step `compare` writes them.


class ComparisonTables(NamedTuple):
    """The averages of all agents, tests between them, those of the swapped queries, and the tables of agents with layers."""

    averages: Averages
    tests: Tests
    swapped: Contrasts
    tables: ShownTables | None = None


def compare(
    metrics: dict[str, Metrics],
    controls: dict[str, Metrics] | None = None,
    layered: dict[str, LayerMetrics] | None = None,
    *,
    targets: Literal["common", "own"],
    kinds: dict[str, str],
    members: list[str] | None = None,
    declared: list[list[str]] | None = None,
) -> ComparisonTables:
    """Average and test the metrics of all agents.

    `controls`: the metrics of static vectors, and `layered`: those after each layer of an agent, where there are such
    agents; analyses compare them. `declared`: the pairs of agents that the configuration declares.
    """
    means = averages(metrics, targets=targets)
    tests = comparisons(metrics, kinds=kinds, members=members, declared=declared or [])
    queries = query_tests(metrics, kinds=kinds, members=members or [])
    layers = OfLayers(layered, controls or {}, means, targets) if layered else None
    return ComparisonTables(means, tests, queries, None if layers is None else _of_analyses("of_layers", layers))


def with_vectors(pairs: Analogies, vectors: Vectors, split: Split, choices: Choices) -> ShownTables:
    """Return the tables that analyses make of all pairs by static vectors, whose answers need no scoring by a network."""
    return _of_analyses("of_vectors", OfVectors(pairs, vectors, split, choices))


def _of_analyses(name: str, read: OfLayers | OfVectors) -> ShownTables:
    """Return the tables of what analyses define under a name. `read`: what they may read."""
    parts = [make(read) for make in take("analogies", name).values()]
    return {table: rows for part in parts for table, rows in part.items()}
