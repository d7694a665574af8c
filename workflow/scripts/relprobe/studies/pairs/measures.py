"""The metrics of the study, as its tests, tables and figures need them; `method.values` says what each of them is."""

from typing import Any

from relprobe.core.metric import Metric

_UNIT: dict[str, Any] = {"unit": ("unit", "prompt"), "item": ("unit",), "links": ("links",), "crossed": "prompt"}
_TARGETS: dict[str, Any] = {**_UNIT, "items": "targets", "linked_by": "a right word"}
_PAIRS: dict[str, Any] = {**_UNIT, "items": "pairs", "linked_by": "a word"}
MEASURES = (
    Metric("ap", title="Average precision", bounds=(0, 1), **_TARGETS),
    Metric("rr", title="Reciprocal rank", bounds=(0, 1), **_TARGETS),
    Metric("choice", title="Choice", share=True, **_TARGETS),
    Metric("rho", title="Spearman's ρ", bounds=(-1, 1), **_PAIRS),
    Metric("auc", title="Area under the ROC curve", bounds=(0, 1), **_PAIRS),
    Metric("direction", title="Direction", share=True, **_PAIRS),
    Metric("accuracy", title="Accuracy of yes and no", bounds=(0, 1), **_PAIRS),
    Metric("ece", title="Calibration error", bounds=(0, 1), less_is_better=True, test=None, **_PAIRS),
    Metric("judged", test=None, share=True, **_PAIRS),
)
"""The metrics. Targets with a common right word depend on each other, as do pairs with a common word."""
TARGET_METRICS = ("ap", "rr", "choice")
"""The metrics whose items are targets."""
PRIMARY = "ap"
TESTED = tuple(metric.name for metric in MEASURES if metric.test)
LAYERED = ("ap", "rho")
"""The metrics that the states of each layer are measured in."""
