"""The answers of an agent in one form (ANSWERS), whatever the agent is."""

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, cast

import numpy as np
import polars as pl
import pyarrow as pa

from relprobe.core.errors import DataError
from relprobe.lm.score_files.reader import ScoreFile
from relprobe.lm.words.lexicon import Lexicon
from relprobe.studies.relations.answer_spaces import (
    LEFT_OUT,
    Ranking,
    Space,
    choose,
    log_short,
    rankings,
    token_words,
)
from relprobe.studies.relations.calibration import Calibration
from relprobe.studies.relations.lists import absence, model_lists, people_responses, spelled_lists
from relprobe.studies.relations.method import GoldStandard
from relprobe.studies.relations.probes import Prefixes, answerable, request_ids
from relprobe.studies.relations.schemas import ANSWERS, CONFIGURED, RESPONSES, WRITING, AnswerKind, Answers

logger = logging.getLogger("relprobe")


@dataclass(frozen=True)
class ScoreFiles:
    """The files that a model has answered with.

    `scores`: those of the probes, or of the prompts without a target, or the lists that it has written. `lexicon`: its words
    of one token, which scores of tokens need. `words` and `candidates`: its scores of words of any length, and of those of
    closed lists. `examples`: what stands before the probes of a model with `shots`.
    """

    scores: ScoreFile
    lexicon: Lexicon | None = None
    words: ScoreFile | None = None
    candidates: ScoreFile | None = None
    examples: Prefixes | None = None


@dataclass(frozen=True)
class ScoreReading:
    """How these files are read.

    `kind`: what `scores` are, the "scores" of the probes; those of the prompts "without_target", which are the model's own
    control; or the lists of its "writing". `answers`: what counts as an answer (`Space`). `calibrate`: "prior" and "premise"
    rank words by how much the target changes them (`Calibration`). `chat_formatted`: the model was asked in words.
    """

    kind: Literal["scores", "without_target", "writing"]
    answers: Space = "tokens"
    calibrate: Calibration = "none"
    chat_formatted: bool = False


def responses(files: ScoreFiles, gold: GoldStandard, reading: ScoreReading) -> Answers:
    """Bring what a model has answered into the form of all agents. DataError: the lexicon of tokens is missing."""
    scores, lexicon = files.scores, files.lexicon
    if reading.kind == "writing":
        return list_answers(spelled_lists(scores.table(WRITING), gold.capitals))
    if lexicon is None:
        raise DataError(
            f"{scores.path} holds tokens, but no lexicon says which words they are: name the model's lexicon."
        )
    tokens = token_words(lexicon, gold, chat_formatted=reading.chat_formatted)
    if reading.kind == "without_target":
        asked = answerable(gold.probes, lexicon)
        without_target = read_without_target(scores, tokens, gold, asked, reading.answers, files.examples)
        return plain_answers("ranking", without_target)
    words = gold.shared_lexicon
    spaces = rankings(scores, tokens, words, files.words, files.candidates)
    configured, alternatives = choose(spaces, reading.answers, reading.calibrate, gold.probes)
    if reading.answers == "words":
        log_short(configured.responses, gold.probes, gold.relata)
    return table({CONFIGURED: configured, **alternatives})


def list_answers(writing: pl.DataFrame) -> Answers:
    """Return the answers of a model from the lists that it has written (WRITING), and log if too many cannot be read."""
    reason = absence(writing)
    if reason:
        logger.warning("the agent has %s", reason)
    return plain_answers("unreadable" if reason else "lists", people_responses(model_lists(writing)))


def plain_answers(kind: AnswerKind, responses: pl.DataFrame) -> Answers:
    """Return the answers of an agent that no other choice changes, and that leaves nothing out.

    `responses`: RESPONSES, and of single annotators the number `annotator` of each.

    >>> rows = {"probe_id": ["p:hot"], "words": [["cold"]], "weights": [[1.0]]}
    >>> plain_answers("lists", pl.DataFrame(rows)).row(0)
    ('lists', 'as configured', 0, 'p:hot', ['cold'], [1.0], None, None)
    """
    nothing = {name: pl.lit(None, ANSWERS[name]) for name in ("no_word", "outside")}
    return _answers(responses.with_columns(choice=pl.lit(CONFIGURED), **nothing), kind)


def table(rankings: Mapping[str, Ranking]) -> Answers:
    """Return the rankings of a model by the choice that they stand for, one after another."""
    parts = [
        ranking.responses.join(ranking.left_out, on="probe_id", how="left", maintain_order="left").with_columns(
            choice=pl.lit(choice)
        )
        for choice, ranking in rankings.items()
    ]
    return pl.concat([_answers(part, "ranking") for part in parts])


def _answers(table: pl.DataFrame, kind: AnswerKind) -> Answers:
    """Complete the answers of an agent by its kind and, if they are no annotators', by 0 for the annotator."""
    answers = table.with_columns(kind=pl.lit(kind))
    if "annotator" not in answers.columns:
        answers = answers.with_columns(annotator=pl.lit(0))
    return answers.select(list(ANSWERS)).cast(ANSWERS)  # type: ignore[arg-type]


def kind_of(answers: Answers) -> AnswerKind:
    """Return the kind of an agent. One without any answer is a "ranking": it has no values, whatever it is."""
    return cast(AnswerKind, answers["kind"][0]) if answers.height else "ranking"


def by_choice(answers: Answers) -> dict[str, Ranking]:
    """Return choice -> the answers under it, in their order: what `table` was made of; CONFIGURED is always there.

    Where the answers of a choice stand together, they are no copies: they are most of what a step has in memory.
    """
    runs = answers["choice"].rle().struct.unnest()
    ends = runs["len"].cum_sum()
    rows = zip(runs["value"], runs["len"], ends, strict=True)
    parts = {str(choice): answers.slice(end - length, length) for choice, length, end in rows}
    if len(parts) < runs.height:
        parts = {str(name): part for (name,), part in answers.partition_by("choice", as_dict=True).items()}
    return {
        choice: Ranking(part.select(list(RESPONSES)), part.select(list(LEFT_OUT)).drop_nulls("outside"))
        for choice, part in (parts or {CONFIGURED: answers}).items()
    }


# A model's own control: its answers to the prompts without a target (`premise_requests`) stand for those to its probes.


def read_without_target(
    scores: ScoreFile,
    tokens: pl.DataFrame,
    gold: GoldStandard,
    asked: pl.DataFrame,
    answers: Space,
    prefixes: Mapping[str, str] | None = None,
) -> pl.DataFrame:
    """Return the responses of the control (RESPONSES) from the scores of its requests; none if no prompt could be asked.

    `tokens`: the words of its tokens (LEXICON). `asked`: the probes (PROBES) that the model was asked. `answers`: what
    counts as an answer. `prefixes`: probe -> what stands before it.
    """
    if scores.rows == 0:
        return pl.DataFrame(schema=RESPONSES)
    without_target = rankings(scores, tokens, gold.shared_lexicon)[answers].responses
    return responses_without_target(without_target, asked, prefixes)


def responses_without_target(
    answers: pl.DataFrame, probes: pl.DataFrame, prefixes: Mapping[str, str] | None = None
) -> pl.DataFrame:
    """Return the responses of the control (RESPONSES): to each probe those of its request, without the target itself.

    `answers`: RESPONSES, whose probe_id is the request's.
    """
    asked = probes.select("probe_id", "target", request=request_ids(probes, prefixes))
    rows = asked.join(answers.with_row_index("row"), left_on="request", right_on="probe_id", maintain_order="left")
    words = answers["words"].list.explode(keep_nulls=False, empty_as_null=False)
    weights = answers["weights"].list.explode(keep_nulls=False, empty_as_null=False).to_numpy()
    numbers = words.to_physical().to_numpy()
    targets = rows["target"].cast(pl.Categorical).to_physical().to_numpy()
    ends = answers["words"].list.len().cum_sum().to_numpy().astype(np.int64)
    starts = np.concatenate([[0], ends])[:-1]
    words_left = [np.empty(0, np.int64)]
    for row, target in zip(rows["row"].to_numpy(), targets, strict=True):
        indices = np.arange(starts[row], ends[row])
        words_left.append(indices[numbers[indices] != target])
    offsets = pa.array(np.cumsum([len(indices) for indices in words_left]), pa.int32())
    order = np.concatenate(words_left)
    columns = {
        "probe_id": rows["probe_id"].to_arrow(),
        "words": pa.ListArray.from_arrays(offsets, words[order].to_arrow()),
        "weights": pa.ListArray.from_arrays(offsets, pa.array(weights[order])),
    }
    return pl.DataFrame(pl.from_arrow(pa.table(columns))).cast(RESPONSES)  # type: ignore[arg-type]
