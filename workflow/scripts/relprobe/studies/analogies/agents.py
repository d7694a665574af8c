"""The steps of one agent: from the scores of a model, the vectors of a baseline or choices in words to its values."""

from typing import NamedTuple

import polars as pl

from relprobe.lm.chat_models.replies import Replies
from relprobe.lm.score_files.reader import ScoreFile
from relprobe.report.analyses import ByAgent, tables_by_agent
from relprobe.studies.analogies.chat import reply_choices, reply_decisions
from relprobe.studies.analogies.method import Perplexity, by_cosine, by_perplexity, values
from relprobe.studies.analogies.results import AgentResults
from relprobe.studies.analogies.schemas import Decisions, Instances, Metrics, Partition, ReplyChoices, Scores, Tuples


class AgentTables(NamedTuple):
    """The decisions of an agent in the unsupervised setting, its accuracies, and what analyses have of each agent."""

    unsupervised: Decisions
    metrics: Metrics
    by_agent: ByAgent | None = None


def model_metrics(
    scores: Scores,
    instances: Instances,
    tuples: Tuples,
    decisions: Decisions | None = None,
    *,
    template: str,
    partitions: list[Partition],
    perplexity: Perplexity,
) -> AgentTables:
    """Choose by a model's perplexity (`by_perplexity`), and compute its accuracies (`agent_metrics`)."""
    chosen = by_perplexity(scores, instances, template=template, partitions=partitions, perplexity=perplexity)
    return agent_metrics(chosen, tuples, decisions)


def control_metrics(
    vectors: ScoreFile,
    instances: Instances,
    tuples: Tuples,
    decisions: Decisions | None = None,
    *,
    partitions: list[Partition],
) -> AgentTables:
    """Choose by a baseline's cosines (`by_cosine`), and compute its accuracies (`agent_metrics`)."""
    return agent_metrics(by_cosine(vectors, instances, partitions=partitions), tuples, decisions)


class TaskTables(NamedTuple):
    """The choices of a model that takes people's task, and the tables of an agent."""

    reply_choices: ReplyChoices
    unsupervised: Decisions
    metrics: Metrics
    by_agent: ByAgent | None = None


def task_metrics(
    replies: Replies, instances: Instances, tuples: Tuples, *, partitions: list[Partition], line: str, orders: int = 1
) -> TaskTables:
    """Read the choices in the replies of a model, and compute their accuracies (`agent_metrics`)."""
    chosen = reply_choices(replies, instances, partitions=partitions, line=line, orders=orders)
    return TaskTables(chosen, *agent_metrics(reply_decisions(chosen, instances, partitions=partitions), tuples))


def agent_metrics(choices: Decisions, tuples: Tuples, decisions: Decisions | None = None) -> AgentTables:
    """Compute the accuracies of an agent in both settings.

    `choices` and `decisions`: those of the unsupervised and of the supervised setting; an agent may lack the second.
    """
    judged = pl.concat(table for table in (decisions, choices) if table is not None)
    return AgentTables(choices, values(judged, tuples), tables_by_agent("analogies", AgentResults(judged, tuples)))
