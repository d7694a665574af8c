"""How far an agent tells relations apart: the distances D(r, s), their sum AuDC, and the curve (section 5.3.3)."""

from collections.abc import Sequence

import numpy as np
import polars as pl

from relprobe.studies.relations.measure.measures import AUDC, AUDC_PRINTED, DISTINGUISHABILITY

CURVE = pl.Schema({"agent": pl.String(), "p": pl.Float64(), "pairs": pl.Int64()})


def gaps(values: pl.DataFrame, by: Sequence[str] = ()) -> pl.DataFrame:
    """Return how much later the relata of s come than those of r: δ(w, p, s) - δ(w, p, r) per probe and other relation s.

    `values`: METRICS with further columns `by`. The result has their columns; `versus` is s, and the value lies between -1
    and 1. A probe counts for s only if its target has relata of both relations. So D(r, s), the mean of the gaps (Eq. 25 and
    26), compares the two relations on the same targets. The equations average δ(r, r) over all targets of r instead.

    >>> rows = [("HYP", "HYP", "robin", 0.25), ("HYP", "MER", "robin", 1.0), ("HYP", "HYP", "idea", 1.0)]
    >>> table = pl.DataFrame(rows, schema=["relation", "versus", "target", "value"], orient="row")
    >>> table = table.with_columns(metric=pl.lit("distinguishability"), prompt_id=pl.lit("p"))
    >>> gaps(table).select("relation", "versus", "target", "value").rows()  # the mean over targets would be 1 - 0.625
    [('HYP', 'MER', 'robin', 0.75)]
    """
    ranks = values.filter(metric=DISTINGUISHABILITY.name)
    key = [*by, "relation", "target", "prompt_id"]
    same = pl.col("relation") == pl.col("versus")
    own = ranks.filter(same).select(*key, own="value")
    others = ranks.filter(~same).join(own, on=key)
    return others.with_columns(value=pl.col("value") - pl.col("own")).drop("own")


def distances(gaps: pl.DataFrame, by: str = "agent") -> pl.DataFrame:
    """Return D(r, s), the mean gap over prompts and then over targets: `by`, relation, versus and value.

    A distance below 0 says that relata of s come before those of r, though r was asked for. The paper sets it to 0.
    """
    targets = gaps.group_by(by, "relation", "versus", "target", maintain_order=True).agg(pl.col("value").mean())
    return targets.group_by(by, "relation", "versus", maintain_order=True).agg(pl.col("value").mean())


def areas(distances: pl.DataFrame, by: str = "agent") -> pl.DataFrame:
    """Return AuDC, the sum of the distances (Eq. 28), per value of the column `by`."""
    totals = distances.group_by(by, maintain_order=True).agg(pl.col("value").sum())
    return totals.select(by, pl.lit(AUDC.name).alias("metric"), "value")


def printed_area(values: pl.DataFrame) -> pl.DataFrame:
    """Return one agent's AuDC as Eq. 25, 26 and 28 are printed: metric, value and units, the number of relation pairs.

    δ(r, r) and δ(r, s) are averaged each over all targets that have it, and a negative distance counts as 0. No row if there
    is no distance.

    >>> rows = [("HYP", "HYP", "robin", 0.25), ("HYP", "MER", "robin", 1.0), ("HYP", "HYP", "idea", 1.0)]
    >>> table = pl.DataFrame(rows, schema=["relation", "versus", "target", "value"], orient="row")
    >>> printed_area(table.with_columns(metric=pl.lit("distinguishability"), prompt_id=pl.lit("p")))["value"].item()
    0.375
    """
    key = ["relation", "versus"]
    distances = values.filter(metric=DISTINGUISHABILITY.name)
    # In a fixed order, as the last digit of a sum depends on it.
    of_targets = distances.group_by(*key, "target", maintain_order=True).agg(pl.col("value").mean())
    means = of_targets.group_by(key, maintain_order=True).agg(pl.col("value").mean()).sort(key)
    same = pl.col("relation") == pl.col("versus")
    own = means.filter(same).select("relation", own="value")
    pairs = means.filter(~same).join(own, on="relation", maintain_order="left")
    cut_off = pairs.select(value=(pl.col("value") - pl.col("own")).clip(lower_bound=0))
    total = cut_off.select(pl.lit(AUDC_PRINTED.name).alias("metric"), pl.col("value").sum(), pl.len().alias("units"))
    return total.filter(pl.col("units") > 0)


def curve(table: pl.DataFrame) -> pl.DataFrame:
    """Return η(p), the number of relation pairs with D > p (Eq. 27), as steps (CURVE), from AVERAGES.

    The area under the curve is the sum of the distances above 0. Pairs that AuDC does not count (`in_audc`) are left out.

    >>> rows = [("m", "distinguishability", 0.5), ("m", "distinguishability", 0.0)]
    >>> curve(pl.DataFrame(rows, schema=["agent", "metric", "value"], orient="row")).rows()
    [('m', 0.0, 1), ('m', 0.5, 0), ('m', 1.0, 0)]
    """
    steps = []
    counted = pl.col("in_audc").fill_null(value=True) if "in_audc" in table.columns else pl.lit(value=True)
    for (agent,), rows in table.filter(counted, metric=DISTINGUISHABILITY.name).group_by("agent", maintain_order=True):
        scores = np.sort(rows["value"].to_numpy())
        p = np.concatenate([[0.0], scores[scores > 0], [1.0]])
        steps.append(pl.DataFrame({"agent": [agent] * len(p), "p": p, "pairs": [int((scores > x).sum()) for x in p]}))
    return pl.concat(steps) if steps else pl.DataFrame(schema=CURVE)
