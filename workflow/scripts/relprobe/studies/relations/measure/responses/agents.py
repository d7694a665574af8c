"""The answers of an agent in one form (ANSWERS), whatever the agent is."""

import logging
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

import polars as pl

from relprobe.core.errors import DataError
from relprobe.core.files import read_table
from relprobe.lm.words.lexicon import Lexicon
from relprobe.studies.relations.ask.requests import Befores
from relprobe.studies.relations.data.gold import GoldStandard
from relprobe.studies.relations.measure.responses import without_target
from relprobe.studies.relations.measure.responses.answer_space import Ranking, Space, choose, log_short, rankings
from relprobe.studies.relations.measure.responses.calibration import Calibration
from relprobe.studies.relations.measure.responses.ranked_lists import model_lists, of_annotators
from relprobe.studies.relations.schemas import ANSWERS, CONFIGURED, WRITING, Answers

logger = logging.getLogger("relprobe")


def responses(
    scores: Path,
    gold: GoldStandard,
    lexicon: Lexicon | None = None,
    words: Path | None = None,
    candidates: Path | None = None,
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
        return of_agent(of_annotators(model_lists(read_table(scores, WRITING))))
    if lexicon is None:
        raise DataError(f"{scores} holds tokens, but no lexicon says which words they are: name the model's lexicon.")
    if kind == "without_target":
        return of_agent(without_target.read(scores, lexicon, gold, answers, examples, spoken=spoken))
    spaces = rankings(scores, lexicon, gold.shared_lexicon, words, candidates, spoken=spoken)
    own, others = choose(spaces, answers, calibrate, gold.probes)
    if answers == "words":
        log_short(own.responses, gold.probes, gold.relata)
    return table({CONFIGURED: own, **others})


def of_agent(responses: pl.DataFrame) -> Answers:
    """Return the responses (RESPONSES) of an agent that no other choice changes, and that leaves nothing out.

    >>> rows = {"probe_id": ["p:hot"], "words": [["cold"]], "weights": [[1.0]]}
    >>> of_agent(pl.DataFrame(rows)).row(0)
    ('as configured', 'p:hot', ['cold'], [1.0], None, None)
    """
    columns = {name: pl.lit(None, ANSWERS[name]) for name in ("no_word", "outside")}
    table = responses.with_columns(choice=pl.lit(CONFIGURED), **columns)
    return table.select(list(ANSWERS)).cast(ANSWERS)  # type: ignore[arg-type]


def table(rankings: Mapping[str, Ranking]) -> Answers:
    """Return the rankings of a model by the choice that they stand for, one after another."""
    parts = [
        one.responses.join(one.left_out, on="probe_id", how="left", maintain_order="left").with_columns(
            choice=pl.lit(choice)
        )
        for choice, one in rankings.items()
    ]
    return pl.concat([part.select(list(ANSWERS)).cast(ANSWERS) for part in parts])  # type: ignore[arg-type]


def by_choice(answers: Answers) -> dict[str, Ranking]:
    """Return choice -> the answers under it, in their order: what `table` was made of."""
    parts = answers.partition_by("choice", as_dict=True, include_key=False, maintain_order=True)
    return {
        str(choice): Ranking(
            part.drop("no_word", "outside"), part.select("probe_id", "no_word", "outside").drop_nulls("outside")
        )
        for (choice,), part in parts.items()
    }
