"""People as an agent: the ranks that they gave the candidates (Table 8)."""

import logging
from collections.abc import Iterable
from itertools import groupby
from pathlib import Path

import polars as pl

from relprobe.core.errors import DataError
from relprobe.core.manifest import only_file
from relprobe.sources.own.definition_answers import Rank, read
from relprobe.studies.definitions.ask.questionnaire import Candidates, candidates
from relprobe.studies.definitions.schemas import RESPONSES, Groups, Probes, Responses

logger = logging.getLogger("relprobe")


def people(answers: Path, groups: Groups, probes: Probes) -> Responses:
    """Read people's answers as those of one more agent. `answers` is the manifest of their file, which errors name."""
    file = only_file(answers)
    return responses(read(file), candidates(groups, probes), file)


def responses(ranks: Iterable[Rank], of_groups: Candidates, path: Path) -> Responses:
    """Return people's answers, a row per participant, task and group; `path`: their file.

    Candidates that a participant did not rank share the places after those that he or she ranked: if the right one is among
    them, it has no rank, and `tied` counts the others. Answers about groups that the study does not ask are left out, and
    the log counts them. DataError: a text is no candidate of its task, or no answer is about the study.
    """
    rows, others = [], []
    ordered = sorted(ranks, key=lambda one: (*_sheet(one), one.rank))
    for (task, group, _), given in groupby(ordered, _sheet):
        if (task, group) in of_groups:
            rows.append(_response(task, group, list(given), of_groups[task, group], path))
        else:
            others.append(f"{task} of {group}")
    if not rows:
        raise DataError(
            f"{path} has no answer to the groups of this study, such as {next(iter(of_groups))[1]}: name its groups in "
            "definitions.targets."
        )
    if others:
        logger.warning("%d answers are to other groups, such as %s, and are left out", len(others), others[0])
    return pl.DataFrame(rows, schema=RESPONSES, orient="row")


def _sheet(one: Rank) -> tuple[str, str, str]:
    return one.task, one.group, one.participant


def _response(task: str, group: str, given: list[Rank], texts: list[str], path: Path) -> tuple[object, ...]:
    wrong = [one for one in given if one.candidate not in texts]
    if wrong:
        raise DataError(
            f"{path}, line {wrong[0].line}: {wrong[0].candidate!r} is no candidate of {task} of {group}: write it as the "
            "study does, for example as in its questionnaire."
        )
    place = next((one.rank for one in given if one.candidate == texts[0]), None)
    better = len(given) if place is None else place - 1
    tied = len(texts) - len(given) - 1 if place is None else 0
    return task, group, len(texts), better, tied, place, given[0].candidate
