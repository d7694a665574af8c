"""Averages, and tests between agents, by the metrics of a study."""

from relprobe.core.files import Parquet
from relprobe.core.study import study_of
from relprobe.stats.side_by_side import AgentComparison, Comparison


def compare(metrics: dict[str, Parquet], comparing: AgentComparison, *, study: str) -> Comparison:
    """Average the values of all agents by condition, and test the differences between agents, by a study's metrics."""
    return comparing.compare(metrics, study_of(study).metrics())
