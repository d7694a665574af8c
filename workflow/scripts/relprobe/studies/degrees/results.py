"""The files of the study that its page is made of, and what its analyses read: of one agent, and of all of them."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple

import polars as pl

from relprobe.core.files import Parquet
from relprobe.lm.score_files.reader import ScoreFile
from relprobe.report.analyses import read_by_agent
from relprobe.report.published import Published, figures_of_paper
from relprobe.stats.schemas import Averages, Inference, Tests
from relprobe.studies.degrees.conditions import by_agent, class_order
from relprobe.studies.degrees.schemas import (
    Ceilings,
    Gold,
    LayerMetrics,
    Metrics,
    Questions,
    Ratings,
    ReplyChoices,
)


@dataclass(frozen=True, kw_only=True)
class FigureFiles:
    """The files that figures are drawn from. `series`: the values along layers, of a run whose agents have them."""

    averages: Averages
    gold: Gold
    ceiling: Ceilings
    series: Parquet | None = None

    def classes(self) -> list[str]:
        """Return the relation classes in the order of the task."""
        return class_order(self.gold)


@dataclass(frozen=True, kw_only=True)
class Results(FigureFiles):
    """The files of a run, in the order of the method; None: this run has none of them.

    `gold`, `questions`: the items. `ratings`: the responses of agents that rate pairs; `reply_choices`: those of agents that
    take people's task. `metrics`: the values. `by_agent`: the files that analyses have of each agent (`agent_table`).
    `controls`: the agents that do not know what is asked. `inference`: which p makes a subcategory significant.
    """

    questions: Questions
    ratings: list[Ratings]
    metrics: list[Metrics]
    tests: Tests
    by_agent: list[Path] | None = None
    reply_choices: dict[str, ReplyChoices] | None = None
    replies: list[ScoreFile] | None = None
    published: Published | None = None
    controls: list[str] | None = None
    inference: Inference = "clusters"

    def values(self) -> dict[str, pl.DataFrame]:
        """Return agent -> its values, with the test subcategories also under the condition "test"."""
        return by_agent(self.metrics)

    def agent_tables(self, analysis: str) -> list[pl.DataFrame]:
        """Return what an analysis has of each agent: the tables that its function `agent_table` returned."""
        return [*read_by_agent(self.by_agent or [], analysis, with_name=True).values()]

    def paper_figures(self) -> pl.DataFrame:
        """Return the figures that the paper prints; none on own data."""
        return figures_of_paper(self.published)


class AgentResults(NamedTuple):
    """What an analysis may read of one agent, or of all raters of a model.

    `seed` is that of orders of equal ratings. An agent has ratings or choices; `printed`: its ratings with the paradigms as
    the package writes them.
    """

    values: Metrics
    gold: Gold
    questions: Questions
    seed: int
    ratings: Ratings | None = None
    printed: Ratings | None = None
    choices: ReplyChoices | None = None


class LayerResults(NamedTuple):
    """What an analysis may read of the agents with layers. `controls`: the values of the baselines."""

    values: dict[str, LayerMetrics]
    controls: list[Metrics]
    averages: Averages
    targets: Literal["common", "own"]
