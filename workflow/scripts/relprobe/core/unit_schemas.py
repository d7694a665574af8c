"""The schemas of the tables of values, averages and tests.

They are apart from core/units.py so that an edited statistic reruns only the steps that compute averages and tests: the
digest of a step that only writes such a table does not cover core/stats.
"""

import polars as pl

UNITS = pl.Schema(
    {
        "metric": pl.String(),
        "condition": pl.String(),
        "unit": pl.String(),  # a unit has the same name in the tables of all agents
        "value": pl.Float64(),
    }
)
AVERAGES = pl.Schema(
    {
        "agent": pl.String(),
        "metric": pl.String(),
        "condition": pl.String(),
        "value": pl.Float64(),
        "low": pl.Float64(),  # lower bound of the 95 % bootstrap interval over the units
        "high": pl.Float64(),  # its upper bound
        "units": pl.UInt32(),  # number of units
        "note": pl.String(),  # the reason why the interval is missing
    }
)
COMPARISON = {
    "agent_a": pl.String(),
    "agent_b": pl.String(),
    "test": pl.String(),
    "units": pl.UInt32(),  # number of units that both agents have
    "value_a": pl.Float64(),  # mean of agent a over these units
    "value_b": pl.Float64(),
    "effect": pl.Float64(),  # effect size of the test; positive where the values of a are larger
    "p": pl.Float64(),
    "p_holm": pl.Float64(),  # p adjusted for the number of pairs of agents by Holm's method
    "note": pl.String(),  # the reason why p is missing
}
TESTS = pl.Schema({"metric": pl.String(), "condition": pl.String(), **COMPARISON})
