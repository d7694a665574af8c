"""Averages after each layer of an agent, for which each layer is an agent of its own (stats/series/layered.py)."""

from collections.abc import Mapping
from typing import Annotated, Literal

import polars as pl

from relprobe.core.files import ShownTables, parquet
from relprobe.core.relation import Relations
from relprobe.stats.schemas import OF_LAYER
from relprobe.stats.series.layered import apart, together
from relprobe.studies.relations.compare.analyses import averages_of
from relprobe.studies.relations.compare.design import Design, design_of
from relprobe.studies.relations.data.gold import GoldStandard
from relprobe.studies.relations.schemas import AVERAGES, LayerMetrics, Metrics, Pairs

LAYER_AVERAGES = pl.Schema({"agent": AVERAGES["agent"], **OF_LAYER, **AVERAGES})
LayerAverages = Annotated[pl.DataFrame, parquet(LAYER_AVERAGES)]


def layers(
    layered: dict[str, LayerMetrics],
    gold: GoldStandard,
    pairs: Pairs,
    people: dict[str, Metrics] | None = None,
    *,
    targets: Literal["common", "own"] = "common",
) -> ShownTables:
    """Average the metrics after each layer as those of all agents are averaged (analyses.averages): LAYER_AVERAGES.

    `layered`: agent -> LAYER_METRICS. `people`: the metrics of the agents that are people, whose targets count.
    """
    design = design_of(gold, (people or {}).values())
    return {"layers": averages_of_layers(layered, targets, relations=gold.relations, design=design, pairs=pairs)}


def averages_of_layers(
    layered: Mapping[str, pl.DataFrame],
    targets: Literal["common", "own"],
    *,
    relations: Relations,
    design: Design,
    pairs: pl.DataFrame | None = None,
) -> pl.DataFrame:
    """Return the averages after each layer (LAYER_AVERAGES)."""
    table = averages_of(apart(layered), targets, relations=relations, design=design, pairs=pairs)
    return together(table).cast(LAYER_AVERAGES).select(list(LAYER_AVERAGES))  # type: ignore[arg-type]
