"""The agents side by side: averages, tests, and how well people agree."""

from collections.abc import Mapping
from typing import NamedTuple

import polars as pl

from relprobe.core.files import ShownTables
from relprobe.core.unmade import table_or_reason
from relprobe.report.analyses import tables_by_layer
from relprobe.stats.controls import judge_of, model_of
from relprobe.stats.schemas import TESTS, Averages, Tests
from relprobe.stats.side_by_side import AgentComparison, judge_groups
from relprobe.studies.degrees.ceiling import ceiling
from relprobe.studies.degrees.conditions import TEST, by_agent
from relprobe.studies.degrees.measures import COUNTED, MEASURES, TESTED
from relprobe.studies.degrees.method import WITHOUT
from relprobe.studies.degrees.relations import Relations
from relprobe.studies.degrees.results import LayerResults
from relprobe.studies.degrees.schemas import Ceilings, LayerMetrics, Metrics

# Averages and tests between raters, from the metrics of all agents.


def averages(values: Mapping[str, pl.DataFrame], comparing: AgentComparison) -> Averages:
    """Average the metrics of every agent, per relation class, over all test and over the training subcategories.

    The row "reversal_rmse" (Table 6) holds the square roots of the average "reversal_error" and of its bounds. The rows
    "significant_05" and "significant_01" count the subcategories whose two-sided p is below 0.05 and 0.01 (Table 3), and
    "negative_05" those with p below 0.05 and a negative rho: the share of subcategories and its bounds, times their number.
    `values`: agent -> its values (`conditions.by_agent`).
    """
    without_p = ~pl.col("metric").is_in(["p", f"p{WITHOUT}"])
    plain = comparing.averages({agent: table.filter(without_p) for agent, table in values.items()}, MEASURES)
    errors = plain.filter(metric="reversal_error").with_columns(
        pl.col("value", "low", "high").sqrt(), metric=pl.lit("reversal_rmse")
    )
    unsquared = plain.filter(pl.col("metric") != "reversal_error")
    factor = pl.when(pl.col("metric").is_in([name + pairs for name in COUNTED for pairs in ("", WITHOUT)]))
    counts = unsquared.with_columns((pl.col("value", "low", "high") * factor.then("units").otherwise(1)).round(9))
    return pl.concat([counts, errors])


def agent_tests(values: Mapping[str, pl.DataFrame], comparing: AgentComparison) -> Tests:
    """Test the differences between agents over the test subcategories: the raters of each model, and each rater's models.

    The baselines stand beside the raters of every model. The condition is the model or the rater that the agents share.
    `values`: as in `averages`. `comparing`: that of the raters (`AgentComparison.with_judges`).
    """
    groups = judge_groups(values)
    compared = {model: [*raters, *groups.without_model] for model, raters in groups.models.items()} | groups.judges
    rows: dict[str, list[pl.DataFrame]] = {}
    for shared, agents in compared.items():
        for agent in agents if len(agents) > 1 else ():
            rows.setdefault(agent, []).append(_test_rows(values[agent], shared))
    if not rows:
        return pl.DataFrame(schema=TESTS)
    model_raters = [agent for agent in values if agent in rows and agent not in groups.without_model]
    ordered = {agent: pl.concat(rows[agent]) for agent in [*model_raters, *groups.without_model]}
    names = dict.fromkeys(name for agent in model_raters for name in (str(model_of(agent)), judge_of(agent)))
    shared_names = pl.col("condition").cast(pl.Enum(list(names)))
    return comparing.tests(ordered, MEASURES).sort(shared_names, maintain_order=True)


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
    comparing: AgentComparison,
    baselines: list[Metrics] | None = None,
    layered: dict[str, LayerMetrics] | None = None,
    *,
    table_names: list[str] | None = None,
    seed: int,
) -> ComparisonTables:
    """Average and test the metrics of all agents, and measure how well people agree.

    `baselines`: the metrics of the controls, and `layered`: those after each layer of an agent, where there are such agents;
    analyses compare them in `table_names`. `seed`: of the samples of people. A table beside the averages and tests that
    cannot be made says why.
    """
    values = by_agent(metrics)
    rater_comparison = comparing.with_judges(values)
    means, tests = averages(values, rater_comparison), agent_tests(values, rater_comparison)
    agreement = table_or_reason("ceiling", ceiling, relations, seed=seed)
    layers = LayerResults(layered or {}, baselines or [], means, comparing.targets)
    tables = tables_by_layer("degrees", layers, table_names or []) if layered else None
    return ComparisonTables(means, tests, agreement, tables)
