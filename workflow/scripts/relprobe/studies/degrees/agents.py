"""The steps of one agent: from the answers of a model, of a baseline or of a model that chooses to its values."""

from pathlib import Path
from typing import NamedTuple

import polars as pl

from relprobe.core.errors import DataError
from relprobe.lm.chat_models.replies import Replies
from relprobe.lm.score_files.reader import ScoreFile
from relprobe.report.analyses import ByAgent, tables_by_agent
from relprobe.sources.static_vectors import Vectors
from relprobe.stats.schemas import RAW
from relprobe.studies.degrees.baselines import Control, baseline
from relprobe.studies.degrees.chat import RATER, choice_values, reply_choices
from relprobe.studies.degrees.measures import TESTED
from relprobe.studies.degrees.method import rating_table, values
from relprobe.studies.degrees.raters import hidden_similarity, ratings
from relprobe.studies.degrees.relations import PrintedRelations, Relations
from relprobe.studies.degrees.results import AgentResults
from relprobe.studies.degrees.schemas import (
    LAYER_METRICS,
    Gold,
    LayerMetrics,
    Metrics,
    Probes,
    Questions,
    Ratings,
    ReplyChoices,
    Scores,
)


class AgentTables(NamedTuple):
    """The ratings of an agent, how well they agree with people's, and what analyses have of each agent."""

    ratings: Ratings
    metrics: Metrics
    by_agent: ByAgent | None = None


def model_metrics(
    scores: list[Scores],
    probes: Probes,
    gold: Gold,
    questions: Questions,
    *,
    model: str,
    raters: list[str],
    seed: int,
) -> AgentTables:
    """Turn the scores of a model into the ratings of its raters, and compare these with people's (`agent_metrics`)."""
    return agent_metrics(ratings(scores, probes, model=model, raters=raters), gold, questions, seed=seed)


def control_metrics(
    relations: Relations,
    gold: Gold,
    questions: Questions,
    supplied: Path | None = None,
    vectors: Vectors | None = None,
    printed: PrintedRelations | None = None,
    *,
    agent: Control,
    seed: int,
) -> AgentTables:
    """Rate the pairs without a language model (`baseline`), and compare the ratings with people's (`agent_metrics`).

    `printed`: the relations with the paradigms as the package writes them, which static vectors rate a second time.
    """
    rated = baseline(relations, supplied, vectors, agent=agent, seed=seed)
    as_printed = None if printed is None else baseline(printed, supplied, vectors, agent=agent, seed=seed)
    return agent_metrics(rated, gold, questions, as_printed, seed=seed)


def agent_metrics(
    ratings: Ratings, gold: Gold, questions: Questions, printed: Ratings | None = None, *, seed: int
) -> AgentTables:
    """Compare the ratings of a model's raters, or of a baseline, with people's (section 4.1).

    `printed`: the ratings with the paradigms as the package writes them. `seed` draws an order of equal ratings.
    """
    metrics = values(ratings, gold, questions)
    agent = AgentResults(metrics, gold, questions, seed, ratings=ratings, printed=printed)
    return AgentTables(ratings, metrics, tables_by_agent("degrees", agent))


class TaskTables(NamedTuple):
    """The choices of a model that takes people's task, how well they agree with people's, and what analyses have of it."""

    reply_choices: ReplyChoices
    metrics: Metrics
    by_agent: ByAgent | None = None


def task_metrics(
    replies: Replies,
    relations: Relations,
    gold: Gold,
    questions: Questions,
    *,
    model: str,
    orders: int = 1,
    seed: int = 1,
) -> TaskTables:
    """Read the choices in the replies of a model, and compare them with people's (`choice_values`)."""
    chosen, name = reply_choices(replies, relations, orders=orders), f"{model} {RATER}"
    metrics = choice_values(chosen, gold, questions, agent=name)
    agent = AgentResults(metrics, gold, questions, seed, choices=chosen)
    return TaskTables(chosen, metrics, tables_by_agent("degrees", agent))


def layer_metrics(scores: ScoreFile, probes: Probes, gold: Gold, questions: Questions) -> LayerMetrics:
    """Measure the ratings of the rater `hidden` after each layer against people's, as those of its layer are measured.

    `scores`: the states after each layer; one layer is read at a time. DataError: there are no scores.
    """
    layers = scores.layers()
    if not layers:
        raise DataError(f"{scores.path} holds no states: the study has no pair to rate.")
    parts = [pl.DataFrame(schema=LAYER_METRICS)]
    for layer in layers:
        layer_scores = scores.where(["probe_id", "values"], layer=layer)
        rated = rating_table("hidden", hidden_similarity(probes, layer_scores))
        measured = values(rated, gold, questions).filter(pl.col("metric").is_in(TESTED))
        keys = {"layer": pl.lit(layer, pl.UInt16), "variant": pl.lit(RAW)}
        parts.append(measured.with_columns(**keys).select(list(LAYER_METRICS)))
    return pl.concat(parts)
