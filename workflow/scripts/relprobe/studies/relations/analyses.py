"""From unit values to results: averages per agent and relation, the distinguishability curve, paired tests."""

from collections.abc import Callable
from typing import Any

import numpy as np
import polars as pl

from relprobe.core.relation import RELATIONS
from relprobe.core.stats import Test, mcnemar, wilcoxon
from relprobe.core.units import pairwise
from relprobe.studies.relations.averages import GROUP, averages, by_unit
from relprobe.studies.relations.intervals import intervals
from relprobe.studies.relations.schemas import SUMMARY, TESTS

PAIRED_TESTS: dict[str, tuple[Callable[..., Test], list[str]]] = {
    "soundness": (mcnemar, ["target", "prompt_id"]),
    "symmetry": (mcnemar, ["target", "relatum", "prompt_id"]),
    "asymmetry": (mcnemar, ["target", "relatum", "prompt_id"]),
    "completeness": (wilcoxon, ["target"]),
    "prototypicality": (wilcoxon, ["target"]),
}
"""Which test compares two agents on a metric, and its units: probes or tuples x prompts where values are 0 or 1, targets
(the averages over prompts, Eq. 13 and 22) where they are not. Distinguishability has none (section 7.3)."""
COLUMNS = [*("soundness", "completeness", "symmetry", "asymmetry", "prototypicality"), *("unrelated", "first_related")]
PAIRS = len(RELATIONS) * (len(RELATIONS) - 1)
CURVE = pl.Schema({"agent": pl.String(), "p": pl.Float64(), "pairs": pl.Int64()})


def summary(values: dict[str, pl.DataFrame]) -> pl.DataFrame:
    """Average every agent's units: over the prompts of a target or tuple, then over those (Eq. 12, 14, 16, 18, 23, 25).

    With 95 % bootstrap intervals over the targets or tuples. `coverage` is the share of the units answered by any agent
    that the agent answered. The value of distinguishability is D(r, s) (Eq. 26); its row with no relations is the AuDC,
    Σ D(r, s) (Eq. 28), `units` then counting the pairs.
    """
    units = pl.concat([by_unit(agent, table) for agent, table in values.items()])
    table = _with_coverage(averages(units), units).join(
        intervals(units), on=["agent", *GROUP], how="left", nulls_equal=True
    )
    order = [pl.col(name).cast(pl.Enum(RELATIONS)) for name in ("relation", "versus")]
    agents = pl.col("agent").cast(pl.Enum(list(values)))
    return table.select(list(SUMMARY)).cast(SUMMARY).sort("metric", "k", *order, agents)


def _with_coverage(table: pl.DataFrame, units: pl.DataFrame) -> pl.DataFrame:
    """Add the share of all agents' units that an agent answered; for the AuDC, the share of the relation pairs."""
    everyone = units.select(*GROUP, "target", "relatum").unique().group_by(GROUP).agg(all=pl.len())
    known = table.join(everyone, on=GROUP, how="left", nulls_equal=True)
    total = pl.when(pl.col("metric") == "audc").then(PAIRS).otherwise("all")
    return known.with_columns(coverage=pl.col("units") / total)


def curve(table: pl.DataFrame) -> pl.DataFrame:
    """Return η(p), the number of relation pairs with D > p (Eq. 27), as steps: agent, p, pairs."""
    steps = []
    for (agent,), rows in table.filter(metric="distinguishability").group_by("agent", maintain_order=True):
        scores = np.sort(rows["value"].to_numpy())
        p = np.concatenate([[0.0], scores[scores > 0], [1.0]])
        steps.append(pl.DataFrame({"agent": [agent] * len(p), "p": p, "pairs": [int((scores > x).sum()) for x in p]}))
    return pl.concat(steps) if steps else pl.DataFrame(schema=CURVE)


def paired_tests(values: dict[str, pl.DataFrame]) -> pl.DataFrame:
    """Compare every pair of agents on every metric, relation and k, on the units that both answered (TESTS).

    Holm's adjustment is over the agent pairs of one metric, relation and k.
    """
    rows: list[dict[str, Any]] = []
    for metric, (test, unit) in PAIRED_TESTS.items():
        wide = _by_unit(values, metric, unit)
        for (relation, k), units in wide.group_by("relation", "k", maintain_order=True):
            about = {"metric": metric, "relation": relation, "k": k}
            rows += [{**about, **result} for result in pairwise(units, test, values)]
    return pl.DataFrame(rows, schema=TESTS)


def _by_unit(values: dict[str, pl.DataFrame], metric: str, unit: list[str]) -> pl.DataFrame:
    """Return one row per unit and a column per agent; null where the agent has no value."""
    key = ["relation", "k", *unit]
    long = [
        table.filter(metric=metric).group_by(key).agg(pl.col("value").mean()).with_columns(agent=pl.lit(agent))
        for agent, table in values.items()
    ]
    order = pl.Enum(RELATIONS)
    wide = pl.concat(long).pivot("agent", index=key, values="value")
    return wide.sort(pl.col("relation").cast(order), *key[1:])


def overview(table: pl.DataFrame) -> pl.DataFrame:
    """Return the metrics per agent and relation, a column per metric (and k)."""
    rows = table.join(pl.DataFrame({"metric": COLUMNS}), on="metric", how="inner", maintain_order="right")
    name = pl.when(pl.col("k").is_null()).then("metric").otherwise(pl.format("{}@{}", "metric", "k"))
    wide = rows.with_columns(name=name).pivot("name", index=["relation", "agent"], values="value")
    return wide.sort(pl.col("relation").cast(pl.Enum(RELATIONS)), maintain_order=True)
