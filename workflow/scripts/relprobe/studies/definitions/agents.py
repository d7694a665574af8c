"""The steps of one agent: from the answers of a model, of a control, of people or of a model that chooses to its values."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NamedTuple

from relprobe.lm.participants.replies import Replies
from relprobe.report.analyses import ByAgent, tables_by_agent
from relprobe.sources.static_vectors import Vectors
from relprobe.studies.definitions.baselines import baseline
from relprobe.studies.definitions.chat import reply_choices, reply_responses
from relprobe.studies.definitions.conditions import BAND_LIMITS, metrics
from relprobe.studies.definitions.method import Choices, pair_scores, rank_candidates
from relprobe.studies.definitions.people import people
from relprobe.studies.definitions.results import OfAgent
from relprobe.studies.definitions.schemas import (
    Groups,
    Metrics,
    Probes,
    Properties,
    ReplyChoices,
    Responses,
    Scores,
    Words,
)

ModelType = Literal["masked", "causal", "encoder-decoder"]


class AgentTables(NamedTuple):
    """The responses of an agent, its metrics, and what analyses have of each agent."""

    responses: Responses
    metrics: Metrics
    by_agent: ByAgent | None = None


@dataclass(frozen=True)
class AgentOptions:
    """What decides the metrics of an agent beside its responses and Choices.

    `type`: that of a model. `phrases`: the choice of the study. `bands`: the uses from which a word is medium, and frequent.
    """

    agent: str
    type: ModelType | None = None
    phrases: Literal["own", "joined"] = "own"
    bands: list[int] | None = None


def model_metrics(
    scores: Scores, groups: Groups, probes: Probes, properties: Properties, choices: Choices, options: AgentOptions
) -> AgentTables:
    """Rank the candidates by the scores of a model (section 2.3), and compute its metrics (`agent_metrics`)."""
    ranked = rank_candidates(pair_scores(scores, masked=options.type == "masked", choices=choices), groups, probes)
    return agent_metrics(ranked, groups, probes, properties, choices, options, scores)


def control_metrics(
    groups: Groups,
    probes: Probes,
    properties: Properties,
    choices: Choices,
    options: AgentOptions,
    vectors: Vectors | None = None,
    words: Words | None = None,
) -> AgentTables:
    """Rank the candidates without a language model (`baseline`), and compute the metrics (`agent_metrics`)."""
    ranked = baseline(groups, probes, vectors, words, agent=options.agent)
    return agent_metrics(ranked, groups, probes, properties, choices, options)


def people_metrics(
    answers: Path,
    groups: Groups,
    probes: Probes,
    properties: Properties,
    choices: Choices,
    options: AgentOptions,
    *,
    layout: dict[str, Any] | None = None,
) -> AgentTables:
    """Read people's answers, of whose file `answers` is the manifest, and compute their metrics (`agent_metrics`)."""
    return agent_metrics(people(answers, groups, probes, layout), groups, probes, properties, choices, options)


class TakerTables(NamedTuple):
    """The choices of a model that takes people's task, and the tables of an agent."""

    reply_choices: ReplyChoices
    responses: Responses
    metrics: Metrics
    by_agent: ByAgent | None = None


def taker_metrics(
    replies: Replies,
    groups: Groups,
    probes: Probes,
    properties: Properties,
    choices: Choices,
    options: AgentOptions,
    *,
    orders: int = 1,
    large: bool = False,
) -> TakerTables:
    """Read the choices in the replies of a model, and compute their metrics (`agent_metrics`)."""
    chosen = reply_choices(replies, groups, probes, orders=orders, large=large)
    return TakerTables(chosen, *agent_metrics(reply_responses(chosen), groups, probes, properties, choices, options))


def agent_metrics(
    responses: Responses,
    groups: Groups,
    probes: Probes,
    properties: Properties,
    choices: Choices,
    options: AgentOptions,
    scores: Scores | None = None,
) -> AgentTables:
    """Compute precision at 1 and the rank score of one agent for every group and task, and what analyses have of an agent.

    Section 2.4. `choices` are those of the study; `ties` among them says whether equal scores count by their mean over all
    orders, or are ranked in a drawn one. `scores` are a model's.
    """
    agent = OfAgent(
        options.agent,
        responses,
        groups,
        probes,
        properties,
        choices,
        scores,
        masked=options.type == "masked",
        joined=options.phrases == "joined",
        bands=options.bands,
    )
    values = metrics(responses, properties, choices.ties, options.bands or BAND_LIMITS)
    return AgentTables(responses, values, tables_by_agent("definitions", agent))
