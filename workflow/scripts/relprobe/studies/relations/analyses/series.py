"""Agents in an order: the sizes of a family, the checkpoints of a training, and the layers of an agent.

```yaml
may_lack:
  sizes: a family with models of two sizes
  series: checkpoints of a training
  checkpoints: checkpoints of a training that are asked after each of their layers (layers)
  ordered: "an order: checkpoints of a training, a family with models of two sizes, or layers of an agent (layers)"
words:
  panel: >-
    A panel per relation. The black line is people, with their 95 % interval as a band; the grey dashed line is the best
    control.
  distances: >-
    A panel per prompted relation r, and in it a line per other relation s: how much earlier relata of r come than those
    of s, D(r, s) *(Eq. 26 of the paper)*. A line near 0 is a confusion.
  size_line: >-
    A line joins the models of a family, whose name is at its end, from the smallest to the largest, on a logarithmic
    axis: one that falls is a smaller model that does better than a larger *(section 8.6 of the paper)*. Families of one
    size are not shown.
  training_line: >-
    A line joins the checkpoints of a training (series and step in the config, or revisions), which are asked in one
    way. The axis is logarithmic; it shows tokens where the names of all checkpoints say these (step1000-tokens4B), and
    else steps.
  states: >-
    Answers after each layer of an agent with `layers`; layer 0 are the embeddings, and the last layer is the model as
    it is. Dotted: the states of a layer go to the last layer's norm and head as they are. Solid: a linear map brings
    them to those of the last layer before. The map is fitted on other text, and it learns: it shows what a linear map
    can find in a layer, not what the model uses there. It has three controls: the same map of shuffled pairs (grey,
    dash-dotted), the same map from the layers of an untrained network of the same shape, which says what the map and
    the words of the prompt give without what training has put into the layers (grey, long dashes), and layer 0.
```

## $title and the size of models

```yaml
figure: size_$metric
each: metrics
values: series
needs: [sizes, $needs]
part: Along sizes, training and layers
```

$panel

$size_line

## AuDC and the size of models

```yaml
figure: size_audc
values: series
needs: [sizes]
part: Along sizes, training and layers
```

$panel

$size_line

## Distances between relations and the size of models

```yaml
figure: size_distinguishability
values: series
needs: [sizes]
part: Along sizes, training and layers
```

$distances

$size_line

## $title over training

```yaml
figure: training_$metric
each: metrics
values: series
needs: [series, $needs]
part: Along sizes, training and layers
```

$panel

$training_line

## AuDC over training

```yaml
figure: training_audc
values: series
needs: [series]
part: Along sizes, training and layers
```

$panel

$training_line

## Distances between relations over training

```yaml
figure: training_distinguishability
values: series
needs: [series]
part: Along sizes, training and layers
```

$distances

$training_line

## $title after each layer

```yaml
figure: layers_$metric
each: [{metric: soundness, title: Soundness}, {metric: completeness, title: Completeness}]
values: series
needs: [layers]
part: Along sizes, training and layers
```

$panel

$states

## Distances between relations after each layer

```yaml
figure: layers_distinguishability
values: series
needs: [layers]
part: Along sizes, training and layers
```

$distances

$states

## $title over training and layers

```yaml
figure: training_layers_$metric
each: [{metric: soundness, title: Soundness}, {metric: completeness, title: Completeness}]
values: series
needs: [layers, checkpoints]
part: Along sizes, training and layers
```

A row per checkpoint of a training that is asked layer by layer, the first at the bottom, and a column per layer; the
darker, the higher. The answers are those after the map, as in the solid lines of the figure of layers.
## Does a series rise or fall?

```yaml
table: trends
needs: [ordered]
part: Along sizes, training and layers
empty: No series has two members with values of the same units.
columns:
  first: the place of the first member, such as its training step
  last: the place of the last member
  members: the number of members
  value_first: the mean of the first member
  value_last: the mean of the last member
  slope: by how much the mean changes from one member to the next
  detectable: the smallest slope that is found in 80 of 100 such studies, adjusted as p_holm
```

A series is a number of agents in an order: the checkpoints of a training, the models of a family by their size, or
the layers of an agent. The slope says by how much a target's value changes on average from one member to the next.

Checkpoints are those of series and step in the config, or of revisions; layers are raw and mapped. For symmetry and
asymmetry the slope is of a pair's or tuple's value. All members are averaged over the units that they all have. low
and high: the 95 % interval of the slope over clusters; p: as in the tests between agents, and none below six
clusters; p_holm is over the relations of a series, metric and k.

## Where is half of the last value reached?

```yaml
table: halves
needs: [ordered]
part: Along sizes, training and layers
empty: No series has two members with values of the same units.
columns:
  reader: "what reads the layers: the head alone, or a linear map to the last layer and the head"
  members: the number of members
  value_last: the mean of the last member
  value_highest: the highest mean of a member
  highest_at: the place of this member
  control: the control that is best over all targets
  control_value: its mean over all targets
  half: between which members half of the last mean is reached first
  half_at: where the line that is drawn between these two reaches it
```

The two members, such as layers, between which a series first reaches half of the last member's mean. There is a place
only where the last member is above the first (95 % interval) and above each control.

What is between the two members is not known: half_at is where the line that is drawn from one to the other reaches it
(between two checkpoints or sizes by the logarithm). low and high: the members that the 95 % interval begins and ends
at, from the intervals of each member's mean less half of the last, over clusters. It is for one reader, whose fit is
held fixed: another reader may find half elsewhere. It is half of the last mean, with which the model itself answers,
and not of the highest: value_highest is chosen from all members, and so too high by chance. The last member is above
a control where p_holm of the two is below 0.05, and the lower bound of its mean is above the control's mean over all
targets of the study.

## Which members of a series differ from its last?

```yaml
table: against_last
part: Tests
needs: [ordered]
empty: No series has two members with values of the same units.
columns:
  place: the place of the member, such as its training step
  last: the last member of the series
  value_last: the mean of the last member
  difference: the member minus the last
  p_max_t: p, adjusted for the number of members by the step-down max-T method
  detectable: the smallest difference that is found in 80 of 100 such studies; it is that of Holm's method, and max-T
    finds it, too
```

Each member of a series against the last one, on the units that all members have. difference: the member minus the
last; p: sign flips over clusters; p_max_t is adjusted for the number of members by the step-down max-T method
(Westfall and Young), which knows how alike they are, or where targets are linked by Holm's.

A member differs if p_max_t is below 0.05. Where it is not, the member may differ all the same: the data leave differences
open that are smaller than `detectable`. Among the models, the last member represents its series.

## All values along series

```yaml
table: series
part: Tests
needs: [ordered]
empty: No member of a series has a value.
columns:
  place: the place of the member, such as its training step; missing of people and controls
  label: the place, as the figures write it
  variant: "raw: the member's own answers; mapped, shuffled and untrained: of a layer after a map; people; control"
  low: lower bound of the 95 % interval; missing for distances, which have none, and where all values are alike
  high: upper bound of the 95 % interval; missing for distances, which have none, and where all values are alike
```

What the figures along series show: a row per member, metric and relation, over the study's units. The rows without a
place are people, and the control with the highest value of those that the last member meets.

## Layer by layer

```yaml
table: layers
part: Choices and prompts
needs: [layers]
columns:
  layer: "the layer: 0 is the embeddings, the greatest the last layer"
  variant: "raw, mapped, shuffled or untrained: what comes between the layer and the head"
  metric: the metric; distinguishability is the distance between the two relations
```

Agents that are asked after each of their layers (layers): soundness, completeness, and distinguishability as the
distance between two relations. raw: the head reads the states of the layer as they are; a low value says that it
cannot read them, and not that the layer lacks the answer.

mapped: a linear map from the layer to the last one, which was fitted on other sentences, comes first; it learns, so
its values say what a linear reader finds in the layer, and not what the network uses (Hewitt and Liang 2019). Three
controls: layer 0, the embeddings, which know the last token of the prompt alone; shuffled, a map that was fitted on
pairs that do not belong together; and untrained, the same map from the layers of an untrained network of the same
shape (relations.layers.untrained).
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Annotated, Any, Literal

import matplotlib as mpl
import polars as pl
from matplotlib.figure import Figure

from relprobe.core.files import ShownTables, parquet
from relprobe.core.manifest import same_weights
from relprobe.core.relation import Relations
from relprobe.core.series import AXES, Positions, SeriesOf
from relprobe.core.study import Config, Roles
from relprobe.core.unmade import table_or_reason, tables_or_reasons
from relprobe.core.words import first_few
from relprobe.report.figures import (
    AgentStyles,
    Exhibits,
    Figures,
    cells,
    line_colour,
    lines_along,
    mark,
    nothing_to_draw,
    panels,
    part_colours,
    short,
)
from relprobe.report.words.series import along_in_words
from relprobe.stats.averages import averages
from relprobe.stats.notes import join_note_columns, join_notes
from relprobe.stats.schemas import LAYER_COLUMNS, with_groups
from relprobe.stats.series import references
from relprobe.stats.series import tables as series_tests
from relprobe.stats.series.half import Controls, half_depths
from relprobe.stats.series.layered import (
    TESTED,
    join_layers,
    last_layer_tests,
    plain_names,
    series_of_layers,
    split_layers,
)
from relprobe.stats.side_by_side import AgentComparison
from relprobe.studies.relations.addresses import answers
from relprobe.studies.relations.averages import GROUPS, Design, averages_of, design_of, linked_by, plain
from relprobe.studies.relations.distances import audc_label
from relprobe.studies.relations.figures import Drawing, FigureData
from relprobe.studies.relations.measures import AUDC, DISTINGUISHABILITY, MEASURES, with_figures
from relprobe.studies.relations.method import GoldStandard
from relprobe.studies.relations.schemas import AVERAGES, TESTS, Averages, LayerMetrics, Metrics, Pairs, Relata, Tests

PLACE = 8


def has(config: Config, roles: Roles) -> dict[str, bool]:
    """Return whether agents are in an order, and in which."""
    from relprobe.studies.relations.run import Agents

    agents, trained = Agents(config, roles), {"step", "tokens"}
    return {
        # Where no family has two sizes there is nothing to see; the table left_out says so.
        "sizes": "size" in agents.series,
        "series": bool(trained & {*agents.series, *agents.series_of_layered}),
        "checkpoints": bool(trained & set(agents.series_of_layered)),
        "ordered": bool(agents.series or roles.layered),
    }


# What the step `series` reads.


@dataclass(frozen=True, kw_only=True)
class SeriesFiles:
    """The files of members of series, and of what stands beside them; None: this run has none of them.

    `pairs`: the pairs of relations that AuDC counts. `tests`, `averages`: those of all agents. `metrics_of_members`: agent
    -> its values, of the members that are agents, and `manifests` of the models behind them. `metrics_by_layer`: agent ->
    its values after each of its layers; `blind` and `people_metrics`: the values of the controls beside these, and those of
    the persons whose targets they are averaged over.
    """

    gold: GoldStandard
    pairs: Pairs
    tests: Tests
    averages: Averages
    metrics_of_members: dict[str, Metrics] | None = None
    manifests: list[Path] | None = None
    metrics_by_layer: dict[str, LayerMetrics] | None = None
    blind: dict[str, Metrics] | None = None
    people_metrics: dict[str, Metrics] | None = None


@dataclass(frozen=True, kw_only=True)
class SeriesSettings:
    """What the configuration says of series.

    `along`: axis -> name of a series -> its members, each with its place, such as its training step; `checkpoints`: the same
    of agents with layers. `networks`: agent -> its model. `people`, `controls`: the agents that are these. `targets`: those
    of the study (common), or those that each agent has (own). `map_text`: what the maps of the layers are fitted on.
    """

    along: dict[str, Any]
    networks: dict[str, str]
    checkpoints: dict[str, Any] | None = None
    people: list[str] | None = None
    controls: list[str]
    targets: Literal["common", "own"] = "common"
    map_text: str = "none"


# Averages after each layer of an agent, for which each layer is an agent of its own (stats/series/layered.py).


LAYER_AVERAGES = pl.Schema({"agent": AVERAGES["agent"], **LAYER_COLUMNS, **AVERAGES})
LayerAverages = Annotated[pl.DataFrame, parquet(LAYER_AVERAGES)]


def averages_of_layers(
    layered: Mapping[str, pl.DataFrame],
    targets: Literal["common", "own"],
    *,
    relations: Relations,
    design: Design,
    pairs: pl.DataFrame | None = None,
) -> pl.DataFrame:
    """Return the averages after each layer (LAYER_AVERAGES), made as those of all agents are (compare.averages).

    `layered`: agent -> LAYER_METRICS.
    """
    comparing = AgentComparison([], targets=targets)
    table = averages_of(split_layers(layered), comparing, relations=relations, design=design, pairs=pairs)
    return join_layers(table).cast(LAYER_AVERAGES).select(list(LAYER_AVERAGES))  # type: ignore[arg-type]


# The values along all series in one table, such as checkpoints and sizes, with people and controls beside them.


SERIES = with_groups(references.SERIES, AVERAGES, ["relation", "versus", "k"])
"""Of distances, versus is the relation that is told apart."""
DRAWN = (*(measure.name for measure in with_figures()), AUDC.name, DISTINGUISHABILITY.name)
"""The metrics that are drawn along series."""
SERIES_GROUPS = ("relation", "versus", "k")


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
    values = averages.drop_nulls("value").filter(pl.col("metric").is_in(DRAWN))
    drawn = None if layers is None else layers.filter(pl.col("metric").is_in(DRAWN))
    values = pl.concat(
        [values, *(_last_layer(rows) for rows in references.agent_averages(drawn).values())], how="diagonal"
    )
    parts = [pl.DataFrame(schema=SERIES)]
    for axis, axis_series in [*along.items(), *(checkpoints or {}).items()]:
        for name, positions in axis_series.items():
            best = references.best_control_values(values, list(controls), list(positions)[-1], SERIES_GROUPS)
            rows = pl.concat(
                [references.member_values(values, positions), references.people_values(values, people), best]
            )
            parts.append(references.as_series(rows, axis, name, SERIES))
    if drawn is not None:
        parts.append(references.layer_series(drawn, values, list(controls), people, SERIES_GROUPS, SERIES))
    order = [pl.col(name).cast(relations.order) for name in ("relation", "versus")]
    metric = pl.col("metric").cast(pl.Enum(DRAWN))
    return pl.concat(parts).sort("axis", metric, *order, "k", "series", maintain_order=True)


def _last_layer(rows: pl.DataFrame) -> pl.DataFrame:
    """Return the values of an agent after its last layer, as averages of the agent."""
    last = rows.filter(pl.col("layer") == pl.col("layer").max(), variant="raw").drop("layer", "variant")
    return last.drop_nulls("value")


# The tests of series, such as the checkpoints of a training or the sizes of a family of models.


Along = Mapping[str, SeriesOf]
"""Axis (core.series.AXES) -> its series."""


TREND_TABLES = ("trends", "against_last", "halves")
"""The tables of `trends`."""


def trends(files: SeriesFiles, settings: SeriesSettings) -> ShownTables:
    """Test the trend of each series, and each member against the last, and say where half of the last value is reached.

    The notes of the table trends say which members have the same weights. The layers of an agent are a series, too, whose
    last one is compared with the controls `blind`. See `trend_tables`.
    """
    manifest_by_model = {path.stem: path for path in files.manifests or []}
    doubled = same_weights({agent: manifest_by_model[model] for agent, model in settings.networks.items()})
    layered, blind, relata = files.metrics_by_layer or {}, files.blind or {}, files.gold.relata
    layers = series_of_layers(layered)
    values = {**(files.metrics_of_members or {}), **split_layers(layered)}
    along = {**settings.along, **({"layer": layers} if layers else {})}
    ends = last_layers_with_controls(values, layers, blind, relata).cast(files.tests.schema)  # type: ignore[arg-type]
    tests = pl.concat([files.tests, ends])
    control_averages = averages(plain(blind), MEASURES, GROUPS, links=linked_by(relata).links) if blind else None
    readers = readers_of(layered, settings.map_text)
    tables = trend_tables(
        values, along, doubled, relata, files.gold.relations, tests, settings.controls, control_averages, readers
    )
    return {name: plain_names(table) for name, table in tables.items()}


def readers_of(layered: Mapping[str, pl.DataFrame], map_text: str) -> dict[str, str]:
    """Return what reads the layers of each series (`series_of_layers`): the head alone, or a map and the head.

    >>> readers_of({"gpt": pl.DataFrame({"variant": ["mapped", "raw"], "layer": [0, 0]})}, "wordnet")
    {'gpt, mapped': 'a linear map fitted on wordnet, and the head', 'gpt, raw': 'the head alone'}
    """
    descriptions = {"mapped": f"a linear map fitted on {map_text}, and the head", "raw": "the head alone"}
    readers: dict[str, str] = {}
    for agent, table in layered.items():
        variants = [variant for variant in TESTED if variant in set(table["variant"])]
        readers |= {
            agent if len(variants) == 1 else f"{agent}, {variant}": descriptions[variant] for variant in variants
        }
    return readers


def last_layers_with_controls(
    values: Mapping[str, pl.DataFrame], layers: SeriesOf, blind: Mapping[str, pl.DataFrame], relata: pl.DataFrame
) -> pl.DataFrame:
    """Compare the last layers with the controls `blind` (TESTS). `values`: agents of one layer, and others -> METRICS."""
    if not layers or not blind:
        return pl.DataFrame(schema=TESTS)
    links = linked_by(relata).links
    return last_layer_tests(plain(values), layers, plain(blind), MEASURES, GROUPS, links=links).select(list(TESTS))


def trend_tables(
    metrics: Mapping[str, Metrics],
    along: Along,
    doubled: Sequence[Sequence[str]],
    relata: Relata,
    relations: Relations,
    tests: Tests,
    controls: Sequence[str] = (),
    control_averages: pl.DataFrame | None = None,
    readers: Mapping[str, str] | None = None,
) -> dict[str, pl.DataFrame]:
    """Return the tables trends, against_last and halves of the metrics with a test (stats/series).

    `metrics`: agent -> METRICS. `along`: axis -> name of a series -> the agents in their order, each with its place, such as
    its training step. `doubled`: the groups of members that have the same weights. Targets that share a relatum (`relata`)
    are linked. `tests` (TESTS) say what the last members have beyond the `controls`; `control_averages`: those of these over
    all targets, where the members were asked fewer. `readers`: series -> what reads its layers.
    """
    links = linked_by(relata).links
    values = plain(metrics)
    met = Controls(tests, pl.DataFrame(schema=AVERAGES) if control_averages is None else control_averages, controls)

    def rises(_: str, series: SeriesOf) -> pl.DataFrame:
        table = series_tests.trends(values, series, MEASURES, GROUPS, over="relation", links=links)
        return _with_weights(table, series, doubled)

    def differences(_: str, series: SeriesOf) -> pl.DataFrame:
        return series_tests.against_last(values, series, MEASURES, GROUPS, links=links)

    def halves(axis: str, series: SeriesOf) -> pl.DataFrame:
        return half_depths(values, series, MEASURES, GROUPS, axis=axis, readers=readers, controls=met, links=links)

    def axis_table(make: Callable[[str, SeriesOf], pl.DataFrame]) -> pl.DataFrame:
        parts = [make(axis, series).select(pl.lit(axis).alias("axis"), pl.all()) for axis, series in along.items()]
        relation = pl.col("relation").cast(relations.order)
        return pl.concat(parts).sort("axis", "series", "metric", relation, "k", maintain_order=True)

    makers = dict(zip(TREND_TABLES, (rises, differences, halves), strict=True))
    return {name: table_or_reason(name, axis_table, make) for name, make in makers.items()}


def _with_weights(table: pl.DataFrame, series: SeriesOf, doubled: Sequence[Sequence[str]]) -> pl.DataFrame:
    """Add to the notes of the trends which members have the same weights."""
    notes = {name: _weights_note(positions, doubled) for name, positions in series.items()}
    weights = pl.col("series").replace_strict(notes, return_dtype=pl.String)
    return table.with_columns(note=join_note_columns("note", weights))


def _weights_note(positions: Positions, doubled: Sequence[Sequence[str]]) -> str | None:
    """Return the note on members of a series that have the same weights, if there are any."""
    groups = [[agent for agent in positions if agent in group] for group in doubled]
    return join_notes(f"{first_few(group)} have the same weights" for group in groups if len(group) > 1)


# The figures along series: over training, over the sizes of models (section 8.6), and over layers.


def draw_along(
    table: pl.DataFrame, axes: Sequence[str], metric: str, k: int | None, *, relations: Relations, styles: AgentStyles
) -> Figure | None:
    """Draw a metric along the series of some axes (SERIES): a panel per relation, a line per series.

    In a panel of distances, a line leads through the distances of its relation from each other one. Where layers have
    answers after a map, these are solid lines, the raw answers dotted ones, and those after the map of shuffled pairs grey
    and dash-dotted, and those after the map from an untrained network grey with long dashes. The grey dashed line is the
    best control, the black one people, with their interval as a band. None: no member has a value.
    """
    rows = table.filter(pl.col("axis").is_in(axes), pl.col("metric") == metric, pl.col("k").eq_missing(k))
    rows = rows.with_columns(pl.col("versus").replace(relations.names))
    codes = [code for code in (*relations.codes, None) if code in set(rows.drop_nulls("place")["relation"])]
    if not codes:
        return None
    titles = {code: relations.names[code] if code else "all relations" for code in codes}
    distances = metric == DISTINGUISHABILITY.name
    figure = lines_along(
        [(title, rows.filter(pl.col("relation").eq_missing(code))) for code, title in titles.items()],
        styles,
        colours=dict(zip(relations.names.values(), map(line_colour, part_colours(len(relations.codes))), strict=True)),
        references=not distances,
        address=lambda row: answers(row["agent"], row["relation"], k=1),
    )
    cutoff = "" if k is None else f" (k = {k})"
    pairs = audc_label(rows, relations) if metric == AUDC.name else f"{metric}{cutoff}"
    figure.supylabel(f"{pairs}, D(r, s)" if distances else pairs)
    return figure


def over_training_and_layers(table: pl.DataFrame, metric: str, *, relations: Relations) -> Figure | None:
    """Draw a metric of checkpoints after each layer as a table of colours: a panel per relation, a row per checkpoint.

    The rows go from the first checkpoint, at the bottom, to the last, and the columns from the first layer to the last. The
    answers are those after the map or, where no layer has one, the raw ones. None: no checkpoint has layers.
    """
    steps = table.filter(pl.col("axis").is_in(["step", "tokens"])).drop_nulls("place")
    checkpoints = dict(steps.unique("agent", maintain_order=True).sort("place").select("agent", "label").rows())
    rows = table.filter(
        pl.col("metric") == metric, pl.col("axis") == "layer", pl.col("agent").is_in(list(checkpoints))
    ).drop_nulls("place")
    rows = rows.filter(variant="mapped" if "mapped" in set(rows["variant"]) else "raw")
    codes = [code for code in relations.codes if code in set(rows["relation"])]
    if not codes:
        return None
    agents = [agent for agent in reversed(checkpoints) if agent in set(rows["agent"])]
    layers = sorted(set(rows["place"]))
    high = float(rows.select(pl.col("value").max()).item()) or 1.0
    figure, drawn = panels([relations.names[code] for code in codes], len(agents) + 2)
    for panel, code in zip(drawn, codes, strict=True):
        values = {
            (row["agent"], row["place"]): row["value"] for row in rows.filter(relation=code).iter_rows(named=True)
        }
        grid = [[values.get((agent, layer)) for layer in layers] for agent in agents]
        texts = [["" if value is None or len(layers) > 12 else short(value) for value in line] for line in grid]
        for agent, line in zip(agents, cells(panel, grid, "Blues", (0, high), texts), strict=True):
            for cell in line:
                mark(cell, agent)
        panel.set_xticks(range(len(layers)), [f"{layer:.0f}" for layer in layers], fontsize="small")
        panel.set_yticks(range(len(agents)), [checkpoints[agent] for agent in agents], fontsize="small")
    shades = mpl.cm.ScalarMappable(mpl.colors.Normalize(0, high), "Blues")
    figure.colorbar(shades, ax=drawn, label=metric, fraction=0.08, aspect=30)
    figure.supxlabel(AXES["layer"])
    figure.supylabel(AXES[steps["axis"][0]])
    return figure


AXES_OF = {"size": ("size",), "training": ("step", "tokens"), "layers": ("layer",)}
"""First word of the name of a figure along series -> its axes."""
WITH_CUTOFFS = {measure.name for measure in MEASURES if measure.cutoffs}


def draw(kind: str, metric: str, shown: FigureData) -> Figure:
    """Draw a metric along the series of a kind (AXES_OF), or a sentence where no member has a value."""
    cutoff = shown.k if metric in WITH_CUTOFFS else None
    table, styles = shown.values["series"], shown.styles_of_series
    drawn = draw_along(table, AXES_OF[kind], metric, cutoff, relations=shown.relations, styles=styles)
    return drawn or nothing_to_draw(f"No member of a series has values of {metric}.")


def draw_training_and_layers(metric: str, shown: FigureData) -> Figure:
    """Draw a metric over training and layers at once, or a sentence where no checkpoint has a value."""
    drawn = over_training_and_layers(shown.values["series"], metric, relations=shown.relations)
    return drawn or nothing_to_draw(f"No checkpoint that is asked layer by layer has values of {metric}.")


FIGURES = {
    **{f"{kind}_{metric}": partial(draw, kind, metric) for kind in AXES_OF for metric in DRAWN},
    **{f"training_layers_{metric}": partial(draw_training_and_layers, metric) for metric in DRAWN},
}


def figures(drawing: Drawing, values: Mapping[str, pl.DataFrame]) -> Figures:
    """Yield the figures of this analysis, each with what draws it from the table of values."""
    shown = drawing.data(values)
    for name in drawing.names:
        yield name, partial(FIGURES[name], shown)


# All of these at once, as the step `series` writes them.


def make_exhibits(files: SeriesFiles, drawing: Drawing, settings: SeriesSettings) -> Exhibits:
    """Average agents after each layer, test agents along series (`trends`), list their values (`series_table`), and draw."""
    relations, layered = files.gold.relations, files.metrics_by_layer or {}

    @cache
    def layer_averages() -> pl.DataFrame:
        design = design_of(files.gold, (files.people_metrics or {}).values())
        return averages_of_layers(layered, settings.targets, relations=relations, design=design, pairs=files.pairs)

    def along_series() -> pl.DataFrame:
        people, controls, layers = settings.people or (), settings.controls, layer_averages() if layered else None
        return series_table(
            files.averages, settings.along, relations, people, controls, layers, settings.checkpoints or {}
        )

    values = {"series": table_or_reason("series", along_series)}
    tables = {"layers": table_or_reason("layers", layer_averages)} if layered else {}
    tables |= tables_or_reasons(TREND_TABLES, trends, files, settings) | values
    return Exhibits(tables, figures(drawing, values))


# The figures in words.


def words(name: str, tables: Mapping[str, pl.DataFrame]) -> str:
    """Return the values of a figure in words, with the names of relations; "" for another figure."""
    if "series" not in tables:
        return ""
    names = dict(tables["data"].select("relation", "name").iter_rows()) if "data" in tables else {}
    return series_in_words(
        name, tables["series"].with_columns(pl.col("relation", "versus").cast(pl.String).replace(names))
    )


def series_in_words(figure: str, table: pl.DataFrame) -> str:
    """Return in words where each series begins and ends, and what people and controls reach; "" for another figure.

    `figure`: the name of a figure, such as training_soundness. `table`: SERIES.

    >>> rows = [("step", "gpt", "1", "raw", "soundness", "HYP", 0.0), ("step", "gpt", "9K", "raw", "soundness", "HYP", 0.25)]
    >>> rows.append(("step", "gpt", None, "control", "soundness", "HYP", 0.125))
    >>> names = ["axis", "series", "label", "variant", "metric", "relation", "value"]
    >>> table = pl.DataFrame(rows, schema=names, orient="row").with_columns(agent=pl.lit("frequency"), versus=None, k=None)
    >>> series_in_words("training_soundness", table)
    'HYP: gpt from 0.000 (1) to 0.250 (9K), best control (frequency) 0.125.'
    """
    kind, _, metric = figure.partition("_")
    if metric.startswith("layers_"):  # over training and layers
        kind, _, metric = metric.partition("_")
    if kind not in AXES_OF:
        return ""
    rows = table.filter(pl.col("axis").is_in(AXES_OF[kind]), pl.col("metric") == metric)
    rows = rows.with_columns(pl.col("relation", "versus", "k").cast(pl.String))
    beginning = pl.concat_str(
        pl.col("relation").fill_null("all relations"),
        pl.when(pl.col("versus").is_not_null()).then(pl.format(" from {}", "versus")).otherwise(pl.lit("")),
        pl.when(pl.col("k").is_not_null()).then(pl.format(" (k = {})", "k")).otherwise(pl.lit("")),
    )
    return along_in_words(rows.with_columns(beginning=beginning), "beginning")
