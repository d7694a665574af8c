"""Averages, and tests between agents, by the metrics of a study."""

from typing import NamedTuple

from relprobe.core.files import Parquet
from relprobe.core.study import study_of
from relprobe.stats.schemas import Averages, Tests
from relprobe.stats.side_by_side import AgentComparison


class Comparison(NamedTuple):
    """Averages, and the tests between agents."""

    averages: Averages
    tests: Tests


def compare(metrics: dict[str, Parquet], comparing: AgentComparison, *, study: str) -> Comparison:
    """Average the values of all agents by condition, and test the differences between agents, by a study's metrics."""
    measures = study_of(study).metrics()
    return Comparison(comparing.averages(metrics, measures), comparing.tests(metrics, measures))
