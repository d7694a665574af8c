"""The tests of series, such as the checkpoints of a training: their trends, and each member against the last one."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl

from relprobe.core.files import CsvFiles
from relprobe.core.manifest import same_weights
from relprobe.core.relation import Relations
from relprobe.core.series import Places, SeriesOf
from relprobe.sources.relations import RelationsFile
from relprobe.stats.series import tables as of_series
from relprobe.studies.relations.compare.analyses import GROUPS
from relprobe.studies.relations.compare.design import linked_by
from relprobe.studies.relations.measure.measures import DISTINGUISHABILITY, MEASURES
from relprobe.studies.relations.schemas import Metrics, Relata


def trends(
    metrics: dict[str, Metrics],
    manifests: list[Path],
    relata: Relata,
    relations: RelationsFile,
    *,
    series: dict[str, Any],
    networks: dict[str, str],
) -> CsvFiles:
    """Test the trend of each series, such as the checkpoints of a training, and each of its members against the last.

    `manifests`: of the models behind the members. `networks`: agent -> its model. The notes of the table trends say which
    members have the same weights. The other arguments are those of `trend_tables`.
    """
    of_models = {path.stem: path for path in manifests}
    doubled = same_weights({agent: of_models[model] for agent, model in networks.items()})
    return trend_tables(metrics, series, doubled, relata, relations)


def trend_tables(
    metrics: Mapping[str, Metrics],
    series: SeriesOf,
    doubled: Sequence[Sequence[str]],
    relata: Relata,
    relations: Relations,
) -> dict[str, pl.DataFrame]:
    """Return the tables trends and against_last of the metrics with a test (stats/series/tables.py).

    `metrics`: agent -> METRICS. `series`: name -> the agents in their order, each with its place, such as its training
    step. `doubled`: the groups of members that have the same weights. Targets that share a relatum (`relata`) are linked.
    """
    links = linked_by(relata).links
    plain = {agent: table.filter(pl.col("metric") != DISTINGUISHABILITY.name) for agent, table in metrics.items()}
    tables = {
        "trends": of_series.trends(plain, series, MEASURES, GROUPS, over="relation", links=links),
        "against_last": of_series.against_last(plain, series, MEASURES, GROUPS, links=links),
    }
    notes = {name: _on_weights(places, doubled) for name, places in series.items()}
    weights = pl.col("series").replace_strict(notes, return_dtype=pl.String)
    note = pl.concat_str("note", weights, separator="; ", ignore_nulls=True)
    tables["trends"] = tables["trends"].with_columns(note=pl.when(note != "").then(note))
    relation = pl.col("relation").cast(relations.order)
    return {name: table.sort("series", "metric", relation, "k", maintain_order=True) for name, table in tables.items()}


def _on_weights(places: Places, doubled: Sequence[Sequence[str]]) -> str | None:
    """Return the note on members of a series that have the same weights, if there are any."""
    groups = [[agent for agent in places if agent in group] for group in doubled]
    return "; ".join(f"{' and '.join(group)} have the same weights" for group in groups if len(group) > 1) or None
