"""Precision at 1 and rank score (section 2.4), a row per group, task and condition."""

import polars as pl

from relprobe.core.units import UNITS
from relprobe.studies.definitions.conditions import conditions

METRICS = ("W2D P@1", "W2D RS", "D2W P@1", "D2W RS")
PRECISIONS = ("W2D P@1", "D2W P@1")
"""The metrics that are 0 or 1 for each group."""


def metrics(responses: pl.DataFrame, groups: pl.DataFrame) -> pl.DataFrame:
    """Return the metrics of one agent (UNITS); the unit is the group, the conditions are those of `conditions`.

    P@1 is 1 if the right candidate is ranked first; RS = (L - k) / (L - 1) for its rank k among L candidates.
    """
    length, rank = (pl.col(name).cast(pl.Float64) for name in ("candidates", "rank"))
    values = {"P@1": (rank == 1).cast(pl.Float64), "RS": (length - rank) / (length - 1)}
    task = pl.col("task").str.to_uppercase()
    parts = [
        responses.select(metric=pl.format("{} {}", task, pl.lit(name)), unit="group", value=value)
        for name, value in values.items()
    ]
    under = conditions(groups).rename({"group": "unit"})
    return pl.concat(parts).join(under, on="unit", maintain_order="left_right").select(list(UNITS))
