"""The tests of series, such as the checkpoints of a training or the sizes of a family of models."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl

from relprobe.core.files import ShownTables
from relprobe.core.manifest import same_weights
from relprobe.core.relation import Relations
from relprobe.core.series import LOGARITHMIC, Places, SeriesOf
from relprobe.sources.relations import RelationsFile
from relprobe.stats.controls import beyond_controls
from relprobe.stats.series import half
from relprobe.stats.series import tables as of_series
from relprobe.stats.series.layered import apart, of_last_layers, plain_names, series_of_layers
from relprobe.studies.relations.compare.analyses import GROUPS, plain
from relprobe.studies.relations.compare.design import linked_by
from relprobe.studies.relations.measure.measures import MEASURES
from relprobe.studies.relations.schemas import TESTS, LayerMetrics, Metrics, Relata, Tests

Along = Mapping[str, SeriesOf]
"""Axis (core.series.AXES) -> its series."""


def trends(
    relata: Relata,
    tests: Tests,
    relations: RelationsFile,
    metrics: dict[str, Metrics] | None = None,
    manifests: list[Path] | None = None,
    layered: dict[str, LayerMetrics] | None = None,
    blind: dict[str, Metrics] | None = None,
    *,
    along: dict[str, Any],
    networks: dict[str, str],
    controls: list[str],
) -> ShownTables:
    """Test the trend of each series, and each member against the last, and say where half of the last value is reached.

    `metrics`: of the members that are agents; `manifests`: of the models behind them. `networks`: agent -> its model. The
    notes of the table trends say which members have the same weights. `layered`: agent -> LAYER_METRICS; its layers are
    series, too, whose last one is compared with the controls `blind`. The other arguments are those of `trend_tables`.
    """
    of_models = {path.stem: path for path in manifests or []}
    doubled = same_weights({agent: of_models[model] for agent, model in networks.items()})
    layers = series_of_layers(layered or {})
    values, series = {**(metrics or {}), **apart(layered or {})}, {**along, **({"layer": layers} if layers else {})}
    every = pl.concat([tests, of_last(values, layers, blind or {}, relata).cast(tests.schema)])  # type: ignore[arg-type]
    tables = trend_tables(values, series, doubled, relata, relations, every, controls)
    return {name: plain_names(table) for name, table in tables.items()}


def of_last(
    values: Mapping[str, pl.DataFrame], layers: SeriesOf, blind: Mapping[str, pl.DataFrame], relata: pl.DataFrame
) -> pl.DataFrame:
    """Compare the last layers with the controls `blind` (TESTS). `values`: agents of one layer, and others -> METRICS."""
    if not layers or not blind:
        return pl.DataFrame(schema=TESTS)
    links = linked_by(relata).links
    return of_last_layers(plain(values), layers, plain(blind), MEASURES, GROUPS, links=links).select(list(TESTS))


def trend_tables(
    metrics: Mapping[str, Metrics],
    along: Along,
    doubled: Sequence[Sequence[str]],
    relata: Relata,
    relations: Relations,
    tests: Tests,
    controls: Sequence[str] = (),
) -> dict[str, pl.DataFrame]:
    """Return the tables trends, against_last and halves of the metrics with a test (stats/series).

    `metrics`: agent -> METRICS. `along`: axis -> name of a series -> the agents in their order, each with its place, such
    as its training step. `doubled`: the groups of members that have the same weights. Targets that share a relatum
    (`relata`) are linked. `tests` (TESTS) say what the last members have beyond their best `controls`.
    """
    links = linked_by(relata).links
    known = plain(metrics)
    beyond = beyond_controls(tests, controls) if controls else None
    tables: dict[str, list[pl.DataFrame]] = {"trends": [], "against_last": [], "halves": []}
    for axis, series in along.items():
        log = list(series) if axis in LOGARITHMIC else []
        rise = of_series.trends(known, series, MEASURES, GROUPS, over="relation", links=links)
        found = {
            "trends": _with_weights(rise, series, doubled),
            "against_last": of_series.against_last(known, series, MEASURES, GROUPS, links=links),
            "halves": half.half_depths(known, series, MEASURES, GROUPS, logarithmic=log, beyond=beyond, links=links),
        }
        for name, table in found.items():
            tables[name].append(table.select(pl.lit(axis).alias("axis"), pl.all()))
    relation = pl.col("relation").cast(relations.order)
    whole = {name: pl.concat(parts) for name, parts in tables.items()}
    return {
        name: table.sort("axis", "series", "metric", relation, "k", maintain_order=True)
        for name, table in whole.items()
    }


def _with_weights(table: pl.DataFrame, series: SeriesOf, doubled: Sequence[Sequence[str]]) -> pl.DataFrame:
    """Add to the notes of the trends which members have the same weights."""
    notes = {name: _on_weights(places, doubled) for name, places in series.items()}
    weights = pl.col("series").replace_strict(notes, return_dtype=pl.String)
    note = pl.concat_str("note", weights, separator="; ", ignore_nulls=True)
    return table.with_columns(note=pl.when(note != "").then(note))


def _on_weights(places: Places, doubled: Sequence[Sequence[str]]) -> str | None:
    """Return the note on members of a series that have the same weights, if there are any."""
    groups = [[agent for agent in places if agent in group] for group in doubled]
    return "; ".join(f"{' and '.join(group)} have the same weights" for group in groups if len(group) > 1) or None
