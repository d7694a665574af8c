"""What a metric may be."""

import pytest
from relprobe.core.metric import Metric
from relprobe.core.study import study_of
from relprobe.studies import STUDIES


@pytest.mark.parametrize("test", ["Wilcoxon", "McNemar"])
def test_no_test_takes_smaller_values_for_better(test):
    """Tests, best controls and verdicts take larger values for better."""
    with pytest.raises(ValueError, match=r"errors has a test, and its smaller values are better: turn them round"):
        Metric("errors", test=test, less_is_better=True)


def test_some_metrics_count_what_is_lost():
    metrics = [metric for study in STUDIES for metric in study_of(study).metrics()]
    assert any(metric.less_is_better for metric in metrics)
