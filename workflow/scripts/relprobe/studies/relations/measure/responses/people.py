"""People who were asked the probes: their lists, and the responses of all of them together."""

import logging
from pathlib import Path
from typing import NamedTuple

import polars as pl

from relprobe.core.errors import DataError
from relprobe.core.files import ShownTables
from relprobe.core.manifest import only_file
from relprobe.sources.human_responses import Answer, check_prompts, failed_answers, read
from relprobe.sources.language import LanguageFile
from relprobe.sources.relations import RelationsFile
from relprobe.studies.relations.ask.prompts import Prompts, names_of
from relprobe.studies.relations.measure.responses.agents import of_agent
from relprobe.studies.relations.measure.responses.ranked_lists import (
    UNMATCHED,
    Lists,
    annotator_lists,
    of_annotators,
    of_each_annotator,
    unmatched_answers,
)
from relprobe.studies.relations.schemas import Answers, Probes

logger = logging.getLogger("relprobe")


class People(NamedTuple):
    """The annotators' lists, the answers of all together and of each annotator, and the answers to no probe of the study."""

    lists: Lists
    humans: Answers
    annotator: Answers
    tables: ShownTables


def people(answers: Path, probes: Probes, prompts: Prompts, relations: RelationsFile, language: LanguageFile) -> People:
    """Turn the annotators' answers into lists, and these into the answers of two agents (section 5).

    All lists of a probe together are one response of `humans`, and each list alone is one of an `annotator`.

    `answers`: the manifest of the answers. DataError: all answers are to no probe of the study, one is to an unknown prompt,
    or a participant gives a rank twice to a prompt.
    """
    file = only_file(answers)
    if file.suffix.lower() == ".csv":
        check_prompts(file, relations, names_of(prompts))
    words = read(file, relations.answer_keys, language.answer_articles)
    failed = failed_answers(file, relations.answer_keys, language.answer_articles)
    if words.is_empty() and failed:
        raise DataError(
            f"{file}: all participants failed a catch item; of the first one, {failed[0][1]}: correct the file."
        )
    lost = unmatched_answers(words, probes, prompts)
    if lost.height == words.height:
        why = f" Of the first one, {lost['reason'][0]}." if lost.height else ""
        raise DataError(f"{file}: none of its {words.height} answers is to a probe of the study.{why} Compare the two.")
    logger.info("%d of %d answers are to no probe of the study.", lost.height, words.height)
    lists = annotator_lists(words, probes, prompts)
    together, each = of_agent("people", of_annotators(lists)), of_agent("annotator", of_each_annotator(lists))
    return People(lists, together, each, {"unmatched_answers": pl.concat([lost, _excluded(failed)])})


def _excluded(failed: list[tuple[Answer, str]]) -> pl.DataFrame:
    """Return the answers of those who failed a catch item as UNMATCHED."""
    rows = [
        (target, relation, prompt, participant, word, reason)
        for (target, relation, prompt, participant, _, word), reason in failed
    ]
    return pl.DataFrame(rows, schema=UNMATCHED, orient="row")
