"""The agents side by side: averages, and tests between agents and between tasks; and the sizes of the groups."""

from collections.abc import Mapping
from typing import NamedTuple

import polars as pl

from relprobe.core.files import ShownTables
from relprobe.core.metric import by_name
from relprobe.core.sums import ordered_mean
from relprobe.core.unmade import table_or_reason
from relprobe.stats.comparisons import contrast_tests
from relprobe.stats.schemas import Averages, Tests
from relprobe.stats.side_by_side import AgentComparison
from relprobe.studies.definitions.conditions import BAND_LIMITS, conditions, names
from relprobe.studies.definitions.measures import MEASURES, TASK_PAIRS, metric_name
from relprobe.studies.definitions.schemas import (
    BENCHMARK_GROUPS,
    POS,
    SAMPLE_GROUPS,
    SIZES,
    TASKS,
    Metrics,
    Properties,
    Sizes,
    TaskContrasts,
    enough,
)

# Tests between agents and between tasks.


def compare_agents(values: Mapping[str, Metrics], comparing: AgentComparison) -> Tests:
    """Compare every pair of agents on every metric per part of speech; families are the clusters. The paper has no test."""
    return comparing.tests(_by_pos(values), MEASURES)


def primary(values: Mapping[str, Metrics], comparing: AgentComparison) -> pl.DataFrame:
    """Return what each agent has beyond its controls in RS of W2D, pooled over parts of speech (CONTROLS, no conditions)."""
    return comparing.primary(_by_pos(values), by_name(MEASURES)[metric_name("w2d", "RS")])


def compare_tasks(values: Mapping[str, Metrics], comparing: AgentComparison) -> TaskContrasts:
    """Compare W2D with D2W within every agent, per measure and part of speech; `metric` is the measure."""
    by_pos, kinds = _by_pos(values), comparing.kinds(values)
    parts = [
        contrast_tests(by_pos, measure, [tasks], column="metric", groups=["condition"], kinds=kinds)
        for measure, tasks in TASK_PAIRS.items()
    ]
    return pl.concat(parts).sort("metric", "condition", maintain_order=True)


def _by_pos(values: Mapping[str, Metrics]) -> dict[str, Metrics]:
    return {agent: table.filter(pl.col("condition").is_in(list(POS))) for agent, table in values.items()}


# The number of groups, their sizes, and how often a guess is right (Tables 2, 4, 5).


def sizes(properties: Properties, *, minimum: int = 5, bands: list[int] | None = None) -> Sizes:
    """Count the groups and their candidates, and how often a guess is right (Table 2).

    The benchmark has the groups with enough different strings and definitions, whose number Table 2 prints, and the sample
    those of them that are drawn. Table 2 prints the averages of the groups with "at least 5 synsets".
    `minimum`: the candidates that a group of the benchmark has at least. `bands`: the uses from which a word is medium, and
    frequent.
    """
    benchmark, sample, limits = properties.filter("kept"), properties.filter("drawn"), bands or BAND_LIMITS
    parts = [
        _size_rows(enough(minimum), properties, properties.select("group", condition="pos"), tasks=False),
        _size_rows(BENCHMARK_GROUPS, benchmark, conditions(benchmark, limits)),
    ]
    if sample.height < benchmark.height:
        parts.append(_size_rows(SAMPLE_GROUPS, sample, conditions(sample, limits)))
    return pl.concat([pl.DataFrame(schema=SIZES), *parts], how="diagonal_relaxed").cast(SIZES)


def _size_rows(name: str, groups: pl.DataFrame, group_conditions: pl.DataFrame, *, tasks: bool = True) -> pl.DataFrame:
    """Return a row per condition. Without `tasks`, the tasks have no sizes."""
    task_averages = [ordered_mean(task).alias(f"{task}_candidates") for task in TASKS]
    task_averages += [ordered_mean(1 / pl.col(task)).alias(f"{task}_random") for task in TASKS]
    size = pl.col("synsets")
    averages = [size.mean().alias("candidates"), size.min().alias("smallest"), size.max().alias("largest")]
    counts = [pl.len().alias("groups"), *_families()]
    rows = groups.join(group_conditions, on="group").group_by("condition")
    table = rows.agg(*counts, *averages, *(task_averages if tasks else []))
    return table.with_columns(groups_of=pl.lit(name)).sort(pl.col("condition").cast(pl.Enum(names())))


def _families() -> list[pl.Expr]:
    """Count the families, and as how many families of one size they count: n² / Σ n_f², n_f groups in family f (Kish)."""
    members = pl.col("family").unique_counts()
    return [
        pl.col("family").n_unique().alias("families"),
        (members.sum() ** 2 / (members.cast(pl.Float64) ** 2).sum()).alias("effective_families"),
    ]


# All of these at once, as the step `compare` writes them.


class ComparisonTables(NamedTuple):
    """The averages of all agents, tests between agents and tasks, sizes, and the primary test."""

    averages: Averages
    tests: Tests
    tasks: TaskContrasts
    sizes: Sizes
    tables: ShownTables


def compare(
    metrics: dict[str, Metrics],
    properties: Properties,
    comparing: AgentComparison,
    *,
    minimum: int = 5,
    bands: list[int] | None = None,
) -> ComparisonTables:
    """Average and test the metrics of all agents, and count the groups.

    A table beside the averages and tests that cannot be made says why.
    """
    return ComparisonTables(
        comparing.averages(metrics, MEASURES),
        compare_agents(metrics, comparing),
        table_or_reason("tasks", compare_tasks, metrics, comparing),
        table_or_reason("sizes", sizes, properties, minimum=minimum, bands=bands),
        {"primary": table_or_reason("primary", primary, metrics, comparing)},
    )
