"""The agents side by side: averages, tests between agents, and what the right query adds to a swapped one."""

from collections.abc import Mapping
from typing import NamedTuple

from relprobe.core.files import ShownTables
from relprobe.core.unmade import table_or_reason
from relprobe.report.analyses import tables_by_layer, tables_of
from relprobe.sources.static_vectors import Vectors
from relprobe.stats.schemas import AgentKind, Averages, Tests
from relprobe.stats.side_by_side import AgentComparison
from relprobe.studies.analogies.choices import Choices
from relprobe.studies.analogies.measures import MEASURES
from relprobe.studies.analogies.method import COLUMNS, RIGHT, SWAPPED, Split
from relprobe.studies.analogies.relations import Analogies
from relprobe.studies.analogies.results import LayerResults, VectorData, contrasts
from relprobe.studies.analogies.schemas import Contrasts, LayerMetrics, Metrics

# Tests within an agent, from the metrics of all agents.


def query_tests(values: Mapping[str, Metrics], kinds: Mapping[str, AgentKind]) -> Contrasts:
    """Test within every agent what the right query adds to a swapped one, on the same instances (`contrasts`)."""
    return contrasts(values, [(probe + RIGHT, probe + SWAPPED) for probe in COLUMNS], kinds)


# All of these at once, as the step `compare` writes them.


class ComparisonTables(NamedTuple):
    """The averages of all agents, tests between them, those of the swapped queries, and the tables of agents with layers."""

    averages: Averages
    tests: Tests
    swapped: Contrasts
    tables: ShownTables | None = None


def compare(
    metrics: dict[str, Metrics],
    comparing: AgentComparison,
    static: dict[str, Metrics] | None = None,
    layered: dict[str, LayerMetrics] | None = None,
    *,
    table_names: list[str] | None = None,
) -> ComparisonTables:
    """Average the metrics of all agents, and test them, over families of tuples or, in a group, over relations.

    Encoders, too, are controls. `static`: the metrics of static vectors, and `layered`: those after each layer of an agent,
    where there are such agents; analyses compare them in `table_names`. A table beside the averages and tests that cannot be
    made says why.
    """
    means, tests = comparing.compare(metrics, MEASURES)
    queries = table_or_reason("swapped", query_tests, metrics, comparing.kinds(metrics))
    layers = LayerResults(layered or {}, static or {}, means, comparing.targets)
    tables = tables_by_layer("analogies", layers, table_names or []) if layered else None
    return ComparisonTables(means, tests, queries, tables)


def with_vectors(pairs: Analogies, vectors: Vectors, split: Split, choices: Choices) -> ShownTables:
    """Return the tables that analyses make of all pairs by static vectors, whose answers need no scoring by a network."""
    return tables_of("analogies", "tables_of_vectors", VectorData(pairs, vectors, split, choices))
