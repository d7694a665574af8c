"""The tables of agents with layers, for studies whose layers are no answers but vectors: values, tests and half-depths."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from typing import Literal

import polars as pl

from relprobe.core.metric import Metric
from relprobe.core.series import SeriesOf
from relprobe.core.unmade import table_or_reason
from relprobe.stats.averages import averages as averages_of
from relprobe.stats.samples import Tables
from relprobe.stats.series.half import Controls, half_depths
from relprobe.stats.series.layered import join_layers, last_layer_tests, plain_names, series_of_layers, split_layers
from relprobe.stats.series.references import layer_series
from relprobe.stats.series.tables import against_last, trends

CONDITION = "condition"


def layer_tables(
    layered: Mapping[str, pl.DataFrame],
    controls: Mapping[str, pl.DataFrame],
    averages: pl.DataFrame,
    metrics: Sequence[Metric],
    *,
    tested: Sequence[str],
    chance: Mapping[str, float],
    reader: str | None = None,
    targets: Literal["common", "own"] = "common",
    links: Tables | None = None,
) -> dict[str, pl.DataFrame]:
    """Return the tables layers, trends, against_last, halves and series of agents with layers.

    `layered`: agent -> values of its `metrics` by condition, with LAYER_COLUMNS; `controls`: agent -> values of
    the same form without these, and maybe of more metrics; `averages`: AVERAGES, of the controls at least. `tested`: the
    conditions that tests are about; p of trends is adjusted for their number. `chance`: metric -> what guessing gets; the
    half-depth of these metrics is where half of what the last layer has beyond that is reached. Other metrics have no
    half-depth. `reader`: what reads the states. `links`: what items share, of metrics that name links (`samples.samples`).
    A table that cannot be made says why (core/unmade.py).
    """
    values, series = split_layers(layered), series_of_layers(layered)
    names = [metric.name for metric in metrics]
    is_tested = pl.col(CONDITION).is_in(list(tested)) & pl.col("metric").is_in(names)
    layer_values, control_values = (
        {agent: table.filter(is_tested) for agent, table in tables.items()} for tables in (values, controls)
    )

    @cache
    def layer_averages() -> pl.DataFrame:
        return join_layers(averages_of(values, metrics, targets=targets, links=links))

    def halves() -> pl.DataFrame:
        tests = last_layer_tests(layer_values, series, control_values, metrics, links=links)
        beaten = Controls(tests, averages, list(controls))
        return _halves(layer_values, series, metrics, chance, beaten, reader, links)

    def values_along() -> pl.DataFrame:
        control_averages = averages.filter(pl.col("agent").is_in(list(controls)))
        return layer_series(layer_averages(), control_averages, list(controls))

    makers: dict[str, Callable[[], pl.DataFrame]] = {
        "layers": layer_averages,
        "trends": partial(trends, layer_values, series, metrics, links=links),
        "against_last": partial(against_last, layer_values, series, metrics, links=links),
        "halves": halves,
        "series": values_along,
    }
    return {name: table_or_reason(name, _with_plain_names, make) for name, make in makers.items()}


def _with_plain_names(make: Callable[[], pl.DataFrame]) -> pl.DataFrame:
    return plain_names(make())


def _halves(
    values: Mapping[str, pl.DataFrame],
    series: SeriesOf,
    metrics: Sequence[Metric],
    chance: Mapping[str, float],
    controls: Controls,
    reader: str | None,
    links: Tables | None,
) -> pl.DataFrame:
    """Return the half-depths (HALVES) of what is beyond chance; the means in the table are those of the metric."""
    level = pl.col("metric").replace_strict(chance, default=0.0, return_dtype=pl.Float64)
    beyond = {
        agent: table.filter(pl.col("metric").is_in(list(chance))).with_columns(pl.col("value") - level)
        for agent, table in values.items()
    }
    averages = controls.averages.with_columns(pl.col("value") - level)
    met = Controls(controls.tests, averages, controls.names)
    table = half_depths(
        beyond, series, metrics, readers=dict.fromkeys(series, reader) if reader else None, controls=met, links=links
    )
    return table.with_columns(pl.col("value_last", "value_highest", "control_value") + level)
