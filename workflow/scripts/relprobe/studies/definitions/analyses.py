"""From the metrics of all agents to tests between agents, and between the two tasks."""

from collections.abc import Iterable, Mapping
from pathlib import Path

import polars as pl

from relprobe.core.comparisons import contrast_tests, paired_tests
from relprobe.core.files import read_table
from relprobe.core.inference_schemas import Kind
from relprobe.studies.definitions.metrics import METRICS, TASK_PAIRS
from relprobe.studies.definitions.prompts import POS
from relprobe.studies.definitions.schemas import VALUES


def values_of(metrics: Iterable[Path]) -> dict[str, pl.DataFrame]:
    """Read the metrics (VALUES) of all agents; a file has the name of its agent."""
    return {path.stem: read_table(path, VALUES) for path in metrics}


def compare(values: Mapping[str, pl.DataFrame], kinds: Mapping[str, Kind]) -> pl.DataFrame:
    """Compare every pair of agents on every metric per part of speech (TESTS); families are the clusters.

    `kinds`: agent -> model or control. The paper's test is McNemar's on P@1, and Wilcoxon's on RS.
    """
    return paired_tests(_by_pos(values), METRICS, kinds=kinds)


def compare_tasks(values: Mapping[str, pl.DataFrame], kinds: Mapping[str, Kind]) -> pl.DataFrame:
    """Compare W2D with D2W within every agent, per measure and part of speech (TASK_CONTRASTS); `metric` is the measure."""
    by_pos = _by_pos(values)
    parts = [
        contrast_tests(by_pos, measure, [tasks], column="metric", groups=["condition"], kinds=kinds)
        for measure, tasks in TASK_PAIRS.items()
    ]
    return pl.concat(parts).sort("metric", "condition", maintain_order=True)


def _by_pos(values: Mapping[str, pl.DataFrame]) -> dict[str, pl.DataFrame]:
    return {agent: table.filter(pl.col("condition").is_in(list(POS))) for agent, table in values.items()}
