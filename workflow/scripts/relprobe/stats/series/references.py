"""The values along series in one table, with people and controls beside them, who have one value for all places."""

from collections.abc import Collection, Sequence

import polars as pl

from relprobe.core.series import Positions, short_number
from relprobe.stats.controls import owner

SERIES = pl.Schema(
    {
        "axis": pl.String(),  # step, tokens, size or layer (core.series.AXES)
        "series": pl.String(),
        "agent": pl.String(),
        "place": pl.Float64(),  # on the axis; none of people and controls, who have one value for all places
        "label": pl.String(),  # the place as it is written
        "variant": pl.String(),  # raw; mapped, shuffled or untrained, of a layer; people; or control
        "metric": pl.String(),
        "condition": pl.String(),
        "value": pl.Float64(),
        "low": pl.Float64(),  # lower bound of the 95 % interval
        "high": pl.Float64(),
        "units": pl.UInt32(),
    }
)


def as_series(rows: pl.DataFrame, axis: str, name: str, schema: pl.Schema = SERIES) -> pl.DataFrame:
    """Return rows as those of a series (SERIES, or a study's own schema like it)."""
    return rows.with_columns(axis=pl.lit(axis), series=pl.lit(name)).select(list(schema)).cast(schema)  # type: ignore[arg-type]


def member_values(averages: pl.DataFrame, positions: Positions) -> pl.DataFrame:
    """Return the values of the members of a series, in their order. `averages`: those of agents, none of them null."""
    labels = {agent: short_number(axis_value) for agent, axis_value in positions.items()}
    order = pl.col("agent").cast(pl.Enum(list(positions)))
    rows = averages.filter(pl.col("agent").is_in(list(positions))).sort(order, maintain_order=True)
    return rows.with_columns(
        place=pl.col("agent").replace_strict(positions, return_dtype=pl.Float64),
        label=pl.col("agent").replace_strict(labels, return_dtype=pl.String),
        variant=pl.lit("raw"),
    )


def layer_values(rows: pl.DataFrame) -> pl.DataFrame:
    """Return the values of an agent after its layers, from the first to the last (averages with layer and variant)."""
    valued = rows.drop_nulls("value").sort("variant", "layer", maintain_order=True)
    return valued.with_columns(place=pl.col("layer").cast(pl.Float64), label=pl.col("layer").cast(pl.String))


def people_values(averages: pl.DataFrame, people: Collection[str]) -> pl.DataFrame:
    """Return the values of the first of these agents who have any."""
    present = [agent for agent in people if agent in set(averages["agent"])]
    return _rows_without_place(averages.filter(pl.col("agent").is_in(present[:1])), "people")


def best_control_values(
    averages: pl.DataFrame, controls: Sequence[str], member: str, groups: Sequence[str]
) -> pl.DataFrame:
    """Return the values of the control that has the highest one, of each metric and groups; of equal ones the first.

    `member`: the agent that meets the controls; those of another model alone (`controls.owner`) do not count.
    """
    met = [control for control in controls if owner(control) in (None, member)]
    order = pl.col("agent").cast(pl.Enum(met))
    rows = averages.filter(pl.col("agent").is_in(met)).sort(order, maintain_order=True)
    ranked = rows.sort("value", descending=True, maintain_order=True)
    return _rows_without_place(ranked.unique(["metric", *groups], keep="first", maintain_order=True), "control")


def _rows_without_place(rows: pl.DataFrame, variant: str) -> pl.DataFrame:
    """Return rows that have no place on the axis."""
    return rows.with_columns(place=pl.lit(None, pl.Float64), label=pl.lit(None, pl.String), variant=pl.lit(variant))


def layer_series(
    layers: pl.DataFrame,
    averages: pl.DataFrame,
    controls: Sequence[str],
    people: Collection[str] = (),
    groups: Sequence[str] = ("condition",),
    schema: pl.Schema = SERIES,
) -> pl.DataFrame:
    """Return the values after the layers of each agent, with those of people and of its best control (`schema`).

    `layers`: averages with the columns layer and variant; `averages`: of all other agents. A series has the agent's name.

    >>> one = {"metric": "rho", "condition": "test", "low": None, "high": None, "units": 9}
    >>> gpt_row = {"agent": "gpt", "variant": "raw", **one}
    >>> layers = pl.DataFrame([{"layer": layer, "value": layer / 4, **gpt_row} for layer in (2, 0)])
    >>> averages = pl.DataFrame([{"agent": "random", "value": 0.125, **one}])
    >>> layer_series(layers, averages, ["random"]).select("series", "agent", "place", "variant", "value").rows()
    [('gpt', 'gpt', 0.0, 'raw', 0.0), ('gpt', 'gpt', 2.0, 'raw', 0.5), ('gpt', 'random', None, 'control', 0.125)]
    """
    valued = averages.drop_nulls("value")
    parts = [pl.DataFrame(schema=schema)]
    for agent, values in agent_averages(layers).items():
        best = best_control_values(valued, controls, agent, groups)
        rows = pl.concat([layer_values(values), people_values(valued, people), best], how="diagonal")
        parts.append(as_series(rows.filter(pl.col("metric").is_in(values["metric"])), "layer", agent, schema))
    return pl.concat(parts)


def agent_averages(layers: pl.DataFrame | None) -> dict[str, pl.DataFrame]:
    """Return the averages of each agent with layers."""
    if layers is None:
        return {}
    return {str(agent): rows for (agent,), rows in layers.group_by("agent", maintain_order=True)}
