"""From the values of all agents to results: averages with intervals and coverage, and paired tests."""

from collections.abc import Mapping

import polars as pl

from relprobe.core import units
from relprobe.core.relation import RELATIONS
from relprobe.studies.relations import distances
from relprobe.studies.relations.measures import AUDC, DISTINGUISHABILITY, MEASURES, relation_pairs
from relprobe.studies.relations.schemas import AVERAGES

GROUPS = ["relation", "k"]
Values = Mapping[str, pl.DataFrame]
"""Agent -> METRICS."""


def averages(values: Values) -> pl.DataFrame:
    """Average the values of all agents: over the prompts of a target or tuple, then over those (AVERAGES).

    The equations are 12, 14, 16, 18, 23 and 25. The value of distinguishability is D(r, s) (Eq. 26). Its sum over the pairs
    of relations is AuDC (Eq. 28), which has no relation, and whose units are the pairs. `coverage` is the share of the
    units answered by any agent that the agent has answered.
    """
    ranks = units.item_values(values, DISTINGUISHABILITY, ["relation", "versus"])
    parts = [units.averages(_plain(values), MEASURES, GROUPS).drop("note"), distances.averages(ranks)]
    table = _with_coverage(pl.concat(parts, how="diagonal_relaxed"), values)
    order = [pl.col(name).cast(pl.Enum(RELATIONS)) for name in ("relation", "versus")]
    agents = pl.col("agent").cast(pl.Enum(list(values)))
    return table.select(list(AVERAGES)).cast(AVERAGES).sort("metric", "k", *order, agents)


def tests(values: Values) -> pl.DataFrame:
    """Compare every pair of agents on every metric, relation and k, on the units that both have answered (TESTS).

    Holm's adjustment is over the pairs of agents of one metric, relation and k. The metrics with McNemar's test come first.
    """
    table = units.paired_tests(_plain(values), MEASURES, GROUPS, absent=True)
    metrics = [measure.name for measure in sorted(MEASURES, key=lambda measure: str(measure.test))]
    orders = {"metric": pl.Enum(metrics), "relation": pl.Enum(RELATIONS)}
    by = [pl.col(name).cast(order) for name, order in orders.items()]
    return table.sort(*by, "k", maintain_order=True)


def _plain(values: Values) -> dict[str, pl.DataFrame]:
    """Return the values without those of distinguishability, whose averages are distances."""
    return {agent: table.filter(pl.col("metric") != DISTINGUISHABILITY.name) for agent, table in values.items()}


def _with_coverage(table: pl.DataFrame, values: Values) -> pl.DataFrame:
    """Add the share of all agents' units that an agent has answered; for AuDC, the share of the relation pairs."""
    group = ["metric", "relation", "versus", "k"]
    versus = pl.when(pl.col("metric") == DISTINGUISHABILITY.name).then("versus")  # of first_related it is a value
    answered = [
        table.with_columns(versus=versus).select(*group, "target", "relatum").unique() for table in values.values()
    ]
    everyone = pl.concat(answered).unique().group_by(group).agg(all=pl.len())
    total = pl.when(pl.col("metric") == AUDC.name).then(relation_pairs()).otherwise("all")
    joined = table.join(everyone, on=group, how="left", nulls_equal=True, maintain_order="left")
    return joined.with_columns(coverage=pl.col("units") / total)
