"""From decisions to units: how right an agent is on each query and on each relation."""

import polars as pl

from relprobe.core.units import UNITS
from relprobe.studies.analogies.relations import BIDIRECTIONAL, GROUPS, MANY

EVERY = "All"
UNMARKED = "unmarked"
"""The mean without the one/many-to-many and the bidirectional relations (section 4), over all groups; "ES unmarked" is that
of one group."""
MARKED = (*MANY, *BIDIRECTIONAL)


def metrics(decisions: pl.DataFrame) -> pl.DataFrame:
    """Return the accuracies of an agent's decisions (DECISIONS) as UNITS; decisions without a value have no part in them.

    A metric is a setting and a probe, "supervised random"; random is the mean of random_head and random_tail. Under the
    condition of a relation (its code) a unit is a query, whose decisions are averaged: those that share a query are not
    independent. Under that of a group (ES, LS, DM, IM, All, unmarked, ES unmarked) a unit is a relation, the mean of its
    queries.
    """
    known = decisions.drop_nulls("value")
    both = known.filter(pl.col("probe").str.starts_with("random_")).with_columns(probe=pl.lit("random"))
    by_query = (
        pl.concat([known, both])
        .group_by("setting", "probe", "relation", "query", maintain_order=True)
        .agg(pl.col("value").mean())
        .select(
            metric=pl.format("{} {}", "setting", "probe"),
            condition="relation",
            unit=pl.format("{} {}", "relation", "query"),
            value="value",
        )
    )
    by_relation = by_query.group_by("metric", unit="condition", maintain_order=True).agg(pl.col("value").mean())
    return pl.concat([by_query, *_by_group(by_relation)]).select(list(UNITS)).cast(UNITS)


def _by_group(by_relation: pl.DataFrame) -> list[pl.DataFrame]:
    group = pl.col("unit").str.head(1).replace_strict(GROUPS)
    unmarked = by_relation.filter(~pl.col("unit").is_in(MARKED))
    partly = group.is_in({GROUPS[code[0]] for code in MARKED})  # of other groups the unmarked are all
    parts = [
        by_relation.with_columns(condition=group),
        by_relation.with_columns(condition=pl.lit(EVERY)),
        unmarked.with_columns(condition=pl.lit(UNMARKED)),
        unmarked.filter(partly).with_columns(condition=pl.format("{} {}", group, pl.lit(UNMARKED))),
    ]
    return [part.select(list(UNITS)) for part in parts]
