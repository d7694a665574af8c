"""The layers of a network as series: each layer of an agent is averaged and tested as an agent of its own."""

from collections.abc import Iterable, Mapping, Sequence

import polars as pl

from relprobe.core.metric import Metric
from relprobe.core.series import SeriesOf
from relprobe.stats.comparisons import paired_tests
from relprobe.stats.samples import Tables
from relprobe.stats.schemas import LAYER_COLUMNS, RAW, TESTS, AgentKind, with_groups

AT = "@"
"""What parts the names of an agent, a variant and a layer; names of agents do not contain it."""
TESTED = ("mapped", RAW)
"""The variants of a layer that are tested; the maps of shuffled pairs, and from an untrained network, are controls."""


def split_layers(layered: Mapping[str, pl.DataFrame]) -> dict[str, pl.DataFrame]:
    """Return the values of each agent, variant and layer, as if they were agents, from the first layer to the last.

    `layered`: agent -> values with LAYER_COLUMNS.

    >>> rows = [("soundness", "cat", 2, "raw", 0.5), ("soundness", "cat", 0, "raw", 0.25)]
    >>> table = pl.DataFrame(rows, schema=["metric", "target", "layer", "variant", "value"], orient="row")
    >>> {name: one["value"].to_list() for name, one in split_layers({"gpt": table}).items()}
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


def join_layers(averages: pl.DataFrame) -> pl.DataFrame:
    """Return averages of agents of one layer with the columns agent, layer and variant in place of their names.

    >>> join_layers(pl.DataFrame({"agent": ["gpt@raw@3"], "value": [0.5]})).rows()
    [('gpt', 3, 'raw', 0.5)]
    """
    names = pl.col("agent").str.split(AT)
    layer, variant = names.list.get(2).cast(LAYER_COLUMNS["layer"]), names.list.get(1)
    return averages.select(agent=names.list.get(0), layer=layer, variant=variant, **_rest(averages))


def _rest(averages: pl.DataFrame) -> dict[str, pl.Expr]:
    return {name: pl.col(name) for name in averages.columns if name != "agent"}


def series_of_layers(layered: Mapping[str, pl.DataFrame]) -> dict[str, dict[str, float]]:
    """Return the layers of each agent and variant that is tested: name of the series -> agents of one layer, and layers.

    An agent with a map has two series, and another one its own name.
    """
    series: dict[str, dict[str, float]] = {}
    for agent, table in layered.items():
        variants = [variant for variant in TESTED if variant in set(table["variant"])]
        for variant in variants:
            layers = table.filter(variant=variant)["layer"].unique().sort().to_list()
            name = agent if len(variants) == 1 else f"{agent}, {variant}"
            series[name] = {name_of(agent, variant, layer): float(layer) for layer in layers}
    return {name: members for name, members in series.items() if len(members) > 1}


def last_layer_tests(
    values: Mapping[str, pl.DataFrame],
    series: SeriesOf,
    controls: Mapping[str, pl.DataFrame],
    metrics: Iterable[Metric],
    groups: Sequence[str] = ("condition",),
    *,
    links: Tables | None = None,
) -> pl.DataFrame:
    """Compare the last layer of each series with the controls (TESTS with the `groups`).

    `values`: agent of one layer -> its values, as `split_layers` makes them; `controls`: agent -> values. The other
    arguments are those of `comparisons.paired_tests`.
    """
    tested_metrics = list(metrics)
    columns = next(iter({**values, **controls}.values())).schema
    parts = [pl.DataFrame(schema=with_groups(TESTS, columns, groups))]
    for members in series.values() if controls else ():
        last = list(members)[-1]
        kinds: dict[str, AgentKind] = {last: "model", **dict.fromkeys(controls, "control")}
        last_and_controls = {last: values[last], **controls}
        tests = paired_tests(last_and_controls, tested_metrics, groups, kinds=kinds, links=links)
        parts.append(tests.select(parts[0].columns))
    return pl.concat(parts)


def plain_names(table: pl.DataFrame) -> pl.DataFrame:
    """Return a table with the names of agents in place of those of their layers, in the columns agent and last.

    >>> plain_names(pl.DataFrame({"agent": ["gpt@raw@3"], "last": ["gpt@raw@9"], "place": [3.0]})).row(0)
    ('gpt', 'gpt', 3.0)
    """
    named = [name for name in ("agent", "last") if table.schema.get(name) == pl.String()]
    return table.with_columns(pl.col(name).str.split(AT).list.get(0) for name in named)
