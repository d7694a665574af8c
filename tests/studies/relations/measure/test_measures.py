"""The table of metrics fits the functions that compute them, and the figures that the report knows."""

import pytest
from relprobe.report.shown import Figure, declared
from relprobe.studies.relations.compare.frequency import FREQUENCIES
from relprobe.studies.relations.compare.sensitivity import OPTIONS
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


def test_figures_follow_from_what_the_run_has():
    page = declared("relations")
    names = [one.name for one in page.available(dict.fromkeys(page.may_lack, False)) if isinstance(one, Figure)]
    assert not [name for name in names if "prototypicality" in name or "entropy" in name or name.startswith("size_")]
    assert names.index("soundness") < names.index("symmetry") < names.index("frequency_soundness")
