"""The steps of one agent: from the scores of a model, of vectors or of a control, or from replies, to its values."""

from typing import NamedTuple

import polars as pl

from relprobe.core.errors import DataError
from relprobe.lm.chat_models.replies import Replies
from relprobe.sources.static_vectors import Vectors
from relprobe.studies.systematicity.baselines import majority, nearest_scores
from relprobe.studies.systematicity.chat import choice_metrics, reply_choices
from relprobe.studies.systematicity.method import detection_values, responses, values
from relprobe.studies.systematicity.schemas import Detections, Items, Metrics, Pairs, Probes, ReplyChoices, Scores


def metrics(scores: Scores, probes: Probes, item_table: Items, detections: Detections | None = None) -> Metrics:
    """Compute the values of an agent: its answers to the diagnostics, and its classifier, if it has one (section 3.1)."""
    answered = values(responses(scores, probes, item_table))
    return answered if detections is None else pl.concat([answered, detection_values(detections)])


def control_metrics(
    item_table: Items,
    scores: Scores | None = None,
    probes: Probes | None = None,
    vectors: Vectors | None = None,
    pairs: Pairs | None = None,
) -> Metrics:
    """Compute the values of a control: a model's answers to probes without a relation, a look-up, or the majority's.

    `scores`: those of the model. DataError: there are neither pairs, nor the probes with scores or vectors.
    """
    if scores is not None and probes is not None:
        return values(responses(scores, probes, item_table), control=True)
    if vectors is not None and probes is not None:
        return values(responses(nearest_scores(vectors, probes, item_table), probes, item_table))
    if pairs is None:
        raise DataError("a control has the probes with scores or vectors, or else the pairs: name these files.")
    return majority(item_table, pairs)


class TaskTables(NamedTuple):
    """The choices of a model that takes people's task, and its values."""

    reply_choices: ReplyChoices
    metrics: Metrics


def task_metrics(
    replies: Replies,
    item_table: Items,
    probes: Probes,
    *,
    categories: dict[str, list[str]],
    seed: int,
    orders: int = 1,
) -> TaskTables:
    """Read the choices in the replies of a model, and measure them (`choice_metrics`)."""
    chosen = reply_choices(replies, item_table, probes, categories=categories, seed=seed, orders=orders)
    return TaskTables(chosen, choice_metrics(chosen, item_table))
