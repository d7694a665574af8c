"""The layers of models as series: how well a classifier recognises hypernymy in the states after each of them."""

from typing import Literal

from relprobe.core.files import ShownTables
from relprobe.stats.schemas import Averages
from relprobe.stats.series.layer_tables import layer_tables
from relprobe.studies.systematicity.measure.metrics import MEASURES, OF_INPUT
from relprobe.studies.systematicity.schemas import LayerMetrics, Metrics

SETTINGS = ("seen", "unseen")
READER = "a classifier of each layer"
"""What reads the states of a layer."""
CHANCE = 0.5
"""What guessing gets, as half of the pairs are true."""


def layers(
    layered: dict[str, LayerMetrics],
    metrics: dict[str, Metrics],
    averages: Averages,
    *,
    targets: Literal["common", "own"] = "common",
) -> ShownTables:
    """Average and test the accuracy of the classifiers after each layer (`layer_tables`), in both settings.

    `metrics`: of the baselines, which are the controls; `averages`: of all agents.
    """
    names = set(OF_INPUT.values())
    measures = [metric for metric in MEASURES if metric.name in names]
    chance = dict.fromkeys(names, CHANCE)
    return layer_tables(
        layered, metrics, averages, measures, tested=SETTINGS, chance=chance, reader=READER, targets=targets
    )
