"""The tests of series, such as the checkpoints of a training: their trends, and each member against the last one."""

from collections.abc import Mapping, Sequence

import polars as pl

from relprobe.core.relation import Relations
from relprobe.core.series import Places, SeriesOf
from relprobe.stats import trends
from relprobe.studies.relations.compare.analyses import GROUPS
from relprobe.studies.relations.compare.design import UNLINKED, Design
from relprobe.studies.relations.measure.measures import DISTINGUISHABILITY, MEASURES


def trend_tables(
    values: Mapping[str, pl.DataFrame],
    series: SeriesOf,
    doubled: Sequence[Sequence[str]],
    *,
    relations: Relations,
    design: Design = UNLINKED,
) -> dict[str, pl.DataFrame]:
    """Return the tables trends and against_last of the metrics with a test (`core.trends`).

    `values`: agent -> METRICS. `design`: what links targets. `doubled`: the groups of members that have the
    same weights, which the notes of trends say.
    """
    plain = {agent: table.filter(pl.col("metric") != DISTINGUISHABILITY.name) for agent, table in values.items()}
    tables = {
        "trends": trends.trends(plain, series, MEASURES, GROUPS, links=design.links),
        "against_last": trends.against_last(plain, series, MEASURES, GROUPS, links=design.links),
    }
    notes = {name: _on_weights(places, doubled) for name, places in series.items()}
    of_series = pl.col("series").replace_strict(notes, return_dtype=pl.String)
    note = pl.concat_str("note", of_series, separator="; ", ignore_nulls=True)
    tables["trends"] = tables["trends"].with_columns(note=pl.when(note != "").then(note))
    relation = pl.col("relation").cast(relations.order)
    return {name: table.sort("series", "metric", relation, "k", maintain_order=True) for name, table in tables.items()}


def _on_weights(places: Places, doubled: Sequence[Sequence[str]]) -> str | None:
    """Return the note on members of a series that have the same weights, if there are any."""
    groups = [[agent for agent in places if agent in group] for group in doubled]
    return "; ".join(f"{' and '.join(group)} have the same weights" for group in groups if len(group) > 1) or None
