"""What codes in the tables of the definitions study are called on its page."""

from relprobe.studies.definitions.measure.metrics import IN_BOTH_TASKS, metric_name
from relprobe.studies.definitions.schemas import TASK_NAMES

MEASURE_NAMES = {measure.name: measure.axis.partition(" (")[0] for measure in IN_BOTH_TASKS}
METRIC_NAMES = {
    metric_name(task, measure): f"{task_name}, {name}"
    for task, task_name in TASK_NAMES.items()
    for measure, name in MEASURE_NAMES.items()
}
"""Metric -> its task and its measure: "word to definition, precision at 1"."""
NAMES = {
    **METRIC_NAMES,
    **MEASURE_NAMES,
    **{task.upper(): name for task, name in TASK_NAMES.items()},
    **{f"{task}_{what}": f"{name}, {what}" for task, name in TASK_NAMES.items() for what in ("candidates", "random")},
}
