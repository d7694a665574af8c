"""How well classifiers of a model's embeddings tell analogies from look-alikes after each of its layers.

```yaml
words:
  measured: >-
    The accuracy of classifiers that are trained anew on the words' embeddings after each layer, over the tuples of all
    relations and of each group.
  units: the tuples
  last_value: what the last layer's accuracy has beyond chance, 0.5
```

## Accuracy of the classifier, $probe, after each layer

```yaml
figure: layers_$probe
values: series
needs: [layers]
part: Layer by layer
each: [{probe: random}, {probe: reverse}, {probe: type}]
```

$measured

$layer_line

## Layer by layer
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from relprobe.core.files import ShownTables
from relprobe.core.metric import by_name
from relprobe.report.words.series import layers_in_words
from relprobe.stats.series.layer_tables import layer_tables
from relprobe.studies.analogies.measures import MEASURES, SUPERVISED, classifier_values
from relprobe.studies.analogies.method import ALL, COLUMNS
from relprobe.studies.analogies.results import FigureFiles, LayerResults

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    import polars as pl
    from matplotlib.figure import Figure

    from relprobe.report.agent_styles import Styles

PLACE = 2
READER = "a classifier of each layer"
"""What reads the states of a layer."""
CHANCE = 0.5
"""What guessing gets: a classifier judges as many positive tuples as negative ones."""


def tables_of_layers(layers: LayerResults) -> ShownTables:
    """Average the accuracy of the classifiers after each layer, and test it over all relations (`layer_tables`).

    Static vectors are the control.
    """
    declared = by_name(MEASURES)
    return layer_tables(
        layers.values,
        {agent: classifier_values(table) for agent, table in layers.controls.items()},
        classifier_values(layers.averages),
        [replace(declared[SUPERVISED + probe], name=probe) for probe in COLUMNS],
        tested=[ALL],
        chance=dict.fromkeys(COLUMNS, CHANCE),
        reader=READER,
        targets=layers.targets,
    )


def _figure(probe: str) -> Callable[[FigureFiles, Styles], Figure]:
    def draw(files: FigureFiles, styles: Styles) -> Figure:
        # The step compare, which takes `tables_of_layers` from here, draws nothing, and need not wait for matplotlib.
        from relprobe.report.figures import layer_figure
        from relprobe.studies.analogies.figures import NAMES, groups_of

        names = {group: NAMES.get(group, group) for group in (ALL, *groups_of(files.tuples))}
        return layer_figure(files.series, probe, f"accuracy, {probe}", names, styles.layered)

    return draw


FIGURES = {f"layers_{probe}": _figure(probe) for probe in COLUMNS}


def words(name: str, tables: Mapping[str, pl.DataFrame]) -> str:
    """Return in words what a figure shows along the layers; "" for another figure."""
    return layers_in_words(name, tables)
