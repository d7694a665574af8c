"""The files of a study that stands on the frame, which its further analyses read."""

from dataclasses import dataclass
from pathlib import Path

import polars as pl

from relprobe.core.files import read_parquet
from relprobe.stats.schemas import Averages, Tests


@dataclass(frozen=True, kw_only=True)
class Results:
    """The averages and tests of a run, and the files with the values of each agent (`metrics`).

    `controls`: the agents that do not know what is asked.
    """

    averages: Averages
    tests: Tests
    metrics: list[Path] | None = None
    controls: list[str] | None = None

    def values(self) -> dict[str, pl.DataFrame]:
        """Return agent -> its values."""
        return {path.stem: read_parquet(path) for path in self.metrics or []}
