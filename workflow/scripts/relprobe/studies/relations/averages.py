"""Averages of an agent's units: over the prompts of a target or tuple, then over those; distances between relations."""

import polars as pl

GROUP = ["metric", "relation", "versus", "k"]


def by_unit(agent: str, values: pl.DataFrame) -> pl.DataFrame:
    """Average an agent's values over the prompts of each target or tuple: agent, GROUP, target, relatum, value."""
    # The relation of a first related word is for its distribution; its rank counts whatever that relation is.
    versus = pl.when(pl.col("metric") != "first_related").then("versus")
    units = values.with_columns(versus=versus).group_by(*GROUP, "target", "relatum").agg(pl.col("value").mean())
    return units.with_columns(agent=pl.lit(agent))


def averages(units: pl.DataFrame) -> pl.DataFrame:
    """Average units (`by_unit`): agent, GROUP, value and units; distinguishability becomes D(r, s) and AuDC."""
    means = units.group_by("agent", *GROUP).agg(pl.col("value").mean(), units=pl.len())
    pairs = distinguished(means.filter(metric="distinguishability"))
    area = pairs.group_by("agent").agg(pl.col("value").sum(), pl.len().alias("units"), metric=pl.lit("audc"))
    plain = means.filter(pl.col("metric") != "distinguishability")
    return pl.concat([plain, pairs, area], how="diagonal_relaxed")


def distinguished(ranks: pl.DataFrame) -> pl.DataFrame:
    """Return D(r, s) = max(δ(r, s) - δ(r, r), 0) for the ordered pairs of different relations (Eq. 26)."""
    own = ranks.filter(pl.col("relation") == pl.col("versus")).select("agent", "relation", own="value")
    others = ranks.filter(pl.col("relation") != pl.col("versus")).join(own, on=["agent", "relation"])
    return others.with_columns(value=(pl.col("value") - pl.col("own")).clip(lower_bound=0)).drop("own")
