"""The metrics of the study, as its tests, tables and figures need them: each measure of section 2.4 in each task."""

from dataclasses import dataclass, replace

from relprobe.core.metric import Metric
from relprobe.studies.definitions.schemas import TASKS


@dataclass(frozen=True)
class Measure(Metric):
    """A measure that both tasks have; the groups of a family are a cluster.

    `figure`: the file of its figure; `axis`: the label of its values there. `scale`: the factor by which the paper's values
    are larger than ours.
    """

    items: str = "groups"
    cluster: tuple[str, ...] = ("cluster",)
    clusters: str = "families"
    figure: str = ""
    axis: str = ""
    scale: int = 1


IN_BOTH_TASKS = (
    Measure(
        "P@1",
        test="McNemar",
        figure="precision",
        axis="precision at 1",
        scale=100,
    ),
    Measure(
        "RS",
        bounds=(0, 1),
        test="Wilcoxon",
        figure="rank_score",
        axis="rank score (a guess: 0.5)",
    ),
)
"""The measures of either task, under the names that they have without it."""


def metric_name(task: str, measure: str) -> str:
    """Return the name of a task's metric.

    >>> metric_name("w2d", "P@1")
    'W2D P@1'
    """
    return f"{task.upper()} {measure}"


MEASURES = tuple(replace(measure, name=metric_name(task, measure.name)) for task in TASKS for measure in IN_BOTH_TASKS)
"""The metrics of the study in the order of its tables: W2D P@1, W2D RS, D2W P@1, D2W RS."""
TASK_PAIRS = {
    measure: (metric_name("w2d", measure.name), metric_name("d2w", measure.name)) for measure in IN_BOTH_TASKS
}
"""Measure -> its metrics in the two tasks, which are compared within each agent (section 3)."""
