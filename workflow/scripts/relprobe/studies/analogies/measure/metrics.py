"""From decisions to units: the accuracy of an agent on each tuple."""

from typing import NamedTuple

import polars as pl

from relprobe.core.metric import Metric
from relprobe.studies.analogies.schemas import METRICS, PROBE_TYPES, SETTINGS, Decisions, Metrics, Tuples, Unjudged

COLUMNS = ("random", "reverse", "type")
"""The columns of Tables 1 and 2; random is the mean of random_head and random_tail."""
CLUSTERS = "families of tuples, or relations"
RIGHT, SWAPPED = ", right query", ", swapped query"
"""The ends of the metrics' names on the sampled instances: with their own query, and with one of another relation."""
MEASURES = tuple(
    Metric(
        f"{setting} {probe}{end}",
        title=probe if probe in COLUMNS and not end else "",
        test=None if end else "Wilcoxon",
        items="tuples",
        cluster=("cluster",),
        clusters=CLUSTERS,
        share=True,
    )
    for setting in SETTINGS
    for end in ("", RIGHT, SWAPPED)
    for probe in (COLUMNS if end else dict.fromkeys([*COLUMNS, *PROBE_TYPES]))
)
"""The accuracy per setting and probe type, and the two of the control, which compare/analyses.py compares.

The tables and figures show those with a title, which is their column.
"""

ALL = "All"
UNMARKED = "unmarked"
"""The condition without the many-to-many and the bidirectional relations (section 4), over all groups; "ES unmarked" is the
same within one group."""


class AgentTables(NamedTuple):
    """The accuracies of an agent, and how many decisions it could not make."""

    metrics: Metrics
    unjudged: Unjudged


def agent_metrics(choices: Decisions, tuples: Tuples, decisions: Decisions | None = None) -> AgentTables:
    """Compute the accuracies of an agent in both settings, and count what it could not judge for want of a vector.

    `choices` and `decisions`: those of the unsupervised and of the supervised setting, which an agent may lack.
    """
    judged = pl.concat(table for table in (decisions, choices) if table is not None)
    return AgentTables(metrics(judged, tuples), unjudged_decisions(judged))


def unjudged_decisions(decisions: pl.DataFrame) -> pl.DataFrame:
    """Return how many decisions of each setting have no value (UNJUDGED); the controls are not counted."""
    own = decisions.filter(pl.col("instead_of").is_null())
    return own.group_by("setting", maintain_order=True).agg(decisions=pl.len(), unjudged=pl.col("value").null_count())


def metrics(decisions: pl.DataFrame, tuples: pl.DataFrame) -> pl.DataFrame:
    """Return the accuracies of an agent's decisions (DECISIONS) on TUPLES as METRICS.

    A metric is a setting and a probe type, such as "supervised random" (MEASURES). "supervised random, swapped query" is
    the accuracy on the controls, and "supervised random, right query" that on the same instances. A unit is the positive
    tuple of an instance; its value is the mean of the decisions on its instances, over all queries and draws: how hard
    an instance is depends on this tuple more than on the query. Decisions without a value take no part. A condition is a
    relation (its code) or a group (ES, LS, DM, IM, All, unmarked, ES unmarked). Under a relation a cluster is a family
    of tuples, and under a group it is a relation.

    >>> from relprobe.studies.analogies.schemas import DECISIONS, TUPLES
    >>> row = ("supervised", "E01", "reverse", 1, "rome : italy", "oslo : norway", "oslo", "norway", True)
    >>> decisions = pl.DataFrame([(*row, 1.0, None), (*row, 0.0, None)], schema=DECISIONS, orient="row")
    >>> tuples = pl.DataFrame(
    ...     [("E01", "capitals", "ES", 1, "test", "oslo", "norway", ["norway"], "oslo : norway", "")],
    ...     schema=TUPLES,
    ...     orient="row",
    ... )
    >>> metrics(decisions, tuples).rows()[:2]
    [('supervised reverse', 'E01', 'E01 oslo : norway', 'oslo : norway', 0.5), ('supervised reverse', 'ES', \
'E01 oslo : norway', 'E01', 0.5)]
    """
    judged = decisions.drop_nulls("value")
    right, swapped = _paired(judged)
    parts = {"": judged.filter(pl.col("instead_of").is_null()), RIGHT: right, SWAPPED: swapped}
    tables = [_accuracies(part, tuples, end) for end, part in parts.items()]
    by_relation = pl.concat(tables).filter(pl.col("metric").is_in([measure.name for measure in MEASURES]))
    return pl.concat([by_relation, *_by_group(by_relation, tuples)]).select(list(METRICS)).cast(METRICS)


def _paired(judged: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return the decisions of the same instances with the right query and with the swapped one, where both were made."""
    asked = judged.with_columns(query=pl.coalesce("instead_of", "query"))
    is_control = pl.col("instead_of").is_not_null()
    controls, others = asked.filter(is_control), asked.filter(~is_control)
    key = ["setting", "relation", "probe", "draw", "query", "tuple", "head", "tail"]
    return (
        others.join(controls, on=key, how="semi", maintain_order="left"),
        controls.join(others, on=key, how="semi", maintain_order="left"),
    )


def _accuracies(judged: pl.DataFrame, tuples: pl.DataFrame, end: str) -> pl.DataFrame:
    """Return the accuracy of each tuple under its relation (METRICS); `end`: that of the names of the metrics."""
    both = judged.filter(pl.col("probe").str.starts_with("random_")).with_columns(probe=pl.lit("random"))
    family = tuples.select("relation", "family", tuple=pl.format("{} : {}", "head", "tail")).unique()
    return (
        pl.concat([judged, both])
        .group_by("setting", "probe", "relation", "tuple", maintain_order=True)
        .agg(pl.col("value").mean())
        .join(family, on=["relation", "tuple"], how="left", maintain_order="left")
        .select(
            metric=pl.format("{} {}{}", "setting", "probe", pl.lit(end)),
            condition="relation",
            unit=pl.format("{} {}", "relation", "tuple"),
            cluster="family",
            value="value",
        )
    )


def _by_group(by_relation: pl.DataFrame, tuples: pl.DataFrame) -> list[pl.DataFrame]:
    about = tuples.select("group", "marks", cluster="relation").unique("cluster")
    rows = by_relation.with_columns(cluster="condition").join(about, on="cluster", how="left", maintain_order="left")
    group, unmarked = pl.col("group"), rows.filter(marks="")
    # In another group the unmarked relations are all.
    with_marks = group.is_in(about.filter(pl.col("marks") != "")["group"].unique().to_list())
    parts = [
        rows.with_columns(condition=group),
        rows.with_columns(condition=pl.lit(ALL)),
        unmarked.with_columns(condition=pl.lit(UNMARKED)),
        unmarked.filter(with_marks).with_columns(condition=pl.format("{} {}", group, pl.lit(UNMARKED))),
    ]
    return [part.select(list(METRICS)) for part in parts]
