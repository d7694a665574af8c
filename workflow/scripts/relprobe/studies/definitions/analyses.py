"""From the metrics of all agents to tests between agents."""

from collections.abc import Iterable, Mapping
from pathlib import Path

import polars as pl

from relprobe.core.files import read_table
from relprobe.core.units import paired_tests
from relprobe.studies.definitions.metrics import METRICS
from relprobe.studies.definitions.prompts import POS
from relprobe.studies.definitions.schemas import UNITS


def values_of(metrics: Iterable[Path]) -> dict[str, pl.DataFrame]:
    """Read the metrics (UNITS) of all agents; a file has the name of its agent."""
    return {path.stem: read_table(path, UNITS) for path in metrics}


def compare(values: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    """Compare every pair of agents on every metric per part of speech (TESTS): McNemar on P@1, Wilcoxon on RS."""
    by_pos = {agent: table.filter(pl.col("condition").is_in(list(POS))) for agent, table in values.items()}
    return paired_tests(by_pos, METRICS)
