"""The files of the study that its page is made of, and what its analyses read: of one agent, and of all of them."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple

import polars as pl

from relprobe.core.files import read_table
from relprobe.lm.score_files.reader import ScoreFile
from relprobe.report.analyses import read_by_agent
from relprobe.report.published import Published
from relprobe.stats.schemas import Averages, Tests
from relprobe.studies.definitions.choices import Choices, Ties
from relprobe.studies.definitions.schemas import (
    METRICS,
    Groups,
    Metrics,
    Probes,
    Properties,
    ReplyChoices,
    Responses,
    Scores,
    Sizes,
    TaskContrasts,
)

ModelType = Literal["masked", "causal", "encoder-decoder"]


@dataclass(frozen=True, kw_only=True)
class Items:
    """The items of the study (`method.items`): groups and probes, and what describes the groups."""

    groups: Groups
    probes: Probes
    properties: Properties


@dataclass(frozen=True, kw_only=True)
class Results(Items):
    """The files of a run, in the order of the method; None: this run has none of them.

    `metrics`: the files with the values of each agent, and `by_agent` those that analyses have of each (`agent_table`).
    `targets`: the synsets or words that the study names. `controls`: the agents that do not know what is asked.
    `averaged_units`: whether averages are over the groups of the study (common), or those that each agent has (own). `ties`:
    as in `Choices`.
    """

    responses: dict[str, Responses]
    metrics: list[Path]
    averages: Averages
    tests: Tests
    tasks: TaskContrasts
    sizes: Sizes
    by_agent: list[Path] | None = None
    reply_choices: dict[str, ReplyChoices] | None = None
    replies: list[ScoreFile] | None = None
    published: Published | None = None
    targets: list[str] | None = None
    controls: list[str] | None = None
    averaged_units: Literal["common", "own"] = "common"
    ties: Ties = "expected"

    def values(self) -> dict[str, Metrics]:
        """Return agent -> its values."""
        return {path.stem: read_table(path, METRICS) for path in self.metrics}

    def agent_tables(self, analysis: str) -> list[pl.DataFrame]:
        """Return what an analysis has of each agent: the tables that its function `agent_table` returned."""
        return [*read_by_agent(self.by_agent or [], analysis, with_name=True).values()]

    def choices_by_task(self) -> dict[str, ReplyChoices]:
        """Return agent -> what it has chosen, with the names of tasks that the page shows."""
        agent_choices = (self.reply_choices or {}).items()
        return {agent: table.with_columns(pl.col("task").str.to_uppercase()) for agent, table in agent_choices}


@dataclass(frozen=True)
class AgentOptions:
    """What decides the metrics of an agent beside its responses and Choices.

    `type`: that of a model. `phrases`: the choice of the study. `bands`: the uses from which a word is medium, and frequent.
    """

    agent: str
    type: ModelType | None = None
    phrases: Literal["own", "joined"] = "own"
    bands: list[int] | None = None


class AgentResults(NamedTuple):
    """What an analysis may read of one agent. `scores`: those of a model."""

    responses: Responses
    items: Items
    choices: Choices
    options: AgentOptions
    scores: Scores | None = None
