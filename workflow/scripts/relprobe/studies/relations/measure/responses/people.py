"""People who were asked the probes: their lists, and the responses of all of them together."""

import logging
from pathlib import Path
from typing import NamedTuple

from relprobe.core.errors import DataError
from relprobe.core.files import ShownTables
from relprobe.core.manifest import only_file
from relprobe.sources.human_responses import read
from relprobe.sources.language import LanguageFile
from relprobe.sources.relations import RelationsFile
from relprobe.studies.relations.ask.prompts import Prompts
from relprobe.studies.relations.ask.requests import Probes
from relprobe.studies.relations.measure.responses.agents import of_agent
from relprobe.studies.relations.measure.responses.ranked_lists import Lists, annotator_lists, of_annotators, unmatched
from relprobe.studies.relations.schemas import Answers

logger = logging.getLogger("relprobe")


class People(NamedTuple):
    """The annotators' lists, the responses of all together (`out`), and the answers to no probe of the study."""

    lists: Lists
    out: Answers
    tables: ShownTables


def people(answers: Path, probes: Probes, prompts: Prompts, relations: RelationsFile, language: LanguageFile) -> People:
    """Turn the annotators' answers into lists, and all lists of a probe into one response: ranked words (section 5).

    `answers`: the manifest of the answers. DataError: all answers of the file are to no probe of the study.
    """
    file = only_file(answers)
    words = read(file, relations.answer_keys, language.answer_articles)
    lost = unmatched(words, probes, prompts)
    if lost.height == words.height:
        why = f" Of the first one, {lost['reason'][0]}." if lost.height else ""
        raise DataError(f"{file}: none of its {words.height} answers is to a probe of the study.{why} Compare the two.")
    logger.info("%d of %d answers are to no probe of the study.", lost.height, words.height)
    lists = annotator_lists(words, probes, prompts)
    return People(lists, of_agent(of_annotators(lists)), {"unmatched_answers": lost})
