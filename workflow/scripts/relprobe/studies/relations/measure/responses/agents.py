"""The answers of an agent in one form (ANSWERS), whatever the agent is."""

import logging
from collections.abc import Mapping
from typing import Literal, cast

import polars as pl

from relprobe.core.errors import DataError
from relprobe.lm.score_files.reader import ScoreFile
from relprobe.lm.words.lexicon import Lexicon
from relprobe.studies.relations.ask.requests import Befores
from relprobe.studies.relations.data.gold import GoldStandard
from relprobe.studies.relations.measure.responses import without_target
from relprobe.studies.relations.measure.responses.answer_space import (
    LEFT_OUT,
    Ranking,
    Space,
    choose,
    log_short,
    rankings,
)
from relprobe.studies.relations.measure.responses.calibration import Calibration
from relprobe.studies.relations.measure.responses.ranked_lists import model_lists, of_annotators
from relprobe.studies.relations.measure.responses.unreadable import absence
from relprobe.studies.relations.schemas import ANSWERS, CONFIGURED, RESPONSES, WRITING, AnswerKind, Answers

logger = logging.getLogger("relprobe")


def responses(
    scores: ScoreFile,
    gold: GoldStandard,
    lexicon: Lexicon | None = None,
    words: ScoreFile | None = None,
    candidates: ScoreFile | None = None,
    examples: Befores | None = None,
    *,
    kind: Literal["scores", "without_target", "writing"],
    answers: Space = "tokens",
    calibrate: Calibration = "none",
    spoken: bool = False,
) -> Answers:
    """Bring what a model has answered into the form of all agents.

    `scores`: the file that the model has answered with. Its `kind`: the "scores" of the probes; those of the prompts
    "without_target", which are the model's own control; or the lists of its "writing". The first two need the model's
    `lexicon`. `words` and `candidates`: its scores of words of any length, and of those of closed lists. `answers`: what
    counts as an answer (answer_space.py). `calibrate`: "prior" and "premise" rank words by how much the target changes
    them (calibration.py). `examples`: what stands before the probes of a model with `shots`. `spoken`: it was asked in
    words. DataError: the lexicon is missing.
    """
    if kind == "writing":
        return of_lists(scores.table(WRITING))
    if lexicon is None:
        raise DataError(
            f"{scores.path} holds tokens, but no lexicon says which words they are: name the model's lexicon."
        )
    if kind == "without_target":
        return of_agent("ranking", without_target.read(scores, lexicon, gold, answers, examples, spoken=spoken))
    spaces = rankings(scores, lexicon, gold.shared_lexicon, words, candidates, spoken=spoken)
    own, others = choose(spaces, answers, calibrate, gold.probes)
    if answers == "words":
        log_short(own.responses, gold.probes, gold.relata)
    return table({CONFIGURED: own, **others})


def of_lists(writing: pl.DataFrame) -> Answers:
    """Return the answers of a model from the lists that it has written (WRITING), and log if too many cannot be read."""
    reason = absence(writing)
    if reason:
        logger.warning("the agent has %s", reason)
    return of_agent("unreadable" if reason else "lists", of_annotators(model_lists(writing)))


def of_agent(kind: AnswerKind, responses: pl.DataFrame) -> Answers:
    """Return the answers of an agent that no other choice changes, and that leaves nothing out.

    `responses`: RESPONSES, and of single annotators the number `annotator` of each.

    >>> rows = {"probe_id": ["p:hot"], "words": [["cold"]], "weights": [[1.0]]}
    >>> of_agent("lists", pl.DataFrame(rows)).row(0)
    ('lists', 'as configured', 0, 'p:hot', ['cold'], [1.0], None, None)
    """
    nothing = {name: pl.lit(None, ANSWERS[name]) for name in ("no_word", "outside")}
    return _answers(responses.with_columns(choice=pl.lit(CONFIGURED), **nothing), kind)


def table(rankings: Mapping[str, Ranking]) -> Answers:
    """Return the rankings of a model by the choice that they stand for, one after another."""
    parts = [
        one.responses.join(one.left_out, on="probe_id", how="left", maintain_order="left").with_columns(
            choice=pl.lit(choice)
        )
        for choice, one in rankings.items()
    ]
    return pl.concat([_answers(part, "ranking") for part in parts])


def _answers(table: pl.DataFrame, kind: AnswerKind) -> Answers:
    """Complete the answers of an agent by its kind and, if they are no annotators', by 0 for the annotator."""
    own = table.with_columns(kind=pl.lit(kind))
    if "annotator" not in own.columns:
        own = own.with_columns(annotator=pl.lit(0))
    return own.select(list(ANSWERS)).cast(ANSWERS)  # type: ignore[arg-type]


def kind_of(answers: Answers) -> AnswerKind:
    """Return the kind of an agent. One without any answer is a "ranking": it has no values, whatever it is."""
    return cast(AnswerKind, answers["kind"][0]) if answers.height else "ranking"


def by_choice(answers: Answers) -> dict[str, Ranking]:
    """Return choice -> the answers under it, in their order: what `table` was made of; CONFIGURED is always there."""
    parts = answers.partition_by("choice", as_dict=True, maintain_order=True) or {(CONFIGURED,): answers}
    return {
        str(choice): Ranking(part.select(list(RESPONSES)), part.select(list(LEFT_OUT)).drop_nulls("outside"))
        for (choice,), part in parts.items()
    }
