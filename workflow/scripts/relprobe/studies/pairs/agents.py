"""The steps of one agent: from the answers of a model, of a control, of people or in words to its values."""

from pathlib import Path
from typing import Annotated, NamedTuple

import polars as pl

from relprobe.core.errors import DataError
from relprobe.core.files import Format
from relprobe.core.manifest import only_file
from relprobe.lm.chat_models.replies import Replies
from relprobe.lm.score_files.reader import ScoreFile
from relprobe.sources.language import LanguageFile
from relprobe.sources.own import judged_pairs
from relprobe.sources.own.judged_pairs import JudgedPair
from relprobe.sources.static_vectors import Vectors
from relprobe.stats.schemas import RAW
from relprobe.studies.pairs.baselines import Control, baseline
from relprobe.studies.pairs.chat import PICK, choice_values, reply_choices, reply_judgments, sheets
from relprobe.studies.pairs.measures import LAYERED
from relprobe.studies.pairs.method import judgments, scores_of_judge, values
from relprobe.studies.pairs.people import HUMANS, people, people_choices
from relprobe.studies.pairs.prompts import PromptFile
from relprobe.studies.pairs.schemas import (
    JUDGMENTS,
    LAYER_METRICS,
    Items,
    Judgments,
    Known,
    LayerMetrics,
    Metrics,
    Probes,
    ReplyChoices,
    Scores,
)


def read_answers(manifest: Path) -> list[JudgedPair]:
    """Read the only file of a fetched resource as people's answers."""
    return judged_pairs.read_answers(only_file(manifest))


PeoplesAnswers = Annotated[list[JudgedPair], Format(read_answers)]


class AgentTables(NamedTuple):
    """The judgments of an agent, and how well they tell right pairs from foils and agree with ratings."""

    judgments: Judgments
    metrics: Metrics


def model_metrics(
    scores: list[Scores], probes: Probes, item_table: Items, *, model: str, judges: list[str]
) -> AgentTables:
    """Turn the scores of a model into the judgments of its judges and of their controls, and measure these."""
    return agent_metrics(judgments(scores, probes, model=model, judges=judges), item_table)


def control_metrics(
    item_table: Items,
    probes: Probes,
    known_relata: Known,
    language: LanguageFile,
    vectors: Vectors | None = None,
    *,
    agent: Control,
    measures: list[str] | None = None,
) -> AgentTables:
    """Judge the pairs without a language model (`baseline`), and measure the judgments."""
    judged = baseline(
        item_table, probes, known_relata, vectors, agent=agent, language=language.wordfreq, measures=measures or []
    )
    return agent_metrics(judged, item_table)


def people_metrics(answers: PeoplesAnswers, item_table: Items, probes: Probes) -> "TaskTables":
    """Measure people's judgments of the pairs and their choices, which a file has.

    Where they have chosen words, the metric choice is of these, and else of what they judge surest. DataError: the file
    judges no pair of the study.
    """
    judged, chosen = people(answers, probes), people_choices(answers, item_table)
    if judged.is_empty() and chosen.is_empty():
        raise DataError("pair_answers: no pair of the file is a pair of this study: give judgments of its pairs.")
    prompts = dict(
        probes.group_by("relation", maintain_order=True).agg(pl.col("prompt").unique(maintain_order=True)).iter_rows()
    )
    picked = choice_values(chosen, prompts, agent=HUMANS)
    measured = values(judged, item_table)
    if not picked.is_empty():
        measured = measured.filter(pl.col("metric") != "choice")
    return TaskTables(chosen, judged, pl.concat([measured, picked]))


def agent_metrics(judgments: Judgments, item_table: Items) -> AgentTables:
    """Measure the judgments of one or several agents (`method.values`)."""
    return AgentTables(judgments, values(judgments, item_table))


class TaskTables(NamedTuple):
    """The choices of people or of an agent that is asked in words, the judgments, and how good they are."""

    reply_choices: ReplyChoices
    judgments: Judgments
    metrics: Metrics


def task_metrics(
    replies: Replies,
    item_table: Items,
    prompts: PromptFile,
    language: LanguageFile,
    *,
    model: str,
    scale: list[int],
    tasks: list[str],
    orders: int = 1,
) -> TaskTables:
    """Read the choices in the replies of a model, and measure its judgments and its picks."""
    asked = sheets(item_table, prompts, language.articles.chooser, tasks, scale, orders)
    chosen = reply_choices(replies, asked)
    judged = reply_judgments(chosen, prompts, model=model)
    first = {relation: [of[0].id] for relation, of in prompts.relation_prompts.items()}  # that of the questions
    picked = choice_values(chosen, first, agent=f"{model} {PICK}")
    return TaskTables(chosen, judged, pl.concat([values(judged, item_table), picked]))


def layer_metrics(scores: ScoreFile, probes: Probes, item_table: Items) -> LayerMetrics:
    """Measure the judgments of the judge `embedding` after each layer, as those of its layer are measured.

    `scores`: the states after each layer; one layer is read at a time. DataError: there are no scores.
    """
    layers = scores.layers()
    if not layers:
        raise DataError(f"{scores.path} holds no states: the study has no pair to judge.")
    parts = [pl.DataFrame(schema=LAYER_METRICS)]
    for layer in layers:
        table = scores_of_judge("embedding", probes, scores.where(["probe_id", "values"], layer=layer))
        judged = table.filter(pl.col("first") != "", pl.col("second") != "").with_columns(agent=pl.lit("embedding"))
        measured = values(judged.select(list(JUDGMENTS)), item_table).filter(pl.col("metric").is_in(LAYERED))
        keys = {"layer": pl.lit(layer, pl.UInt16), "variant": pl.lit(RAW)}
        parts.append(measured.with_columns(**keys).select(list(LAYER_METRICS)))
    return pl.concat(parts)
