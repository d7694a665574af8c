"""How well a classifier recognises hypernymy in the states after each layer of a model.

---
may_lack:
  layers: agents that are asked after each of their layers (layers)
---

{% set by_layer %}
The accuracy of classifiers that are trained anew on the states after each layer, on pairs whose hyponyms are new, and whose
hypernyms are new as well.
{% endset %}
{% set control %}
{{ by_layer }} They read the hypernym alone and should be at chance: a control of the classifier.
{% endset %}
{{ shared.layer_figure("detection", "Accuracy of the classifier", by_layer) }}

{{ shared.layer_figure("detection_partial", "Accuracy of the classifier of the hypernym alone", control) }}

{{ shared.of_layers(by_layer, "the test pairs", "what the last layer's accuracy has beyond chance, 0.5", step="show") }}
"""

from collections.abc import Callable
from functools import partial

import polars as pl
from matplotlib.figure import Figure

from relprobe.report.figures import layer_figures
from relprobe.stats.series.layer_tables import layer_tables
from relprobe.studies.systematicity.figures import SETTINGS, Styles
from relprobe.studies.systematicity.measures import MEASURES
from relprobe.studies.systematicity.method import DETECTION_METRICS
from relprobe.studies.systematicity.results import Results
from relprobe.studies.systematicity.schemas import MAJORITY

PLACE = 12
READER = "a classifier of each layer"
"""What reads the states of a layer."""
CHANCE = 0.5
"""What guessing gets, as half of the pairs are true."""
LABELS = {"detection": "accuracy", "detection_partial": "accuracy, hypernym alone"}
"""Metric along layers -> its label."""


def tables(results: Results) -> dict[str, pl.DataFrame]:
    """Average and test the accuracy of the classifiers after each layer (`layer_tables`), in both settings.

    The controls are the baselines that need no network.
    """
    names = set(DETECTION_METRICS.values())
    measures = [metric for metric in MEASURES if metric.name in names]
    return layer_tables(
        results.layer_metrics or {},
        {agent: results.metrics[agent] for agent in [MAJORITY, *(results.settings.vectors or ())]},
        results.averages,
        measures,
        tested=list(SETTINGS),
        chance=dict.fromkeys(names, CHANCE),
        reader=READER,
        targets=results.settings.targets,
    )


def _table(name: str) -> Callable[[Results], pl.DataFrame]:
    return lambda results: tables(results)[name]


def _figure(series: pl.DataFrame, styles: Styles, metric: str) -> Figure:
    ((_, figure),) = layer_figures(series, {metric: LABELS[metric]}, SETTINGS, styles.layered)
    return figure


TABLES = {name: _table(name) for name in ("layers", "trends", "halves", "against_last", "series")}
FIGURES = {f"layers_{metric}": partial(_figure, metric=metric) for metric in LABELS}
