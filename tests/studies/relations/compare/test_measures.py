"""Every metric is known to all that reads the table of metrics."""

import pytest
from relprobe.studies.relations.compare.agent_tables import OPTIONS
from relprobe.studies.relations.compare.comparisons import FREQUENCIES
from relprobe.studies.relations.measure import metrics
from relprobe.studies.relations.measure.measures import DISTINGUISHABILITY, MEASURES, RELATA
from relprobe.studies.relations.schemas import METRICS


@pytest.mark.parametrize("measure", [*MEASURES, DISTINGUISHABILITY], ids=lambda measure: measure.name)
def test_every_metric_has_its_function_and_columns(measure):
    assert callable(getattr(metrics, measure.function or measure.name))
    assert set(measure.unit) | set(measure.item) <= set(METRICS)
    assert set(measure.cluster_columns) <= set(METRICS)
    assert set(measure.frequencies) <= set(FREQUENCIES)
    assert set(measure.choices) <= {*OPTIONS, RELATA}
