"""The files of the study that its page is made of, and what its analyses read: of one agent, and of all of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple

import polars as pl

from relprobe.core.files import Parquet, read_table
from relprobe.core.metric import Metric
from relprobe.lm.score_files.reader import ScoreFile
from relprobe.report.analyses import read_by_agent
from relprobe.report.published import Published
from relprobe.sources.static_vectors import StaticVectors
from relprobe.stats.comparisons import contrast_tests
from relprobe.stats.schemas import AgentKind, Averages, Inference, Tests
from relprobe.studies.analogies.choices import Choices
from relprobe.studies.analogies.method import Split
from relprobe.studies.analogies.schemas import (
    METRICS,
    SETTINGS,
    Contrasts,
    Decisions,
    Instances,
    LayerMetrics,
    Metrics,
    ReplyChoices,
    Tuples,
)


@dataclass(frozen=True, kw_only=True)
class FigureFiles:
    """The files that figures are drawn from. `series`: the values along layers, of a run whose agents have them."""

    averages: Averages
    tuples: Tuples
    series: Parquet | None = None


@dataclass(frozen=True, kw_only=True)
class Results(FigureFiles):
    """The files of a run, in the order of the method; None: this run has none of them.

    `tuples`, `instances`: the items. `decisions` and `supervised`: the responses of each agent in the unsupervised and in
    the supervised setting; `reply_choices`: those of agents that answer in words. `metrics`: the files with the values.
    `queries`: the tests of the swapped queries. `by_agent`: the files that analyses have of each agent (`agent_table`).
    `kinds`: agent -> masked, causal or control; `members`: the checkpoints that are not the last of their series.
    `controls`: the agents that do not know what is asked. `inference`: which test decides about frequency.
    """

    instances: Instances
    decisions: dict[str, Decisions]
    metrics: list[Path]
    tests: Tests
    queries: Contrasts
    kinds: dict[str, str]
    supervised: dict[str, Decisions] | None = None
    by_agent: list[Path] | None = None
    reply_choices: dict[str, ReplyChoices] | None = None
    replies: list[ScoreFile] | None = None
    published: Published | None = None
    members: list[str] | None = None
    controls: list[str] | None = None
    inference: Inference = "clusters"

    def values(self) -> dict[str, Metrics]:
        """Return agent -> its values."""
        return {path.stem: read_table(path, METRICS) for path in self.metrics}

    def agent_tables(self, analysis: str) -> dict[str, pl.DataFrame]:
        """Return what an analysis has of each agent: agent -> the table that its function `agent_table` returned."""
        return read_by_agent(self.by_agent or [], analysis)


class AgentResults(NamedTuple):
    """What an analysis may read of one agent: its decisions in both settings."""

    decisions: Decisions
    tuples: Tuples


class LayerResults(NamedTuple):
    """What an analysis may read of the agents with layers. `controls`: the values of static vectors."""

    values: dict[str, LayerMetrics]
    controls: dict[str, Metrics]
    averages: Averages
    targets: Literal["common", "own"]


class VectorData(NamedTuple):
    """What an analysis may read of static vectors: all pairs of the data, and how the study makes instances of them."""

    pairs: pl.DataFrame
    vectors: StaticVectors
    split: Split
    choices: Choices


# Tests within an agent, from the values of all agents.


def contrasts(
    values: Mapping[str, pl.DataFrame], pairs: Sequence[tuple[str, str]], kinds: Mapping[str, AgentKind]
) -> pl.DataFrame:
    """Test the differences between pairs of metrics within every agent (CONTRASTS_OF_CONDITIONS).

    `pairs`: the probes, which are named without their setting. The column `metric` is the setting; a and b are the metrics.
    Members of a series are a family of their own.
    """
    tables = []
    for setting in SETTINGS:
        like = Metric(setting, cluster=("cluster",), share=True)
        named = [(f"{setting} {a}", f"{setting} {b}") for a, b in pairs]
        tables.append(contrast_tests(values, like, named, column="metric", groups=("condition",), kinds=kinds))
    return pl.concat(tables)
