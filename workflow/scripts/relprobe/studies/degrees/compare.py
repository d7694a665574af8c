"""The agents side by side: averages, tests, and how well people agree."""

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

import polars as pl

from relprobe.core.files import ShownTables
from relprobe.core.unmade import table_or_reason
from relprobe.report.analyses import tables_by_layer
from relprobe.stats.averages import averages as averages_of
from relprobe.stats.comparisons import Declared, paired_tests
from relprobe.stats.schemas import TESTS, AgentKind, Averages, Tests
from relprobe.studies.degrees.ceiling import ceiling
from relprobe.studies.degrees.conditions import TEST, by_agent
from relprobe.studies.degrees.measures import COUNTED, MEASURES, TESTED
from relprobe.studies.degrees.method import WITHOUT
from relprobe.studies.degrees.raters import model_of, rater_of
from relprobe.studies.degrees.relations import Relations
from relprobe.studies.degrees.results import OfLayers
from relprobe.studies.degrees.schemas import Ceilings, LayerMetrics, Metrics

# Averages and tests between raters, from the metrics of all agents.


def kinds_of(values: Mapping[str, pl.DataFrame]) -> dict[str, AgentKind]:
    """Return the kind of each agent in tests: a baseline is a control."""
    return {agent: "control" if model_of(agent) is None else "model" for agent in values}


def averages(metrics: list[Metrics], *, targets: Literal["common", "own"] = "common") -> Averages:
    """Average the metrics of every agent, per relation class, over all test and over the training subcategories.

    `targets`: the subcategories of the study (common), or those that each agent has (own). All agents are asked all of
    them, so that the two differ in no average; `own_units` marks an agent that lacks some. The row "reversal_rmse" (Table
    6) holds the square roots of the average "reversal_error" and of its bounds. The rows "significant_05" and
    "significant_01" count the subcategories whose two-sided p is below 0.05 and 0.01 (Table 3), and "negative_05" those
    with p below 0.05 and a negative rho: the share of subcategories and its bounds, times their number.
    """
    without_p = ~pl.col("metric").is_in(["p", f"p{WITHOUT}"])
    values = {agent: table.filter(without_p) for agent, table in by_agent(metrics).items()}
    plain = averages_of(values, MEASURES, targets=targets)
    errors = plain.filter(metric="reversal_error").with_columns(
        pl.col("value", "low", "high").sqrt(), metric=pl.lit("reversal_rmse")
    )
    unsquared = plain.filter(pl.col("metric") != "reversal_error")
    factor = pl.when(pl.col("metric").is_in([name + pairs for name in COUNTED for pairs in ("", WITHOUT)]))
    counts = unsquared.with_columns((pl.col("value", "low", "high") * factor.then("units").otherwise(1)).round(9))
    return pl.concat([counts, errors])


def comparisons(metrics: list[Metrics], *, members: list[str] | None = None, declared: Declared = ()) -> Tests:
    """Test the differences between agents over the test subcategories: the raters of each model, and each rater's models.

    The baselines stand beside the raters of every model. The condition is the model or the rater that the agents share.
    `members`: the checkpoints that are not the last of their series, which are not compared with other models.
    `declared`: the pairs of models that the configuration declares; they stand for all raters that both have.
    """
    values, earlier = by_agent(metrics), members or []
    groups: dict[str, list[str]] = {}
    for agent in values:
        if (model := model_of(agent)) is not None:
            groups.setdefault(model, []).append(agent)
            groups.setdefault(rater_of(agent), []).append(agent)
    models = {model_of(agent) for agent in values} - {None}
    baselines = [agent for agent in values if model_of(agent) is None]
    compared = {
        shared: agents + baselines
        if shared in models
        else [agent for agent in agents if model_of(agent) not in earlier]
        for shared, agents in groups.items()
    }
    raters = {rater_of(agent) for agent in values}
    of_raters = [[f"{model} {rater}" for model in pair] for pair in declared for rater in sorted(raters)]
    # Families are of one call: earlier checkpoints make the p of the others no larger.
    tables = [
        _tests(
            values, {shared: agents for shared, agents in compared.items() if (shared in earlier) is early}, of_raters
        )
        for early in (False, True)
    ]
    conditions = pl.col("condition").cast(pl.Enum(list(groups)))
    return pl.concat(tables).sort(conditions, maintain_order=True)


def _tests(values: Mapping[str, pl.DataFrame], compared: Mapping[str, Sequence[str]], declared: Declared = ()) -> Tests:
    """Compare the agents that share something (TESTS), which is the condition. `declared`: pairs of agents."""
    rows: dict[str, list[pl.DataFrame]] = {}
    for shared, agents in compared.items():
        for agent in agents if len(agents) > 1 else ():
            rows.setdefault(agent, []).append(_test_rows(values[agent], shared))
    if not rows:
        return pl.DataFrame(schema=TESTS)
    order = sorted(rows, key=lambda agent: (model_of(agent) is None, list(values).index(agent)))  # baselines come last
    ordered = {agent: pl.concat(rows[agent]) for agent in order}
    return paired_tests(ordered, MEASURES, kinds=kinds_of(ordered), declared=declared)


def _test_rows(table: pl.DataFrame, condition: str) -> pl.DataFrame:
    """Return the values of the tested metrics on the test subcategories under another condition."""
    return table.filter(pl.col("metric").is_in(TESTED), condition=TEST).with_columns(condition=pl.lit(condition))


# All of these at once, as the step `compare` writes them.


class ComparisonTables(NamedTuple):
    """The averages of all agents, the tests between them, how well people agree, and the tables of agents with layers."""

    averages: Averages
    tests: Tests
    ceiling: Ceilings
    tables: ShownTables | None = None


def compare(
    metrics: list[Metrics],
    relations: Relations,
    controls: list[Metrics] | None = None,
    layered: dict[str, LayerMetrics] | None = None,
    *,
    targets: Literal["common", "own"] = "common",
    members: list[str] | None = None,
    declared: list[list[str]] | None = None,
    table_names: list[str] | None = None,
    seed: int,
) -> ComparisonTables:
    """Average and test the metrics of all agents, and measure how well people agree.

    `controls`: the metrics of the baselines, and `layered`: those after each layer of an agent, where there are such agents;
    analyses compare them in `table_names`. `declared`: the pairs of models that the configuration declares. A table beside
    the averages and tests that cannot be made says why.
    """
    means = averages(metrics, targets=targets)
    tests = comparisons(metrics, members=members, declared=declared or [])
    agreement = table_or_reason("ceiling", ceiling, relations, seed=seed)
    layers = OfLayers(layered or {}, controls or [], means, targets)
    tables = tables_by_layer("degrees", layers, table_names or []) if layered else None
    return ComparisonTables(means, tests, agreement, tables)
