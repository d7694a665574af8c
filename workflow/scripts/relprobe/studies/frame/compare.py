"""Averages, and tests between agents, by the metrics of a study."""

from typing import Literal, NamedTuple

from relprobe.core.files import Parquet
from relprobe.core.study import study_of
from relprobe.stats.averages import averages
from relprobe.stats.comparisons import paired_tests
from relprobe.stats.controls import kinds_of
from relprobe.stats.schemas import Averages, Tests


class Comparison(NamedTuple):
    """Averages, and the tests between agents."""

    averages: Averages
    tests: Tests


def compare(
    metrics: dict[str, Parquet],
    *,
    study: str,
    targets: Literal["common", "own"],
    controls: list[str],
    members: list[str] | None = None,
    declared: list[list[str]] | None = None,
) -> Comparison:
    """Average the values of all agents by condition, and test the differences between agents, by the metrics of the study.

    `members`: the checkpoints that are not the last of their series. `declared`: the pairs of agents that the configuration
    declares.
    """
    measures = study_of(study).metrics()
    means = averages(metrics, measures, targets=targets)
    kinds = kinds_of(metrics, controls, members or [])
    return Comparison(means, paired_tests(metrics, measures, kinds=kinds, declared=declared or []))
