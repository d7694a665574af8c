"""The tests of series, such as the checkpoints of a training or the sizes of a family of models."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl

from relprobe.core.files import ShownTables
from relprobe.core.manifest import same_weights
from relprobe.core.relation import Relations
from relprobe.core.series import Places, SeriesOf
from relprobe.sources.relations import RelationsFile
from relprobe.stats.averages import averages
from relprobe.stats.series import tables as of_series
from relprobe.stats.series.half import Controls, half_depths
from relprobe.stats.series.layered import TESTED, apart, of_last_layers, plain_names, series_of_layers
from relprobe.studies.relations.compare.analyses import GROUPS, plain
from relprobe.studies.relations.compare.design import linked_by
from relprobe.studies.relations.measure.measures import MEASURES
from relprobe.studies.relations.schemas import AVERAGES, TESTS, LayerMetrics, Metrics, Relata, Tests

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
    map_text: str = "none",
) -> ShownTables:
    """Test the trend of each series, and each member against the last, and say where half of the last value is reached.

    `metrics`: of the members that are agents; `manifests`: of the models behind them. `networks`: agent -> its model. The
    notes of the table trends say which members have the same weights. `layered`: agent -> LAYER_METRICS; its layers are
    series, too, whose last one is compared with the controls `blind`. `map_text`: what the maps of the layers are fitted on
    (relations.layers.map). The other arguments are those of `trend_tables`.
    """
    of_models = {path.stem: path for path in manifests or []}
    doubled = same_weights({agent: of_models[model] for agent, model in networks.items()})
    layers = series_of_layers(layered or {})
    values, series = {**(metrics or {}), **apart(layered or {})}, {**along, **({"layer": layers} if layers else {})}
    every = pl.concat([tests, of_last(values, layers, blind or {}, relata).cast(tests.schema)])  # type: ignore[arg-type]
    beside = averages(plain(blind), MEASURES, GROUPS, links=linked_by(relata).links) if blind else None
    readers = readers_of(layered or {}, map_text)
    tables = trend_tables(values, series, doubled, relata, relations, every, controls, beside, readers)
    return {name: plain_names(table) for name, table in tables.items()}


def readers_of(layered: Mapping[str, pl.DataFrame], map_text: str) -> dict[str, str]:
    """Return what reads the layers of each series (`series_of_layers`): the head alone, or a map and the head.

    >>> readers_of({"gpt": pl.DataFrame({"variant": ["mapped", "raw"], "layer": [0, 0]})}, "wordnet")
    {'gpt, mapped': 'a linear map fitted on wordnet, and the head', 'gpt, raw': 'the head alone'}
    """
    said = {"mapped": f"a linear map fitted on {map_text}, and the head", "raw": "the head alone"}
    readers: dict[str, str] = {}
    for agent, table in layered.items():
        variants = [variant for variant in TESTED if variant in set(table["variant"])]
        readers |= {agent if len(variants) == 1 else f"{agent}, {variant}": said[variant] for variant in variants}
    return readers


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
    beside: pl.DataFrame | None = None,
    readers: Mapping[str, str] | None = None,
) -> dict[str, pl.DataFrame]:
    """Return the tables trends, against_last and halves of the metrics with a test (stats/series).

    `metrics`: agent -> METRICS. `along`: axis -> name of a series -> the agents in their order, each with its place, such
    as its training step. `doubled`: the groups of members that have the same weights. Targets that share a relatum
    (`relata`) are linked. `tests` (TESTS) say what the last members have beyond the `controls`; `beside`: averages of these
    over all targets, where the members were asked fewer. `readers`: series -> what reads its layers.
    """
    links = linked_by(relata).links
    known = plain(metrics)
    met = Controls(tests, pl.DataFrame(schema=AVERAGES) if beside is None else beside, controls)
    tables: dict[str, list[pl.DataFrame]] = {"trends": [], "against_last": [], "halves": []}
    for axis, series in along.items():
        rise = of_series.trends(known, series, MEASURES, GROUPS, over="relation", links=links)
        found = {
            "trends": _with_weights(rise, series, doubled),
            "against_last": of_series.against_last(known, series, MEASURES, GROUPS, links=links),
            "halves": half_depths(
                known, series, MEASURES, GROUPS, axis=axis, readers=readers, controls=met, links=links
            ),
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
