"""How well the rater `hidden` agrees with people after each layer of a model.

```yaml
words:
  measured: >-
    How well the rater hidden, which compares the offsets of hidden states, agrees with people if it reads the states
    after each layer, over the test subcategories and over those of each class.
  units: the test subcategories
  last_value: the last layer's rho
```

## Agreement with the gold ratings after each layer

```yaml
figure: layers_rho
values: series
needs: [layers]
part: Layer by layer
```

$measured

$layer_line

## MaxDiff accuracy after each layer

```yaml
figure: layers_maxdiff
values: series
needs: [layers, questions]
part: Layer by layer
```

$measured

$layer_line

## Layer by layer
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from relprobe.core.files import ShownTables
from relprobe.report.words.series import layers_in_words
from relprobe.stats.series.layer_tables import layer_tables
from relprobe.studies.degrees.conditions import TEST, by_agent, with_test
from relprobe.studies.degrees.measures import HEADLINES, MEASURES, TESTED
from relprobe.studies.degrees.results import FigureFiles, LayerResults

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    import polars as pl
    from matplotlib.figure import Figure

    from relprobe.report.agent_styles import Styles

PLACE = 2
READER = "the rater hidden, by cosines of offsets"
"""What reads the states of a layer."""
CHANCE = {"rho": 0.0, "rho_without_reversals": 0.0}
"""What random ratings get. Of MaxDiff it depends on the ties of people's choices, so that it has no half-depth."""


def tables_of_layers(layers: LayerResults) -> ShownTables:
    """Average and test the agreement after each layer (`layer_tables`), over the test subcategories.

    The baselines are the controls. A class of relations has averages alone.
    """
    values = {agent: with_test(table) for agent, table in layers.values.items()}
    columns = ["metric", "condition", "unit", "cluster", "value"]
    controls = by_agent(layers.controls) if layers.controls else {}
    return layer_tables(
        values,
        {agent: table.select(columns) for agent, table in controls.items()},
        layers.averages,
        [metric for metric in MEASURES if metric.name in TESTED],
        tested=[TEST],
        chance=CHANCE,
        reader=READER,
        targets=layers.targets,
    )


def _figure(metric: str) -> Callable[[FigureFiles, Styles], Figure]:
    def draw(files: FigureFiles, styles: Styles) -> Figure:
        # The step compare, which takes `tables_of_layers` from here, draws nothing, and need not wait for matplotlib.
        from relprobe.report.figures import layer_figure
        from relprobe.studies.degrees.figures import LABELS

        names = {TEST: "all test subcategories", **{name: name.capitalize() for name in files.classes()}}
        return layer_figure(files.series, metric, LABELS[metric], names, styles.layered)

    return draw


FIGURES = {f"layers_{metric}": _figure(metric) for metric in HEADLINES}


def words(name: str, tables: Mapping[str, pl.DataFrame]) -> str:
    """Return in words what a figure shows along the layers; "" for another figure."""
    return layers_in_words(name, tables)
