"""The tables of units, and of what is made of them, apart from the statistics, which take a second to import."""

import polars as pl

UNITS = pl.Schema(
    {
        "metric": pl.String(),
        "condition": pl.String(),
        "unit": pl.String(),  # the same name for the same unit in the tables of all agents
        "value": pl.Float64(),
    }
)
AVERAGES = pl.Schema(
    {
        "agent": pl.String(),
        "metric": pl.String(),
        "condition": pl.String(),
        "value": pl.Float64(),
        "low": pl.Float64(),  # 95 % bootstrap interval over the units
        "high": pl.Float64(),
        "units": pl.UInt32(),
        "note": pl.String(),  # why the interval is missing
    }
)
COMPARISON = {
    "agent_a": pl.String(),
    "agent_b": pl.String(),
    "test": pl.String(),
    "units": pl.UInt32(),  # that both agents have
    "value_a": pl.Float64(),
    "value_b": pl.Float64(),
    "effect": pl.Float64(),
    "p": pl.Float64(),
    "p_holm": pl.Float64(),
    "note": pl.String(),  # why a p-value is missing
}
TESTS = pl.Schema({"metric": pl.String(), "condition": pl.String(), **COMPARISON})
