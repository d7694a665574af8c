"""How well a classifier recognises hypernymy in the states after each layer of a model.

```yaml
words:
  measured: >-
    The accuracy of classifiers that are trained anew on the states after each layer, on pairs whose hyponyms are new,
    and whose hypernyms are new as well.
  units: the test pairs
  last_value: what the last layer's accuracy has beyond chance, 0.5
```

## Accuracy of the classifier after each layer

```yaml
figure: layers_detection
values: series
needs: [layers]
part: Layer by layer
```

$measured

$layer_line

## Accuracy of the classifier of the hypernym alone after each layer

```yaml
figure: layers_detection_partial
values: series
needs: [layers]
part: Layer by layer
```

$measured They read the hypernym alone and should be at chance: a control of the classifier.

$layer_line

## Layer by layer
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from relprobe.core.files import ShownTables
from relprobe.report.words.series import layers_in_words
from relprobe.stats.series.layer_tables import layer_tables
from relprobe.studies.systematicity.measures import MEASURES
from relprobe.studies.systematicity.method import DETECTION_METRICS
from relprobe.studies.systematicity.results import LayerResults

if TYPE_CHECKING:
    from collections.abc import Mapping

    import polars as pl
    from matplotlib.figure import Figure

    from relprobe.studies.systematicity.figures import Styles

PLACE = 12
SETTINGS = ("seen", "unseen")
READER = "a classifier of each layer"
"""What reads the states of a layer."""
CHANCE = 0.5
"""What guessing gets, as half of the pairs are true."""
LABELS = {"detection": "accuracy", "detection_partial": "accuracy, hypernym alone"}
"""Metric along layers -> its label."""


def tables_of_layers(layers: LayerResults) -> ShownTables:
    """Average and test the accuracy of the classifiers after each layer (`layer_tables`), in both settings.

    The controls are the baselines that need no network.
    """
    names = set(DETECTION_METRICS.values())
    measures = [metric for metric in MEASURES if metric.name in names]
    return layer_tables(
        layers.values,
        layers.controls,
        layers.averages,
        measures,
        tested=SETTINGS,
        chance=dict.fromkeys(names, CHANCE),
        reader=READER,
        targets=layers.targets,
    )


def _figure(series: pl.DataFrame, styles: Styles, metric: str) -> Figure:
    # The step compare, which takes `tables_of_layers` from here, draws nothing, and need not wait for matplotlib.
    from relprobe.report.figures import layer_figure
    from relprobe.studies.systematicity.figures import SETTINGS as TITLES

    return layer_figure(series, metric, LABELS[metric], TITLES, styles.layered)


FIGURES = {f"layers_{metric}": partial(_figure, metric=metric) for metric in LABELS}


def words(name: str, tables: Mapping[str, pl.DataFrame]) -> str:
    """Return in words what a figure shows along the layers; "" for another figure."""
    return layers_in_words(name, tables)
