"""How sure the averages are: 95 % bootstrap intervals over targets, or tuples for symmetry and asymmetry."""

from collections.abc import Iterator

import numpy as np
import polars as pl

from relprobe.core.relation import RELATIONS
from relprobe.core.stats import MANY_UNITS, Values, bootstrap_interval, resampled_shares
from relprobe.core.units import SEED
from relprobe.studies.relations.averages import GROUP

INTERVALS = pl.Schema(
    {
        "agent": pl.String(),
        "metric": pl.String(),
        "relation": pl.String(),
        "versus": pl.String(),
        "k": pl.UInt16(),
        "low": pl.Float64(),
        "high": pl.Float64(),
    }
)
Row = tuple[str, str, str | None, str | None, int | None, float, float]


def intervals(units: pl.DataFrame) -> pl.DataFrame:
    """Return the 95 % percentile bootstrap intervals (INTERVALS) of the averages of units.

    `units`: agent, GROUP, target, relatum and value, one row per target or tuple. Intervals of D(r, s) and AuDC resample
    the targets of each relation r; they are left out beyond MANY_UNITS targets, as are those of single units.
    """
    # Samples of one size share their draws while these are cached, so equal sizes stand together.
    by_size = units.sort("relation", "metric", "k", "agent", "target", "relatum")
    plain = by_size.filter(pl.col("metric") != "distinguishability")
    ranks = by_size.filter(metric="distinguishability")
    return pl.DataFrame([*_of_means(plain), *_of_pairs(ranks)], schema=INTERVALS, orient="row")


def _of_means(units: pl.DataFrame) -> Iterator[Row]:
    for (agent, *group), rows in units.group_by("agent", *GROUP, maintain_order=True):
        interval = bootstrap_interval(rows["value"].to_numpy(), SEED)
        if interval.low is not None and interval.high is not None:
            yield (agent, *group, interval.low, interval.high)  # type: ignore[misc]


def _of_pairs(ranks: pl.DataFrame) -> Iterator[Row]:
    """Yield the intervals of D(r, s) and, of the sum over all pairs, AuDC."""
    totals: dict[str, list[Values]] = {}
    for (relation, agent), rows in ranks.group_by("relation", "agent", maintain_order=True):
        versus = [name for name in RELATIONS if name in set(rows["versus"])]
        wide = rows.pivot("versus", index="target", values="value").select(versus)
        if relation not in versus or not 1 < wide.height <= MANY_UNITS:
            continue
        samples = _resampled(wide, versus.index(str(relation)))
        totals.setdefault(str(agent), []).append(samples.sum(axis=1))
        for column, name in enumerate(versus):
            if name != relation:
                low, high = np.quantile(samples[:, column], [0.025, 0.975])
                yield str(agent), "distinguishability", str(relation), name, None, float(low), float(high)
    for agent, sums in totals.items():
        low, high = np.quantile(np.sum(sums, axis=0), [0.025, 0.975])
        yield agent, "audc", None, None, None, float(low), float(high)


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
