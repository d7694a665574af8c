"""The layers of models as series: how well the rater `hidden` agrees with people after each of them."""

from typing import Literal

from relprobe.core.files import ShownTables
from relprobe.stats.schemas import Averages
from relprobe.stats.series.layer_tables import layer_tables
from relprobe.studies.degrees.compare.analyses import TEST, by_agent, with_test
from relprobe.studies.degrees.measure.layers import MEASURED
from relprobe.studies.degrees.measure.metrics import MEASURES
from relprobe.studies.degrees.schemas import LayerMetrics, Metrics

READER = "the rater hidden, by cosines of offsets"
"""What reads the states of a layer."""
CHANCE = {"rho": 0.0, "rho_without_reversals": 0.0}
"""What random ratings get. Of MaxDiff it depends on the ties of people's choices, so that it has no half-depth."""


def layers(
    layered: dict[str, LayerMetrics],
    metrics: list[Metrics],
    averages: Averages,
    *,
    targets: Literal["common", "own"] = "common",
) -> ShownTables:
    """Average and test the agreement after each layer (`layer_tables`), over the test subcategories.

    `metrics`: of the baselines, which are the controls; `averages`: of all agents. A class of relations has averages alone.
    """
    values = {agent: with_test(table) for agent, table in layered.items()}
    measures = [metric for metric in MEASURES if metric.name in MEASURED]
    columns = ["metric", "condition", "unit", "cluster", "value"]
    controls = {agent: table.select(columns) for agent, table in by_agent(metrics).items()} if metrics else {}
    return layer_tables(
        values, controls, averages, measures, tested=[TEST], chance=CHANCE, reader=READER, targets=targets
    )
