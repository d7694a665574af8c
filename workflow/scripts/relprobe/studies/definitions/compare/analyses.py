"""From the metrics of all agents to tests between agents and tasks, and to averages on the groups that people answered."""

from collections.abc import Iterable, Mapping
from pathlib import Path

import polars as pl

from relprobe.core.files import read_table
from relprobe.stats.averages import averages
from relprobe.stats.comparisons import contrast_tests, paired_tests
from relprobe.stats.schemas import Kind
from relprobe.studies.definitions.ask.prompts import POS
from relprobe.studies.definitions.measure.conditions import SMALL
from relprobe.studies.definitions.measure.metrics import MEASURES, TASK_PAIRS
from relprobe.studies.definitions.schemas import AVERAGES, HUMANS, METRICS


def values_of(metrics: Iterable[Path]) -> dict[str, pl.DataFrame]:
    """Read the metrics (METRICS) of all agents; a file has the name of its agent."""
    return {path.stem: read_table(path, METRICS) for path in metrics}


def compare(values: Mapping[str, pl.DataFrame], kinds: Mapping[str, Kind]) -> pl.DataFrame:
    """Compare every pair of agents on every metric per part of speech (TESTS); families are the clusters.

    `kinds`: agent -> model or control. The paper's test is McNemar's on P@1, and Wilcoxon's on RS.
    """
    return paired_tests(_by_pos(values), MEASURES, kinds=kinds)


def compare_tasks(values: Mapping[str, pl.DataFrame], kinds: Mapping[str, Kind]) -> pl.DataFrame:
    """Compare W2D with D2W within every agent, per measure and part of speech (TASK_CONTRASTS); `metric` is the measure."""
    by_pos = _by_pos(values)
    parts = [
        contrast_tests(by_pos, measure, [tasks], column="metric", groups=["condition"], kinds=kinds)
        for measure, tasks in TASK_PAIRS.items()
    ]
    return pl.concat(parts).sort("metric", "condition", maintain_order=True)


def compared(values: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    """Average all agents over the groups that people answered (AVERAGES): Table 8. `values`: agent -> METRICS.

    The conditions are parts of speech, and the groups of up to FEW candidates, as in the paper.
    """
    answered = values[HUMANS].filter(pl.col("condition").is_in([*POS, SMALL]))
    keys = answered.select("metric", "condition", "unit").unique()
    same = {
        agent: table.join(keys, on=["metric", "condition", "unit"], how="semi", maintain_order="left")
        for agent, table in values.items()
    }
    return averages(same, MEASURES) if answered.height else pl.DataFrame(schema=AVERAGES)


def _by_pos(values: Mapping[str, pl.DataFrame]) -> dict[str, pl.DataFrame]:
    return {agent: table.filter(pl.col("condition").is_in(list(POS))) for agent, table in values.items()}
