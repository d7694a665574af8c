"""The layers of a network as series: each layer of an agent is averaged and tested as an agent of its own."""

from collections.abc import Mapping
from typing import Annotated, Literal

import polars as pl

from relprobe.core.files import CsvFiles, parquet
from relprobe.core.relation import Relations
from relprobe.stats.comparisons import paired_tests
from relprobe.stats.schemas import Kind
from relprobe.studies.relations.compare.analyses import GROUPS, averages_of, plain
from relprobe.studies.relations.compare.design import Design, design_of, linked_by
from relprobe.studies.relations.data.gold import GoldStandard
from relprobe.studies.relations.measure.measures import MEASURES
from relprobe.studies.relations.schemas import AVERAGES, LAYER_METRICS, TESTS, LayerMetrics, Metrics, Pairs

LAYER_AVERAGES = pl.Schema(
    {
        "agent": AVERAGES["agent"],
        "layer": LAYER_METRICS["layer"],
        "variant": LAYER_METRICS["variant"],
        **AVERAGES,
    }
)
LayerAverages = Annotated[pl.DataFrame, parquet(LAYER_AVERAGES)]
AT = "@"
"""What parts the names of an agent, a variant and a layer; names of agents do not contain it."""
TESTED = ("mapped", "raw")
"""The variants of a layer's answers that are tested; the map of shuffled pairs is a control."""


def layers(
    layered: dict[str, LayerMetrics],
    gold: GoldStandard,
    pairs: Pairs,
    people: dict[str, Metrics] | None = None,
    *,
    targets: Literal["common", "own"] = "common",
) -> CsvFiles:
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
    names = pl.col("agent").str.split(AT)
    layers = table.with_columns(agent=names.list.get(0), variant=names.list.get(1), layer=names.list.get(2))
    return layers.cast(LAYER_AVERAGES).select(list(LAYER_AVERAGES))  # type: ignore[arg-type]


def apart(layered: Mapping[str, pl.DataFrame]) -> dict[str, pl.DataFrame]:
    """Return the values of each agent, variant and layer, as if they were agents, from the first layer to the last.

    >>> rows = [("soundness", "cat", 2, "raw", 0.5), ("soundness", "cat", 0, "raw", 0.25)]
    >>> table = pl.DataFrame(rows, schema=["metric", "target", "layer", "variant", "value"], orient="row")
    >>> {name: one["value"].to_list() for name, one in apart({"gpt": table}).items()}
    {'gpt@raw@0': [0.25], 'gpt@raw@2': [0.5]}
    """
    return {
        name_of(agent, str(variant), int(layer)): rows.drop("layer", "variant")
        for agent, table in layered.items()
        for (variant, layer), rows in table.sort("variant", "layer", maintain_order=True).group_by(
            "variant", "layer", maintain_order=True
        )
    }


def name_of(agent: str, variant: str, layer: int) -> str:
    """Return the name of an agent of one layer."""
    return f"{agent}{AT}{variant}{AT}{layer}"


def series_of_layers(layered: Mapping[str, pl.DataFrame]) -> dict[str, dict[str, float]]:
    """Return the layers of each agent and variant that is tested: name of the series -> agents of one layer, and layers.

    An agent with a map has two series, and another one its own name.
    """
    found: dict[str, dict[str, float]] = {}
    for agent, table in layered.items():
        variants = [variant for variant in TESTED if variant in set(table["variant"])]
        for variant in variants:
            layers = table.filter(variant=variant)["layer"].unique().sort().to_list()
            name = agent if len(variants) == 1 else f"{agent}, {variant}"
            found[name] = {name_of(agent, variant, layer): float(layer) for layer in layers}
    return {name: places for name, places in found.items() if len(places) > 1}


def of_last_layers(
    values: Mapping[str, pl.DataFrame],
    series: Mapping[str, Mapping[str, float]],
    controls: Mapping[str, pl.DataFrame],
    relata: pl.DataFrame,
) -> pl.DataFrame:
    """Compare the last layer of each series with the controls (TESTS). `values`, `controls`: agent -> METRICS."""
    parts = [pl.DataFrame(schema=TESTS)]
    for places in series.values() if controls else ():
        last = list(places)[-1]
        kinds: dict[str, Kind] = {last: "model", **dict.fromkeys(controls, "control")}
        both = plain({last: values[last], **controls})
        found = paired_tests(both, MEASURES, GROUPS, kinds=kinds, links=linked_by(relata).links)
        parts.append(found.select(list(TESTS)))
    return pl.concat(parts)


def plain_names(table: pl.DataFrame) -> pl.DataFrame:
    """Return a table with the names of agents in place of those of their layers, in the columns agent and last.

    >>> plain_names(pl.DataFrame({"agent": ["gpt@raw@3"], "last": ["gpt@raw@9"], "place": [3.0]})).row(0)
    ('gpt', 'gpt', 3.0)
    """
    named = [name for name in ("agent", "last") if table.schema.get(name) == pl.String()]
    return table.with_columns(pl.col(name).str.split(AT).list.get(0) for name in named)
