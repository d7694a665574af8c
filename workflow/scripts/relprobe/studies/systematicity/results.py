"""The files of the study that its page is made of, which its analyses read."""

from dataclasses import dataclass
from typing import Literal, NamedTuple

from relprobe.lm.score_files.reader import ScoreFile
from relprobe.report.published import Published
from relprobe.sources.lexical.wordnet import WordNet
from relprobe.sources.word_frequency import Scale
from relprobe.stats.schemas import Averages, Tests
from relprobe.studies.systematicity.hyponyms import Choice
from relprobe.studies.systematicity.schemas import (
    Detection,
    Items,
    LayerMetrics,
    Metrics,
    Occurrences,
    OwnContrasts,
    Pairs,
    Probes,
    ReplyChoices,
    Scores,
)


@dataclass(frozen=True)
class Settings:
    """What the configuration says of the study.

    `categories`: superordinate category -> categories. `choice`: which hyponyms of WordNet are taken. `controls`: the agents
    that do not know what is asked; `vectors`: those of them that are static vectors, whose scores are cosines. `seed`: draws
    between categories of equal scores, where answers are shown. `scale`: that of the frequencies. `resources`: the optional
    ones that are configured.
    """

    categories: dict[str, list[str]]
    choice: Choice
    controls: list[str]
    seed: int
    scale: Scale = "raw"
    vectors: list[str] | None = None
    resources: list[str] | None = None


@dataclass(frozen=True, eq=False)  # so that what is computed of it can be cached
class Results:
    """The files of a run, in the order of the method; None: this run has none of them.

    `scores`: those of models and of static vectors. `reply_choices`: what agents with people's task have chosen, and
    `replies` the files of what they said. `occurrences`: what the corpus holds.
    """

    item_table: Items
    probes: Probes
    pairs: Pairs
    metrics: dict[str, Metrics]
    averages: Averages
    detection: Detection
    tests: Tests
    contrasts: OwnContrasts
    settings: Settings
    scores: dict[str, Scores] | None = None
    reply_choices: dict[str, ReplyChoices] | None = None
    replies: list[ScoreFile] | None = None
    wordnet: WordNet | None = None
    occurrences: Occurrences | None = None
    published: Published | None = None

    def scores_of_models(self) -> dict[str, Scores]:
        """Return agent -> the scores of those that are models."""
        vectors = self.settings.vectors or ()
        return {agent: table for agent, table in (self.scores or {}).items() if agent not in vectors}


class LayerResults(NamedTuple):
    """What an analysis may read of the agents with layers. `controls`: agent -> the values of a baseline."""

    values: dict[str, LayerMetrics]
    controls: dict[str, Metrics]
    averages: Averages
    targets: Literal["common", "own"]
