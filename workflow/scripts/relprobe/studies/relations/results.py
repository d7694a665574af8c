"""The files of the study that its page is made of, which its analyses read."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import polars as pl

from relprobe.core.files import parquet
from relprobe.lm.score_files.reader import ScoreFile
from relprobe.lm.words.lexicon import Lexicon
from relprobe.report.analyses import read_by_agent
from relprobe.report.published import Published
from relprobe.sources.language import LanguageFile
from relprobe.sources.word_frequency import Scale
from relprobe.stats.schemas import AgentKind, Inference
from relprobe.studies.relations.lists import LISTS, UNMATCHED
from relprobe.studies.relations.measures import Measure
from relprobe.studies.relations.method import Choices, GoldStandard, JudgedAnswers
from relprobe.studies.relations.prompts import Prompts
from relprobe.studies.relations.relata import Losses
from relprobe.studies.relations.schemas import Averages, Contrasts, Metrics, Tests, TopWords, Tuples

Unmatched = Annotated[pl.DataFrame, parquet(UNMATCHED)]
Lists = Annotated[pl.DataFrame, parquet(LISTS)]
Models = Mapping[str, Mapping[str, Any]]
"""The model entries of the config, in its order; of their keys: type (masked or causal), family, size (parameters), and way,
which says how the model is asked if not with the probe alone (`core.series.model_properties`)."""


@dataclass(frozen=True)
class Settings:
    """What the configuration says of the study.

    `models`: model -> type, family and size. `controls`: the agents that do not know what is asked. `shown`:
    PROMPT:TARGET of the probes whose best words are shown; if none is named, one per relation. `ways`: the models that
    are asked in several ways (`core.prompting.prompting_by_model`). `causal`: the causal models, which are not asked
    prompts whose slot is not last. `kinds`: agent -> model, member of a series, person or control. `k`: the cut-off of
    symmetry and asymmetry where a table has one. `inference`: whose tests decide what is significant. `frequency`: the
    scale of word frequencies. `panel`: the models whose common words are the shared lexicon. `sources`: the resources
    that the tuples come from.
    """

    models: dict[str, Any] = field(default_factory=dict)

    controls: list[str] | None = None
    shown: list[str] | None = None
    ways: dict[str, Any] | None = None
    causal: list[str] | None = None
    kinds: dict[str, AgentKind] | None = None
    k: int = 5
    inference: Inference = "linked"
    frequency: Scale = "raw"
    panel: list[str] | None = None
    sources: list[str] | None = None


@dataclass(frozen=True, eq=False)  # so that what is computed of it can be cached
class Results:
    """The files of a run, in the order of the method; None: this run has none of them.

    `raw_tuples`: the tuples of the sources. `losses`: what was lost between these and the relatum sets. `lexicons`: of the
    models that are scored. `scores`: the files that these have answered with, whose metadata say what was sent; `counted`:
    the answers that count, where `scores` are likely tokens. `writing`: those of models that write lists, and `replies` of
    those that only chat. `unmatched` and `lists`: people's answers to no probe, and the annotators' lists. `by_agent`: the
    files that analyses have of each agent (`agent_table`). `metrics`: those of all agents but the controls. `published`:
    what the paper prints.
    """

    gold: GoldStandard
    language: LanguageFile
    prompts: Prompts
    raw_tuples: Tuples
    losses: Losses
    top_words: dict[str, TopWords]
    averages: Averages
    tests: Tests
    contrasts: Contrasts
    settings: Settings
    lexicons: dict[str, Lexicon] | None = None
    scores: list[ScoreFile] | None = None
    counted: list[ScoreFile] | None = None
    writing: list[ScoreFile] | None = None
    replies: list[ScoreFile] | None = None
    unmatched: Unmatched | None = None
    lists: Lists | None = None
    by_agent: list[Path] | None = None
    metrics: dict[str, Metrics] | None = None
    published: Published | None = None

    def models(self) -> Models:
        """Return the models that have values, with their entries of the configuration."""
        return {agent: self.settings.models[agent] for agent in self.metrics or {} if agent in self.settings.models}

    def agent_tables(self, analysis: str) -> dict[str, pl.DataFrame]:
        """Return what an analysis has of each agent: agent -> the table that its function `agent_table` returned."""
        return read_by_agent(self.by_agent or [], analysis)


Measurement = Callable[[Choices, list[Measure]], pl.DataFrame]
"""A function that computes METRICS of an agent."""


class AgentResults(NamedTuple):
    """What an analysis may read of one agent.

    `metrics`: the function that computes METRICS of the agent under other choices. `values`: its METRICS under the
    configured `choices`. `tied`: the choice of ties changes them. `relatum_sets`: a function that returns name of a choice
    -> the function that computes METRICS with the relatum sets of that choice. `rankings`: name of a choice -> METRICS
    under the configured choices if a model's words are ranked in another way, or others count as answers (`Space`). `pairs`:
    the pairs of relations that AuDC counts (PAIRS). `answers`: those of the agent; None: it is annotators, each of whom has
    some in `respondents`.
    """

    metrics: Callable[..., pl.DataFrame]
    values: pl.DataFrame
    choices: Choices
    tied: bool
    relatum_sets: Callable[[], Mapping[str, Measurement]]
    rankings: Mapping[str, pl.DataFrame]
    pairs: pl.DataFrame | None
    answers: JudgedAnswers | None
    respondents: Sequence[JudgedAnswers]
