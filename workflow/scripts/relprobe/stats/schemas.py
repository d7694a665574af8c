"""The schemas of averages and tests.

They are apart from the functions so that an edited statistic reruns only the steps that compute averages and tests.
"""

from collections.abc import Sequence
from typing import Annotated, Any, Literal

import polars as pl

from relprobe.core.files import parquet

AgentKind = Literal["model", "member", "person", "pooled", "control"]
"""What an agent is: a language model; a member of a series that is not its last, and is compared with controls alone (its
series has tests of its own, stats/series/tables.py); a person, whom models are compared with; the answers of several people
together; or a control, which does not know what the study asks about (docs/controls.md)."""
Inference = Literal["linked", "clusters", "paper"]
"""Whose test decides what is significant: ours, which knows what is linked; sign flips over clusters; the paper's."""
DECLARED = "the declared comparisons"
"""The family of the pairs of agents that the configuration declares (`comparisons`)."""
SAME = "the same answers, as far as this metric counts them"
"""What the note of a test begins with if two agents have equal values in all units: there is nothing that it could find."""
P_COLUMNS: dict[Inference, tuple[str, str]] = {
    "linked": ("p", "p_holm"),
    "clusters": ("cluster_p", "cluster_p_holm"),
    "paper": ("paper_p", "paper_p_holm"),
}
"""The columns of TESTS and CONTRASTS that hold p and its adjustment by Holm's method."""

AVERAGES = pl.Schema(
    {
        "agent": pl.String(),
        "metric": pl.String(),
        "condition": pl.String(),
        "value": pl.Float64(),  # mean over the units
        "low": pl.Float64(),  # lower bound of the 95 % interval
        "high": pl.Float64(),
        "units": pl.UInt32(),  # number of items that the mean is over
        "clusters": pl.UInt32(),  # number of clusters that they lie in
        "effective_n": pl.Float64(),  # number of independent items that they count as
        "answered": pl.UInt32(),  # number of items that the agent has a value of, those outside the study's included
        "coverage": pl.Float64(),  # share of the study's items that the agent has a value of
        "own_units": pl.Boolean(),  # True: the items are not those of the study
        "note": pl.String(),  # the reason why the interval is missing, or that it holds all values that can be
    }
)
RESULT = {
    "units": pl.UInt32(),  # number of units that both have
    "clusters": pl.UInt32(),  # number of clusters that these units lie in
    "effective_n": pl.Float64(),  # number of independent items that they count as, if all linked ones are alike
    "measured_n": pl.Float64(),  # the number that they are worth as their differences vary
    "discordant": pl.UInt32(),  # number of units in which the two differ
    "discordant_clusters": pl.UInt32(),  # number of clusters in which the two differ; few of them bound p
    "value_a": pl.Float64(),  # mean of a over the items that both have
    "value_b": pl.Float64(),
    "difference": pl.Float64(),  # value_a - value_b
    "low": pl.Float64(),  # lower bound of its 95 % interval
    "high": pl.Float64(),
    "error": pl.Float64(),  # standard error of the difference
    "freedom": pl.Float64(),  # degrees of freedom of its t distribution
    "p": pl.Float64(),  # of the test for linked items or, where nothing is linked, of sign flips over clusters
    "family": pl.String(),  # the pairs that are adjusted together: models, people, pooled people or controls
    "family_of": pl.String(),  # the agent whose own tests these are, the pair of two models, or the declared comparisons
    "family_size": pl.UInt32(),  # how many of them have a p
    "p_holm": pl.Float64(),  # p adjusted within the family by Holm's method
    "p_holm_all": pl.Float64(),  # p adjusted over the family's pairs under all conditions of the metric: for a headline
    "p_bh": pl.Float64(),  # p adjusted within the family by the method of Benjamini and Hochberg
    "detectable": pl.Float64(),  # the smallest difference that is found in 80 % of such studies, by p_holm (families.py)
    "detectable_all": pl.Float64(),  # the same by p_holm_all
    "gain": pl.Float64(),  # by how much a difference adds to the variance (comparisons.py), of shares
    "room": pl.Float64(),  # the largest difference that can be, of metrics with a greatest value
    "least_p": pl.Float64(),  # p cannot be below it, as so few clusters differ; missing where it may be below 0.05
    "note": pl.String(),  # the reason why p or the interval is missing, or what bounds p
    "cluster_p": pl.Float64(),  # of sign flips over clusters, which are taken as independent
    "cluster_p_holm": pl.Float64(),
    "paper_test": pl.String(),  # the paper's test, which takes the units as independent
    "paper_effect": pl.Float64(),  # its effect size; positive where the values of a are larger
    "paper_p": pl.Float64(),
    "paper_p_holm": pl.Float64(),
    "paper_note": pl.String(),  # the reason why paper_p is missing
}
COMPARISON = {"agent_a": pl.String(), "agent_b": pl.String(), **RESULT}
TESTS = pl.Schema({"metric": pl.String(), "condition": pl.String(), **COMPARISON})
CONTROLS = pl.Schema(
    {
        "agent": pl.String(),
        "metric": pl.String(),
        "condition": pl.String(),
        "value": pl.Float64(),  # of the agent, over the units that both have
        "control": pl.String(),  # the control that the agent exceeds least in this metric and condition
        "control_value": pl.Float64(),
        "difference": pl.Float64(),  # value - control_value
        "low": pl.Float64(),  # lower bound of its 95 % interval, that of the test of the two
        "high": pl.Float64(),
        "claim": pl.String(),  # what p is of: ahead of every control, or behind some control (core/claim.py)
        "controls": pl.UInt32(),  # how many controls the agent stands beside
        "p": pl.Float64(),  # by the rule of the claim
        "family_size": pl.UInt32(),  # how many tests of the agent have a p, over the conditions of the metric
        "p_holm_all": pl.Float64(),  # adjusted over these
        "detectable": pl.Float64(),  # the smallest difference that p finds in 80 % of such studies (families.py)
        "detectable_all": pl.Float64(),  # the same by p_holm_all
        "error": pl.Float64(),  # standard error of the difference
        "freedom": pl.Float64(),  # degrees of freedom of its t distribution
        "effective_n": pl.Float64(),  # number of independent items that they count as, if all linked ones are alike
        "measured_n": pl.Float64(),  # the number that they are worth as their differences vary
        "gain": pl.Float64(),  # by how much a difference adds to the variance (comparisons.py), of shares
        "room": pl.Float64(),  # the largest difference that can be, of metrics with a greatest value
        "least_p": pl.Float64(),  # as in TESTS
        "units": pl.UInt32(),
        "discordant": pl.UInt32(),  # number of units in which the two differ
        "note": pl.String(),  # the reason why p or the interval is missing
    }
)
"""What an agent has beyond its controls (stats/controls.py)."""
CONTRASTS = pl.Schema(
    {
        "agent": pl.String(),
        "metric": pl.String(),
        "contrast": pl.String(),  # the column whose values are compared, such as condition, or "metric"
        "a": pl.String(),
        "b": pl.String(),
        **RESULT,
    }
)
_SERIES_RESULT = {
    "units": pl.UInt32(),  # number of units that all members have
    "clusters": pl.UInt32(),  # number of clusters that these units lie in
    "effective_n": pl.Float64(),  # number of independent items that they count as
    "low": pl.Float64(),  # lower bound of the 95 % interval
    "high": pl.Float64(),
    "p": pl.Float64(),  # as in TESTS
}
TRENDS = pl.Schema(
    {
        "series": pl.String(),
        "metric": pl.String(),
        "condition": pl.String(),
        "members": pl.UInt32(),
        "first": pl.Float64(),  # the place of the first member on the axis, such as its training step
        "last": pl.Float64(),
        "value_first": pl.Float64(),  # mean of the first member over the items that all members have
        "value_last": pl.Float64(),
        "slope": pl.Float64(),  # by how much the mean changes from one member to the next
        **_SERIES_RESULT,
        "p_holm": pl.Float64(),  # p adjusted by Holm's method, such as for the number of relations
        "detectable": pl.Float64(),  # the smallest slope that p_holm finds in 80 % of such studies (families.py)
        "note": pl.String(),  # the reason why p or the interval is missing
    }
)
AGAINST_LAST = pl.Schema(
    {
        "series": pl.String(),
        "metric": pl.String(),
        "condition": pl.String(),
        "agent": pl.String(),
        "place": pl.Float64(),  # of the agent on the axis
        "last": pl.String(),  # the last member of the series
        "value": pl.Float64(),  # mean of the agent over the items that all members have
        "value_last": pl.Float64(),
        "difference": pl.Float64(),  # value - value_last
        **_SERIES_RESULT,
        "p_max_t": pl.Float64(),  # p adjusted for the number of members by the step-down max-T method, or by Holm's
        # The smallest difference that p adjusted by Holm's method finds in 80 % of such studies; that of max-T is no larger.
        "detectable": pl.Float64(),
        "note": pl.String(),  # the reason why p or the interval is missing
    }
)
HALVES = pl.Schema(
    {
        "series": pl.String(),
        "metric": pl.String(),
        "condition": pl.String(),
        "reader": pl.String(),  # what reads the values of the members, such as a map from a layer to the last one
        "members": pl.UInt32(),
        "value_last": pl.Float64(),  # mean of the last member over the items that all members have
        "value_highest": pl.Float64(),  # the highest mean of a member
        "highest_at": pl.Float64(),  # the place of this member
        "control": pl.String(),  # the control of the last member that is best over all items
        "control_value": pl.Float64(),  # its mean over these
        "half": pl.String(),  # between which members half of value_last is reached first, in words
        "half_at": pl.Float64(),  # where the line that is drawn between these two reaches it
        "low": pl.Float64(),  # the member that the 95 % interval begins at
        "high": pl.Float64(),  # the member that it ends at
        "units": pl.UInt32(),  # number of units that all members have
        "clusters": pl.UInt32(),
        "effective_n": pl.Float64(),
        "note": pl.String(),  # the reason why there is no place
    }
)

RAW = "raw"
"""The variant of what comes out of a layer of a network as it is."""
LAYER_COLUMNS = {"layer": pl.UInt16(), "variant": pl.String()}
"""The columns that values after each layer have beside those of their study. Layer 0 is the embeddings."""

Averages = Annotated[pl.DataFrame, parquet(AVERAGES)]
Tests = Annotated[pl.DataFrame, parquet(TESTS)]


def with_groups(schema: pl.Schema, columns: pl.Schema, groups: Sequence[str]) -> pl.Schema:
    """Return a schema with the group columns, typed as in `columns`, in place of the column `condition`.

    If the schema has no such column, as CONTRASTS, they stand after the column `metric`.
    """
    added = {group: columns[group] for group in groups}
    anchor = "condition" if "condition" in schema else "metric"
    merged: dict[str, Any] = {}
    for name, kind in schema.items():
        if name != "condition":
            merged[name] = kind
        if name == anchor:
            merged |= added
    return pl.Schema(merged)
