"""From decisions to units: the accuracy of an agent on each query and on each relation."""

from collections.abc import Iterable
from pathlib import Path

import polars as pl

from relprobe.core.files import read_table
from relprobe.core.metric import Metric
from relprobe.core.unit_schemas import UNITS
from relprobe.studies.analogies.relations import BIDIRECTIONAL, GROUPS, MANY_TO_MANY
from relprobe.studies.analogies.schemas import PROBE_TYPES, SETTINGS

COLUMNS = ("random", "reverse", "type")
"""The columns of Tables 1 and 2; random is the mean of random_head and random_tail."""
METRICS = tuple(
    Metric(f"{setting} {probe}", title=probe if probe in COLUMNS else "", items="queries or relations")
    for setting in SETTINGS
    for probe in dict.fromkeys([*COLUMNS, *PROBE_TYPES])
)
"""The accuracy per setting and probe type. The tables and figures show those with a title, which is their column."""

ALL = "All"
UNMARKED = "unmarked"
"""The condition without the many-to-many and the bidirectional relations (section 4), over all groups; "ES unmarked" is the
same within one group."""
MARKED = (*MANY_TO_MANY, *BIDIRECTIONAL)


def metrics(decisions: pl.DataFrame) -> pl.DataFrame:
    """Return the accuracies of an agent's decisions (DECISIONS) as UNITS; decisions without a value take no part.

    A metric is a setting and a probe type, such as "supervised random" (METRICS). Under the condition of a relation (its
    code) a unit is a query, and its value the mean of its decisions: decisions that share a query are not independent.
    Under the condition of a group (ES, LS, DM, IM, All, unmarked, ES unmarked) a unit is a relation, and its value the mean
    of its queries.

    >>> from relprobe.studies.analogies.schemas import DECISIONS
    >>> rows = [("supervised", "E01", "reverse", "rome : italy", "oslo", "norway", True, value) for value in (1.0, 0.0)]
    >>> metrics(pl.DataFrame(rows, schema=DECISIONS, orient="row")).rows()[:2]
    [('supervised reverse', 'E01', 'E01 rome : italy', 0.5), ('supervised reverse', 'ES', 'E01', 0.5)]
    """
    judged = decisions.drop_nulls("value")
    both = judged.filter(pl.col("probe").str.starts_with("random_")).with_columns(probe=pl.lit("random"))
    by_query = (
        pl.concat([judged, both])
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
    with_marks = group.is_in({GROUPS[code[0]] for code in MARKED})  # in another group the unmarked relations are all
    parts = [
        by_relation.with_columns(condition=group),
        by_relation.with_columns(condition=pl.lit(ALL)),
        unmarked.with_columns(condition=pl.lit(UNMARKED)),
        unmarked.filter(with_marks).with_columns(condition=pl.format("{} {}", group, pl.lit(UNMARKED))),
    ]
    return [part.select(list(UNITS)) for part in parts]


def values_of(paths: Iterable[Path]) -> dict[str, pl.DataFrame]:
    """Read the metrics of all agents: agent -> UNITS. Each file has the name of its agent."""
    return {path.stem: read_table(path, UNITS) for path in paths}
