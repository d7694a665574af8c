"""The simplest schema of a table of values."""

import polars as pl

UNITS = pl.Schema(
    {
        "metric": pl.String(),
        "condition": pl.String(),
        "unit": pl.String(),  # a unit has the same name in the tables of all agents
        "value": pl.Float64(),
    }
)
