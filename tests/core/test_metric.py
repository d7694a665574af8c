"""What a metric may be."""

from math import inf

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


def test_the_bounds_of_the_metrics_of_all_studies():
    """A share has 0 and 1, and other metrics the ends of their scale: correlations, percentages, ranks and errors."""
    percentages = ("maxdiff", "maxdiff_without_reversals", "least", "most")
    open_ended = {"first_related": (-inf, inf), "reversal_error": (0, inf)}
    correlations = ("rho", "rho_without_reversals")
    expected = {**dict.fromkeys(percentages, (0, 100)), **dict.fromkeys(correlations, (-1, 1)), **open_ended}
    found = {
        metric.name: metric.bounds for study in STUDIES for metric in study_of(study).metrics() if not metric.is_share
    }
    assert found == {name: expected.get(name, (0, 1)) for name in found}
