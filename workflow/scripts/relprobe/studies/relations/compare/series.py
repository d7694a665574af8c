"""The values along all series in one table, such as checkpoints and sizes, with people and controls beside them."""

from collections.abc import Collection, Mapping
from typing import Any

import polars as pl

from relprobe.core.files import ShownTables
from relprobe.core.relation import Relations
from relprobe.core.series import SeriesOf
from relprobe.sources.relations import RelationsFile
from relprobe.stats.schemas import with_groups
from relprobe.stats.series import beside
from relprobe.studies.relations.compare.layers import LayerAverages
from relprobe.studies.relations.measure.measures import AUDC, DISTINGUISHABILITY, with_figures
from relprobe.studies.relations.schemas import AVERAGES, Averages

SERIES = with_groups(beside.SERIES, AVERAGES, ["relation", "versus", "k"])
"""Of distances, versus is the relation that is told apart."""
DRAWN = (*(measure.name for measure in with_figures()), AUDC.name, DISTINGUISHABILITY.name)
"""The metrics that are drawn along series."""
AXES_OF = {"size": ("size",), "training": ("step", "tokens"), "layers": ("layer",)}
"""First word of the name of a figure along series -> its axes."""
GROUPS = ("relation", "versus", "k")


def series(
    averages: Averages,
    relations: RelationsFile,
    layers: LayerAverages | None = None,
    *,
    along: dict[str, Any],
    people: list[str] | None = None,
    controls: list[str] | None = None,
    checkpoints: dict[str, Any] | None = None,
) -> ShownTables:
    """Write the values of the members of all series, of people and of the best controls; see `series_table`."""
    return {"series": series_table(averages, along, relations, people or (), controls or (), layers, checkpoints or {})}


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
    drawn = None if layers is None else layers.filter(pl.col("metric").is_in(DRAWN))
    known = pl.concat([known, *(_last_layer(rows) for rows in beside.by_agent(drawn).values())], how="diagonal")
    parts = [pl.DataFrame(schema=SERIES)]
    for axis, of_axis in [*along.items(), *(checkpoints or {}).items()]:
        for name, places in of_axis.items():
            best = beside.of_best_control(known, list(controls), list(places)[-1], GROUPS)
            rows = pl.concat([beside.of_members(known, places), beside.of_people(known, people), best])
            parts.append(beside.as_series(rows, axis, name, SERIES))
    if drawn is not None:
        parts.append(beside.layers_beside(drawn, known, list(controls), people, GROUPS, SERIES))
    order = [pl.col(name).cast(relations.order) for name in ("relation", "versus")]
    metric = pl.col("metric").cast(pl.Enum(DRAWN))
    return pl.concat(parts).sort("axis", metric, *order, "k", "series", maintain_order=True)


def _last_layer(rows: pl.DataFrame) -> pl.DataFrame:
    """Return the values of an agent after its last layer, as averages of the agent."""
    last = rows.filter(pl.col("layer") == pl.col("layer").max(), variant="raw").drop("layer", "variant")
    return last.drop_nulls("value")
