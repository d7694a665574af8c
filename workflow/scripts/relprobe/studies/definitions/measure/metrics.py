"""The metrics of the study (section 2.4): each measure of each task."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import polars as pl

from relprobe.core.metric import Metric
from relprobe.studies.definitions.measure.conditions import LIMITS, conditions
from relprobe.studies.definitions.schemas import METRICS, TASKS, Metrics, Properties, Responses


@dataclass(frozen=True)
class Measure(Metric):
    """A measure that both tasks have; the groups of a family are a cluster.

    `figure`: the file of its figure; `axis`: the label of its values there. `scale`: the factor by which the paper's values
    are larger than ours.
    """

    items: str = "groups"
    cluster: tuple[str, ...] = ("cluster",)
    clusters: str = "families"
    figure: str = ""
    axis: str = ""
    scale: int = 1


IN_BOTH_TASKS = (
    Measure(
        "P@1",
        test="McNemar",
        figure="precision",
        axis="precision at 1",
        scale=100,
    ),
    Measure(
        "RS",
        test="Wilcoxon",
        figure="rank_score",
        axis="rank score (a guess: 0.5)",
    ),
)
"""The measures of either task, under the names that they have without it."""


def metric_name(task: str, measure: str) -> str:
    """Return the name of a task's metric.

    >>> metric_name("w2d", "P@1")
    'W2D P@1'
    """
    return f"{task.upper()} {measure}"


MEASURES = tuple(replace(measure, name=metric_name(task, measure.name)) for task in TASKS for measure in IN_BOTH_TASKS)
"""The metrics of the study in the order of its tables: W2D P@1, W2D RS, D2W P@1, D2W RS."""
TASK_PAIRS = {
    measure: (metric_name("w2d", measure.name), metric_name("d2w", measure.name)) for measure in IN_BOTH_TASKS
}
"""Measure -> its metrics in the two tasks, which are compared within each agent (section 3)."""


def metrics(
    responses: Responses,
    groups: Properties,
    ties: Literal["expected", "drawn"] = "expected",
    limits: Sequence[float] = LIMITS,
) -> Metrics:
    """Return the metrics of one agent from its responses: a row per drawn group, metric and condition of the group.

    P@1 is 1 if the right candidate is ranked first, and 0 otherwise; RS = (L - k) / (L - 1) for its rank k among L
    candidates. `ties`: "expected" takes the mean over all orders of candidates with equal scores, so that P@1 of a guess is
    1 / L and its RS 1/2; "drawn" takes the rank of `rank_candidates`, an order that was drawn. A right
    candidate that a person did not rank always counts by the mean of the places that are left. The unit is the group, and
    its cluster the family; `conditions` says which conditions a group has. A group without a response to a task has no row
    for it, and one with responses of several people a row for each.

    >>> group = {"group": "nod.v.01", "pos": "verb", "uses": 310.0, "tokens": 1, "leak": "names", "family": "move.v.01"}
    >>> groups = pl.DataFrame([group | {"depth": 2, "w2d": 5, "d2w": 4, "drawn": True}])
    >>> response = {"task": "w2d", "group": "nod.v.01", "candidates": 5, "better": 1, "tied": 1, "rank": 2}
    >>> table = metrics(pl.DataFrame([response]), groups, "drawn")
    >>> table.filter(condition="verb, frequent").select("metric", "unit", "cluster", "value").rows()
    [('W2D P@1', 'nod.v.01', 'move.v.01', 0.0), ('W2D RS', 'nod.v.01', 'move.v.01', 0.75)]
    >>> metrics(pl.DataFrame([response]), groups).filter(metric="W2D RS")["value"].to_list()[0]  # rank 2 or 3
    0.625
    """
    length, rank = pl.col("candidates").cast(pl.Float64), _place(ties)
    formulas = {"P@1": first_place(ties), "RS": (length - rank) / (length - 1)}
    task = pl.col("task").str.to_uppercase()
    parts = [
        responses.select(metric=pl.format("{} {}", task, pl.lit(measure)), unit="group", value=value)
        for measure, value in formulas.items()
    ]
    drawn = groups.filter("drawn")
    of_groups = conditions(drawn, limits).join(
        drawn.select("group", cluster="family"), on="group", maintain_order="left"
    )
    of_groups = of_groups.rename({"group": "unit"})
    return pl.concat(parts).join(of_groups, on="unit", maintain_order="left_right").select(list(METRICS))


def first_place(ties: Literal["expected", "drawn"]) -> pl.Expr:
    """Return P@1 of a row of RESPONSES: how often the right candidate is ranked first. `ties`: see `metrics`.

    >>> rows = pl.DataFrame({"better": [0, 1], "tied": [1, 0], "rank": [2, 2]})
    >>> rows.select(first_place("expected")).to_series().to_list(), rows.select(first_place("drawn")).to_series().to_list()
    ([0.5, 0.0], [0.0, 0.0])
    """
    if ties == "expected":
        return (pl.col("better") == 0).cast(pl.Float64) / (1 + pl.col("tied").cast(pl.Float64))
    return (_place(ties) == 1).cast(pl.Float64)


def _place(ties: Literal["expected", "drawn"]) -> pl.Expr:
    """Return the place of the right candidate, from 1; one that a person did not rank has the mean of those left."""
    better, tied, rank = (pl.col(name).cast(pl.Float64) for name in ("better", "tied", "rank"))
    expected = 1 + better + tied / 2
    return expected if ties == "expected" else rank.fill_null(expected)
