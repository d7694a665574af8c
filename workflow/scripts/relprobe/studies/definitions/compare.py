"""The agents side by side: averages, tests, other choices, and the figures that the paper prints."""

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

import polars as pl

from relprobe.core.files import ShownTables
from relprobe.core.metric import Metric, by_name
from relprobe.core.sums import ordered_mean
from relprobe.report.published import Published, average_values, compare_published, figures
from relprobe.stats.averages import averages as averages_of
from relprobe.stats.averages import averages as metric_averages
from relprobe.stats.comparisons import Declared, contrast_tests, paired_tests
from relprobe.stats.controls import beyond_controls, kinds_of
from relprobe.stats.pooled import pooled_tests
from relprobe.stats.schemas import AVERAGES, AgentKind, Averages, Tests
from relprobe.studies.definitions.chat import in_large_groups
from relprobe.studies.definitions.conditions import BAND_LIMITS, SMALL, conditions, depth_names, names
from relprobe.studies.definitions.measures import MEASURES, TASK_PAIRS, metric_name
from relprobe.studies.definitions.schemas import (
    GUESS,
    HUMANS,
    POS,
    SIZES,
    TASKS,
    Groups,
    Metrics,
    Properties,
    ReplyChoices,
    Sizes,
    TaskContrasts,
)
from relprobe.studies.letters import absence, readable, unreadable

# From the metrics of all agents to tests between agents and tasks, and to averages on the groups that people answered.


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


def comparisons(
    metrics: dict[str, Metrics],
    *,
    controls: list[str],
    members: list[str] | None = None,
    declared: Declared = (),
) -> Comparisons:
    """Test the differences between agents, and between the tasks within each agent, per part of speech.

    `controls`: the agents that are no language models. `members`: the checkpoints that are not the last of their series,
    which are compared with controls alone. `declared`: as for `paired_tests`.
    """
    kinds = kinds_of(metrics, controls, members or [])
    kinds |= {agent: "person" for agent in metrics if agent == HUMANS}
    return Comparisons(compare_agents(metrics, kinds, declared), compare_tasks(metrics, kinds))


def compare_agents(values: Mapping[str, Metrics], kinds: Mapping[str, AgentKind], declared: Declared = ()) -> Tests:
    """Compare every pair of agents on every metric per part of speech; families are the clusters.

    `kinds`: agent -> model or control. The paper's test is McNemar's on P@1, and Wilcoxon's on RS.
    """
    return paired_tests(_by_pos(values), MEASURES, kinds=kinds, declared=declared)


def primary(
    metrics: Mapping[str, Metrics], *, controls: Sequence[str], members: Sequence[str] | None = None
) -> pl.DataFrame:
    """Return what each agent has beyond its controls in RS of W2D, pooled over parts of speech (CONTROLS, no conditions)."""
    kinds = kinds_of(metrics, controls, members or [])
    measure = by_name(MEASURES)[metric_name("w2d", "RS")]
    return beyond_controls(pooled_tests(_by_pos(metrics), measure, kinds=kinds), controls)


def compare_tasks(values: Mapping[str, Metrics], kinds: Mapping[str, AgentKind]) -> TaskContrasts:
    """Compare W2D with D2W within every agent, per measure and part of speech; `metric` is the measure."""
    by_pos = _by_pos(values)
    parts = [
        contrast_tests(by_pos, measure, [tasks], column="metric", groups=["condition"], kinds=kinds)
        for measure, tasks in TASK_PAIRS.items()
    ]
    return pl.concat(parts).sort("metric", "condition", maintain_order=True)


def average_on_peoples_groups(metrics: dict[str, Metrics]) -> Averages:
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


# The number of groups, their sizes, and how often a guess is right (Tables 2, 4, 5).


BENCHMARK = "the benchmark"
SAMPLE = "this run's sample"


def enough(minimum: int) -> str:
    """Return the name of all groups with as many synsets as a group of the benchmark must have candidates.

    >>> enough(5)
    'at least 5 synsets'
    """
    return f"at least {minimum} synsets"


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
        _size_rows(BENCHMARK, benchmark, conditions(benchmark, limits)),
    ]
    if sample.height < benchmark.height:
        parts.append(_size_rows(SAMPLE, sample, conditions(sample, limits)))
    return pl.concat([pl.DataFrame(schema=SIZES), *parts], how="diagonal_relaxed").cast(SIZES)


def _size_rows(name: str, groups: pl.DataFrame, of_groups: pl.DataFrame, *, tasks: bool = True) -> pl.DataFrame:
    """Return a row per condition. Without `tasks`, the tasks have no sizes."""
    of_tasks = [ordered_mean(task).alias(f"{task}_candidates") for task in TASKS]
    of_tasks += [ordered_mean(1 / pl.col(task)).alias(f"{task}_random") for task in TASKS]
    size = pl.col("synsets")
    averages = [size.mean().alias("candidates"), size.min().alias("smallest"), size.max().alias("largest")]
    counts = [pl.len().alias("groups"), *_families()]
    rows = groups.join(of_groups, on="group").group_by("condition")
    table = rows.agg(*counts, *averages, *(of_tasks if tasks else []))
    return table.with_columns(groups_of=pl.lit(name)).sort(pl.col("condition").cast(pl.Enum(names())))


def _families() -> list[pl.Expr]:
    """Count the families, and as how many families of one size they count: n² / Σ n_f², n_f groups in family f (Kish)."""
    members = pl.col("family").unique_counts()
    return [
        pl.col("family").n_unique().alias("families"),
        (members.sum() ** 2 / (members.cast(pl.Float64) ** 2).sum()).alias("effective_families"),
    ]


# Groups of more candidates than people get, which models that choose are asked about in samples.


P_AT_1 = Metric("p@1", cluster=("cluster",), share=True)
LARGE = pl.Schema(
    {
        "agent": pl.String(),
        "task": pl.String(),
        "groups": pl.UInt32(),
        "families": pl.UInt32(),
        "candidates": pl.Float64(),  # the mean number of candidates of a group
        "shown": pl.Float64(),  # the mean number of those that were shown
        "p@1": pl.Float64(),  # the share of right answers, and its 95 % interval over the families
        "low": pl.Float64(),
        "high": pl.Float64(),
        "expected": pl.Float64(),  # the share of right answers of a guess among those shown
        "unreadable": pl.Float64(),  # the share of answers that name no option
        "note": pl.String(),  # why there is no value or no interval
    }
)


def large_groups(choices: Mapping[str, ReplyChoices], groups: Groups) -> pl.DataFrame:
    """Return how often each agent chooses rightly in groups of more candidates than people get (LARGE).

    `choices`: agent -> its answers. The value of a group is the share of right answers over all orders and samples. The
    right candidate is easier to find among ten than among all, so these values cannot be compared with those of agents that
    choose among all candidates. Too many answers that cannot be read are counted in these groups alone (`readable`).
    """
    families = groups.select("group", cluster="family")
    tables = {agent: in_large_groups(table).join(families, on="group", how="left") for agent, table in choices.items()}
    values = {agent: _values(readable(table)) for agent, table in tables.items()}
    means = metric_averages(values, [P_AT_1], ("task",), targets="own")
    of_means = {(row["agent"], row["task"]): row for row in means.iter_rows(named=True)}
    rows = [
        _row(agent, str(task), part, of_means.get((agent, str(task)), {}))
        for agent, table in tables.items()
        for (task,), part in table.group_by("task", maintain_order=True)
    ]
    return pl.DataFrame(rows, schema=LARGE)


def _values(choices: pl.DataFrame) -> pl.DataFrame:
    """Return the share of right answers of each task and group."""
    shares = choices.group_by("task", "group", "cluster", maintain_order=True).agg(value=ordered_mean("right"))
    return shares.select("task", "cluster", "value", metric=pl.lit(P_AT_1.name), unit="group")


def _row(agent: str, task: str, part: pl.DataFrame, mean: dict[str, object]) -> dict[str, object]:
    shown = part["shown"].list.len()
    return {
        "agent": agent,
        "task": task,
        "groups": part["group"].n_unique(),
        "families": part["cluster"].n_unique(),
        "candidates": part["candidates"].mean(),
        "shown": shown.mean(),
        "p@1": mean.get("value"),
        "low": mean.get("low"),
        "high": mean.get("high"),
        "expected": (1 / shown).mean(),
        "unreadable": unreadable(part),
        "note": mean.get("note") or absence(part),
    }


# Our values beside those that the paper prints, under the names of resources/published/definitions.csv.


MEAN = "candidates (mean)"
TABLE_8 = "20 groups of up to 10 candidates"
"""The condition of Table 8, whose groups the paper does not name; ours are the groups of SMALL that people answered."""


def published_figures(
    averages: Averages, sizes: Sizes, published: Published | None = None, people: Averages | None = None
) -> pl.DataFrame:
    """Put the figures that the paper prints beside ours. `published`: none on own data, where nothing is put beside."""
    return compare_published(published, ours(averages, sizes, people))


def ours(averages: Averages, sizes: Sizes, people: Averages | None = None) -> pl.DataFrame:
    """Return the agents' averages, P@1 in percent as the paper prints it, and the sizes of the groups (OURS).

    The values of a guess are its expected values over the whole benchmark. `people`: the averages over the groups that
    people answered (`average_on_peoples_groups`).
    """
    scale = pl.col("metric").replace_strict({metric.name: metric.scale for metric in MEASURES})
    agents = averages.filter(pl.col("agent") != GUESS)
    if people is not None:
        agents = pl.concat([agents, people.filter(condition=SMALL).with_columns(condition=pl.lit(TABLE_8))])
    parts = [average_values(agents, {metric.name: metric.items for metric in MEASURES}, "metric", "condition", scale)]
    benchmark = sizes.filter(groups_of=BENCHMARK)
    for task in TASKS:
        for measure, expected in (("P@1", pl.col(f"{task}_random") * 100), ("RS", pl.lit(0.5))):
            quantity, agent = pl.lit(metric_name(task, measure)), pl.lit(GUESS)
            guess = benchmark.select("condition", agent=agent, quantity=quantity, ours=expected, n="groups")
            parts.append(figures(guess.with_columns(units=pl.lit("groups"))))
    five = sizes.filter(groups_of=enough(5))  # Table 2 averages over these groups
    deep = benchmark.filter(pl.col("condition").is_in(depth_names()))
    parts += [
        _size(benchmark, "groups", "groups"),
        _size(pl.concat([five, deep]), "candidates", MEAN),
        _size(benchmark, "smallest", "candidates (min)"),
        _size(benchmark, "largest", "candidates (max)"),
    ]
    return pl.concat(parts)


def _size(sizes: Sizes, column: str, quantity: str) -> pl.DataFrame:
    """Return a size; a mean is over the groups."""
    of_mean = {"n": pl.col("groups"), "units": pl.lit("groups")} if quantity == MEAN else {}
    return figures(sizes.select(quantity=pl.lit(quantity), condition="condition", ours=column, **of_mean))


# All of these at once, as the step `compare` writes them.


class ComparisonTables(NamedTuple):
    """The averages of all agents, tests between agents and tasks, sizes, the paper's figures, and averages beside people."""

    averages: Averages
    tests: Tests
    tasks: TaskContrasts
    sizes: Sizes
    tables: ShownTables
    people: Averages | None = None


def compare(
    metrics: dict[str, Metrics],
    properties: Properties,
    published: Published | None = None,
    *,
    targets: Literal["common", "own"],
    controls: list[str],
    members: list[str] | None = None,
    minimum: int = 5,
    bands: list[int] | None = None,
    declared: list[list[str]] | None = None,
) -> ComparisonTables:
    """Average and test the metrics of all agents, count the groups, and put the paper's figures beside ours.

    `declared`: the pairs of agents that the configuration declares.
    """
    means, counts = averages(metrics, targets=targets), sizes(properties, minimum=minimum, bands=bands)
    tests = comparisons(metrics, controls=controls, members=members, declared=declared or [])
    of_people = average_on_peoples_groups(metrics) if HUMANS in metrics else None
    printed = published_figures(means, counts, published, of_people)
    shown = {"published": printed, "primary": primary(metrics, controls=controls, members=members)}
    return ComparisonTables(means, tests.agents, tests.tasks, counts, shown, of_people)
