"""How well the judge `embedding` does after each layer of a model.

```yaml
words:
  measured: >-
    How well the judge embedding, which takes the cosine of the two words' hidden states, does if it reads the states
    after each layer.
  units: the targets or pairs
  last_value: the last layer's value
```

## Average precision after each layer

```yaml
figure: layers_ap
values: series
needs: [layers]
part: Layer by layer
```

$measured

$layer_line

## Agreement with people's ratings after each layer

```yaml
figure: layers_rho
values: series
needs: [layers]
part: Layer by layer
```

$measured

$layer_line

## Layer by layer
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from relprobe.core.files import ShownTables
from relprobe.report.words.series import layers_in_words
from relprobe.stats.series.layer_tables import layer_tables
from relprobe.studies.pairs.measures import LAYERED, MEASURES
from relprobe.studies.pairs.results import FigureFiles, LayerResults, by_agent, with_names
from relprobe.studies.pairs.schemas import ALL

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from matplotlib.figure import Figure

    from relprobe.report.agent_styles import Styles

PLACE = 1
READER = "the judge embedding, by the cosine of two states"
"""What reads the states of a layer."""
CHANCE = {"rho": 0.0}
"""What judgments by chance get. Of average precision it depends on the number of foils, so that it has no half-depth."""
LABELS = {"ap": "Average precision (mean over targets)", "rho": "Spearman's ρ (over pairs)"}


def tables_of_layers(layers: LayerResults) -> ShownTables:
    """Average and test the metrics after each layer (`layer_tables`), against all foils. The controls are those of all."""
    metrics = [metric for metric in MEASURES if metric.name in LAYERED]
    values = {agent: _all_foils_rows(table) for agent, table in layers.values.items()}
    controls = (
        {agent: _all_foils_rows(table) for agent, table in by_agent(layers.controls).items()} if layers.controls else {}
    )
    tested = sorted({condition for table in values.values() for condition in table["condition"]})
    return layer_tables(
        values,
        controls,
        layers.averages.filter(foils=ALL).drop("foils"),
        metrics,
        tested=tested,
        chance=CHANCE,
        reader=READER,
        targets=layers.targets,
        links={"links": layers.links},
    )


def _all_foils_rows(table: pl.DataFrame) -> pl.DataFrame:
    return table.filter(pl.col("metric").is_in(LAYERED), foils=ALL).drop("foils")


def _figure(metric: str) -> Callable[[FigureFiles, Styles], Figure]:
    def draw(files: FigureFiles, styles: Styles) -> Figure:
        # The step compare, which takes `tables_of_layers` from here, draws nothing, and need not wait for matplotlib.
        from relprobe.report.figures import layer_figure

        columns = [] if files.series is None else [files.series["condition"].drop_nulls()]
        names = {condition: condition for column in columns for condition in column.unique(maintain_order=True)}
        return layer_figure(files.series, metric, LABELS[metric], names, styles.layered)

    return draw


FIGURES = {f"layers_{metric}": _figure(metric) for metric in LAYERED}


def words(name: str, tables: Mapping[str, pl.DataFrame]) -> str:
    """Return in words what a figure shows along the layers; "" for another figure."""
    return layers_in_words(name, with_names(tables))
