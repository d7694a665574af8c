"""The layers of models as series: how well classifiers tell analogies from look-alikes after each of them."""

from dataclasses import replace
from typing import Literal

from relprobe.core.files import ShownTables
from relprobe.core.metric import by_name
from relprobe.stats.schemas import Averages
from relprobe.stats.series.layer_tables import layer_tables
from relprobe.studies.analogies.measure.layers import SUPERVISED, of_classifiers
from relprobe.studies.analogies.measure.metrics import ALL, COLUMNS, MEASURES
from relprobe.studies.analogies.schemas import LayerMetrics, Metrics

READER = "a classifier of each layer"
"""What reads the states of a layer."""
CHANCE = 0.5
"""What guessing gets: a classifier judges as many positive tuples as negative ones."""


def layers(
    layered: dict[str, LayerMetrics],
    averages: Averages,
    metrics: dict[str, Metrics] | None = None,
    *,
    targets: Literal["common", "own"] = "common",
) -> ShownTables:
    """Average the accuracy of the classifiers after each layer, and test it over all relations (`layer_tables`).

    `metrics`: of the controls; `averages`: of all agents.
    """
    declared = by_name(MEASURES)
    measures = [replace(declared[SUPERVISED + probe], name=probe) for probe in COLUMNS]
    controls = {agent: of_classifiers(table) for agent, table in (metrics or {}).items()}
    chance = dict.fromkeys(COLUMNS, CHANCE)
    beside = of_classifiers(averages)
    return layer_tables(
        layered, controls, beside, measures, tested=[ALL], chance=chance, reader=READER, targets=targets
    )
