"""The values along all series in one table, such as checkpoints and sizes, with people and controls beside them."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import polars as pl

from relprobe.core.files import CsvFiles
from relprobe.core.relation import Relations
from relprobe.core.series import Places, SeriesOf, shortened
from relprobe.sources.relations import RelationsFile
from relprobe.stats.controls import owner
from relprobe.studies.relations.compare.layers import LayerAverages
from relprobe.studies.relations.measure.measures import AUDC, DISTINGUISHABILITY, with_figures
from relprobe.studies.relations.schemas import Averages

SERIES = pl.Schema(
    {
        "axis": pl.String(),  # step, tokens, size or layer (core.series.AXES)
        "series": pl.String(),
        "agent": pl.String(),
        "place": pl.Float64(),  # on the axis; none of people and controls, who have one value for all places
        "label": pl.String(),  # the place as it is written
        "variant": pl.String(),  # raw; mapped or shuffled, of a layer; people; or control
        "metric": pl.String(),
        "relation": pl.String(),
        "versus": pl.String(),  # of distances: the relation that is told apart
        "k": pl.UInt16(),
        "value": pl.Float64(),
        "low": pl.Float64(),  # lower bound of the 95 % interval
        "high": pl.Float64(),
        "units": pl.UInt32(),
    }
)
DRAWN = (*(measure.name for measure in with_figures()), AUDC.name, DISTINGUISHABILITY.name)
"""The metrics that are drawn along series."""
AXES_OF = {"size": ("size",), "training": ("step", "tokens"), "layers": ("layer",)}
"""First word of the name of a figure along series -> its axes."""
GROUP = ["metric", "relation", "versus", "k"]


def series(
    averages: Averages,
    relations: RelationsFile,
    layers: LayerAverages | None = None,
    *,
    along: dict[str, Any],
    people: list[str],
    controls: list[str],
    checkpoints: dict[str, Any] | None = None,
) -> CsvFiles:
    """Write the values of the members of all series, of people and of the best controls; see `series_table`."""
    return {"series": series_table(averages, along, relations, people, controls, layers, checkpoints or {})}


def series_table(
    averages: pl.DataFrame,
    along: Mapping[str, SeriesOf],
    relations: Relations,
    people: Collection[str] = (),
    controls: Collection[str] = (),
    layers: pl.DataFrame | None = None,
    checkpoints: Mapping[str, SeriesOf] | None = None,
) -> pl.DataFrame:
    """Return the values along each series (SERIES), from the averages of all agents (AVERAGES).

    `along`: axis -> name -> members and places. Each series also has the rows of the first of `people` who have a value,
    and, of each metric and relation, of the control with the highest value among those that its last member meets. `layers`:
    LAYER_AVERAGES; the layers of an agent are a series of its name. `checkpoints`: the series of agents with layers, whose
    values are those of their last layers.
    """
    known = averages.drop_nulls("value").filter(pl.col("metric").is_in(DRAWN))
    parts = [pl.DataFrame(schema=SERIES)]
    known = pl.concat([known, *(_last_layer(rows) for _, rows in _by_agent(layers))], how="diagonal")
    for axis, of_axis in [*along.items(), *(checkpoints or {}).items()]:
        for name, places in of_axis.items():
            last = list(places)[-1]
            met = [agent for agent in controls if owner(agent) in (None, last)]
            rows = pl.concat([_of_members(known, places), _of_people(known, people), _best(known, met)])
            parts.append(_as_series(rows, axis, name))
    for agent, values in _by_agent(layers):
        met = [control for control in controls if owner(control) in (None, agent)]
        rows = pl.concat([_of_layers(values), _of_people(known, people), _best(known, met)], how="diagonal")
        parts.append(_as_series(rows.filter(pl.col("metric").is_in(values["metric"])), "layer", agent))
    order = [pl.col(name).cast(relations.order) for name in ("relation", "versus")]
    metric = pl.col("metric").cast(pl.Enum(DRAWN))
    return pl.concat(parts).sort("axis", metric, *order, "k", "series", maintain_order=True)


def _as_series(rows: pl.DataFrame, axis: str, name: str) -> pl.DataFrame:
    return rows.with_columns(axis=pl.lit(axis), series=pl.lit(name)).select(list(SERIES)).cast(SERIES)  # type: ignore[arg-type]


def _by_agent(layers: pl.DataFrame | None) -> list[tuple[str, pl.DataFrame]]:
    """Return the averages of each agent with layers."""
    if layers is None:
        return []
    return [(str(agent), rows) for (agent,), rows in layers.group_by("agent", maintain_order=True)]


def _last_layer(rows: pl.DataFrame) -> pl.DataFrame:
    """Return the values of an agent after its last layer, as averages of the agent."""
    last = rows.filter(pl.col("layer") == pl.col("layer").max(), variant="raw").drop("layer", "variant")
    return last.drop_nulls("value").filter(pl.col("metric").is_in(DRAWN))


def _of_layers(rows: pl.DataFrame) -> pl.DataFrame:
    """Return the values of an agent after its layers, from the first to the last."""
    known = rows.drop_nulls("value").filter(pl.col("metric").is_in(DRAWN)).sort("variant", "layer", maintain_order=True)
    return known.with_columns(place=pl.col("layer").cast(pl.Float64), label=pl.col("layer").cast(pl.String))


def _of_members(known: pl.DataFrame, places: Places) -> pl.DataFrame:
    """Return the values of the members, in their order."""
    labels = {agent: shortened(place) for agent, place in places.items()}
    order = pl.col("agent").cast(pl.Enum(list(places)))
    rows = known.filter(pl.col("agent").is_in(list(places))).sort(order, maintain_order=True)
    return rows.with_columns(
        place=pl.col("agent").replace_strict(places, return_dtype=pl.Float64),
        label=pl.col("agent").replace_strict(labels, return_dtype=pl.String),
        variant=pl.lit("raw"),
    )


def _of_people(known: pl.DataFrame, people: Collection[str]) -> pl.DataFrame:
    """Return the values of the first of these agents who have any."""
    present = [agent for agent in people if agent in set(known["agent"])]
    return _beside(known.filter(pl.col("agent").is_in(present[:1])), "people")


def _best(known: pl.DataFrame, controls: Sequence[str]) -> pl.DataFrame:
    """Return the values of the control that has the highest one, of each metric and relation; of equal ones the first."""
    order = pl.col("agent").cast(pl.Enum(list(controls)))
    rows = known.filter(pl.col("agent").is_in(list(controls))).sort(order, maintain_order=True)
    ranked = rows.sort("value", descending=True, maintain_order=True)
    return _beside(ranked.unique(GROUP, keep="first", maintain_order=True), "control")


def _beside(rows: pl.DataFrame, variant: str) -> pl.DataFrame:
    """Return rows that have no place on the axis."""
    return rows.with_columns(place=pl.lit(None, pl.Float64), label=pl.lit(None, pl.String), variant=pl.lit(variant))
