"""How far an agent tells relations apart: the distances D(r, s), AuDC, their intervals, and the curve (section 5.3.3)."""

import numpy as np
import polars as pl

from relprobe.core.relation import RELATIONS
from relprobe.core.stats import MANY_UNITS, Values, resampled_shares
from relprobe.core.units import SEED
from relprobe.studies.relations.measures import AUDC, DISTINGUISHABILITY

CURVE = pl.Schema({"agent": pl.String(), "p": pl.Float64(), "pairs": pl.Int64()})
INTERVALS = {"low": pl.Float64(), "high": pl.Float64()}


def distances(ranks: pl.DataFrame, by: str = "agent") -> pl.DataFrame:
    """Return D(r, s) = max(δ(r, s) - δ(r, r), 0) for the ordered pairs of different relations (Eq. 25 and 26).

    `ranks`: `by`, relation (r), versus (s), target and value (δ of the target). The result has by, metric, relation,
    versus, value and units, the number of targets. A relation without δ(r, r) has no distances.

    >>> rows = [("m", "HYP", "HYP", "robin", 0.25), ("m", "HYP", "MER", "robin", 1.0)]
    >>> ranks = pl.DataFrame(rows, schema=["agent", "relation", "versus", "target", "value"], orient="row")
    >>> distances(ranks).rows()
    [('m', 'distinguishability', 'HYP', 'MER', 0.75, 1)]
    """
    means = ranks.group_by(by, "relation", "versus", maintain_order=True).agg(pl.col("value").mean(), units=pl.len())
    same = pl.col("relation") == pl.col("versus")
    own = means.filter(same).select(by, "relation", own="value")
    others = means.filter(~same).join(own, on=[by, "relation"], maintain_order="left")
    value = (pl.col("value") - pl.col("own")).clip(lower_bound=0)
    name = pl.lit(DISTINGUISHABILITY.name).alias("metric")
    return others.select(by, name, "relation", "versus", value.alias("value"), "units")


def areas(distances: pl.DataFrame, by: str = "agent") -> pl.DataFrame:
    """Return AuDC, the sum of the distances (Eq. 28), per value of the column `by`; units are the pairs of relations."""
    totals = distances.group_by(by, maintain_order=True).agg(pl.col("value").sum(), units=pl.len())
    return totals.select(by, pl.lit(AUDC.name).alias("metric"), "value", "units")


def averages(ranks: pl.DataFrame) -> pl.DataFrame:
    """Return the distances and AuDC of each agent with their 95 % bootstrap intervals over the targets.

    `ranks` and the columns are those of `distances`, and low and high.
    """
    pairs = distances(ranks)
    table = pl.concat([pairs, areas(pairs)], how="diagonal")
    key = ["agent", "metric", "relation", "versus"]
    return table.join(_intervals(ranks), on=key, how="left", nulls_equal=True, maintain_order="left")


def _intervals(ranks: pl.DataFrame) -> pl.DataFrame:
    """Return percentile intervals of D(r, s), and of AuDC, the sum over all pairs: agent, metric, …, low, high.

    The targets of each relation r are resampled. Beyond MANY_UNITS targets, or for a single one, there is no interval.
    """
    rows = []
    sums: dict[str, list[Values]] = {}
    by_target = ranks.sort("relation", "agent", "target")
    for (relation, agent), of_relation in by_target.group_by("relation", "agent", maintain_order=True):
        versus = [name for name in RELATIONS if name in set(of_relation["versus"])]
        wide = of_relation.pivot("versus", index="target", values="value").select(versus)
        if relation not in versus or not 1 < wide.height <= MANY_UNITS:
            continue
        samples = _resampled(wide, versus.index(str(relation)))
        sums.setdefault(str(agent), []).append(samples.sum(axis=1))
        bounds = zip(versus, samples.T, strict=True)
        rows += [_row(agent, DISTINGUISHABILITY.name, values, relation, s) for s, values in bounds if s != relation]
    rows += [_row(agent, AUDC.name, np.sum(parts, axis=0)) for agent, parts in sums.items()]
    schema = dict.fromkeys(["agent", "metric", "relation", "versus"], pl.String()) | INTERVALS
    return pl.DataFrame(rows, schema=schema, orient="row")


def _row(
    agent: object, metric: str, samples: Values, relation: object = None, versus: object = None
) -> tuple[object, ...]:
    low, high = np.quantile(samples, [0.025, 0.975])
    return agent, metric, relation, versus, float(low), float(high)


def _resampled(ranks: pl.DataFrame, own: int) -> Values:
    """Return D(r, s) (Eq. 26) of every resample, (draws, relations); column `own` is that of r itself, 0.

    `ranks`: δ, a row per target and a column per relation; a target has none for a relation that it has no relata of. A
    resample without any target that has relata of s gets D(r, s) = 0.
    """
    values = ranks.to_numpy()
    known = ~np.isnan(values)
    shares = resampled_shares(len(values), SEED)
    weights = shares @ known
    means = np.divide(shares @ np.nan_to_num(values), weights, out=np.zeros_like(weights), where=weights > 0)
    distances: Values = np.clip(means - means[:, [own]], 0, None)
    return distances


def curve(table: pl.DataFrame) -> pl.DataFrame:
    """Return η(p), the number of relation pairs with D > p (Eq. 27), as steps (CURVE), from AVERAGES.

    >>> rows = [("m", "distinguishability", 0.5), ("m", "distinguishability", 0.0)]
    >>> curve(pl.DataFrame(rows, schema=["agent", "metric", "value"], orient="row")).rows()
    [('m', 0.0, 1), ('m', 0.5, 0), ('m', 1.0, 0)]
    """
    steps = []
    for (agent,), rows in table.filter(metric=DISTINGUISHABILITY.name).group_by("agent", maintain_order=True):
        scores = np.sort(rows["value"].to_numpy())
        p = np.concatenate([[0.0], scores[scores > 0], [1.0]])
        steps.append(pl.DataFrame({"agent": [agent] * len(p), "p": p, "pairs": [int((scores > x).sum()) for x in p]}))
    return pl.concat(steps) if steps else pl.DataFrame(schema=CURVE)
