"""The steps of one agent: from the answers of a model, of a control, of people or of a model that chooses to its values."""

from pathlib import Path
from typing import Any, NamedTuple

from relprobe.lm.chat_models.replies import Replies
from relprobe.report.analyses import ByAgent, tables_by_agent
from relprobe.sources.static_vectors import Vectors
from relprobe.studies.definitions.baselines import baseline
from relprobe.studies.definitions.chat import reply_choices, reply_responses
from relprobe.studies.definitions.choices import Choices
from relprobe.studies.definitions.conditions import BAND_LIMITS, metrics
from relprobe.studies.definitions.method import pair_scores, rank_candidates
from relprobe.studies.definitions.people import people
from relprobe.studies.definitions.results import AgentOptions, AgentResults, Items
from relprobe.studies.definitions.schemas import Metrics, ReplyChoices, Responses, Scores, Words


class AgentTables(NamedTuple):
    """The responses of an agent, its metrics, and what analyses have of each agent."""

    responses: Responses
    metrics: Metrics
    by_agent: ByAgent | None = None


def model_metrics(scores: Scores, items: Items, choices: Choices, options: AgentOptions) -> AgentTables:
    """Rank the candidates by the scores of a model (section 2.3), and compute its metrics (`agent_metrics`)."""
    scored_pairs = pair_scores(scores, masked=options.type == "masked", choices=choices)
    return agent_metrics(rank_candidates(scored_pairs, items.groups, items.probes), items, choices, options, scores)


def control_metrics(
    items: Items, choices: Choices, options: AgentOptions, vectors: Vectors | None = None, words: Words | None = None
) -> AgentTables:
    """Rank the candidates without a language model (`baseline`), and compute the metrics (`agent_metrics`)."""
    ranked = baseline(items.groups, items.probes, vectors, words, agent=options.agent)
    return agent_metrics(ranked, items, choices, options)


def people_metrics(
    answers: Path, items: Items, choices: Choices, options: AgentOptions, *, layout: dict[str, Any] | None = None
) -> AgentTables:
    """Read people's answers, of whose file `answers` is the manifest, and compute their metrics (`agent_metrics`)."""
    return agent_metrics(people(answers, items.groups, items.probes, layout), items, choices, options)


class TaskTables(NamedTuple):
    """The choices of a model that takes people's task, and the tables of an agent."""

    reply_choices: ReplyChoices
    responses: Responses
    metrics: Metrics
    by_agent: ByAgent | None = None


def task_metrics(
    replies: Replies, items: Items, choices: Choices, options: AgentOptions, *, orders: int = 1, large: bool = False
) -> TaskTables:
    """Read the choices in the replies of a model, and compute their metrics (`agent_metrics`)."""
    chosen = reply_choices(replies, items.groups, items.probes, orders=orders, large=large)
    return TaskTables(chosen, *agent_metrics(reply_responses(chosen), items, choices, options))


def agent_metrics(
    responses: Responses, items: Items, choices: Choices, options: AgentOptions, scores: Scores | None = None
) -> AgentTables:
    """Compute precision at 1 and the rank score of one agent for every group and task, and what analyses have of an agent.

    Section 2.4. `choices` are those of the study; `ties` among them says whether equal scores count by their mean over all
    orders, or are ranked in a drawn one. `scores` are a model's.
    """
    values = metrics(responses, items.properties, choices.ties, options.bands or BAND_LIMITS)
    agent = AgentResults(responses, items, choices, options, scores)
    return AgentTables(responses, values, tables_by_agent("definitions", agent))
