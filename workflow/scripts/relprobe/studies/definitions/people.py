"""People as an agent (Table 8): the form that they fill in, and the ranks that they gave the candidates, as responses."""

import logging
import random
from collections.abc import Iterable
from itertools import groupby
from pathlib import Path
from typing import Any

import polars as pl

from relprobe.core.errors import DataError
from relprobe.core.files import Csv
from relprobe.core.manifest import only_file
from relprobe.core.words import amount
from relprobe.sources.exported import Layout
from relprobe.sources.own.definition_answers import Rank, read
from relprobe.studies.definitions.probes import Candidates, candidate_texts
from relprobe.studies.definitions.schemas import FEW, RESPONSES, TASKS, Groups, Probes, Responses

logger = logging.getLogger("relprobe")

# The form: the candidates of groups, which every participant ranks.


FORM = pl.Schema(
    {
        "participant": pl.String(),
        "task": pl.String(),
        "question": pl.String(),  # the word (W2D) or the definition (D2W)
        "candidate": pl.String(),
        "rank": pl.UInt16(),  # empty
        "group": pl.String(),
    }
)


def questionnaire(
    groups: Groups, probes: Probes, *, participants: int = 2, each: int | None = None, seed: int = 1
) -> Csv:
    """Write the empty form of people's answers: groups of up to ten candidates, which every participant ranks.

    `participants`: their number. `each`: how many groups are drawn, the same for all; by default all are asked.
    """
    return form(candidate_texts(groups, probes), groups, participants, each, seed)


def form(candidate_lists: Candidates, groups: Groups, participants: int, size: int | None, seed: int) -> pl.DataFrame:
    """Return the empty form (FORM): every participant ranks the candidates of groups of up to FEW candidates.

    Both tasks are asked of a group. Tasks and candidates are in a random order of their own for each participant. `size`:
    how many groups, drawn once for all participants; None takes all. DataError: there are no such groups, or fewer.
    """
    small = [
        group for group in groups["group"] if all(2 <= len(candidate_lists.get((t, group), ())) <= FEW for t in TASKS)
    ]
    if len(small) < (size or 1):
        raise DataError(
            f"the study has {amount(len(small), 'group')} of up to {FEW} candidates, but "
            f"{amount(size or 1, 'is', 'are')} asked for: take a larger sample, or fewer groups."
        )
    chosen = set(random.Random(seed).sample(small, size or len(small)))  # noqa: S311
    questions = {
        group: dict(zip(TASKS, texts, strict=True))
        for group, *texts in groups.select("group", "word", "definition").rows()
    }
    rows = []
    for person in range(1, participants + 1):
        order = random.Random(f"{seed} {person}")  # noqa: S311
        tasks = [(task, group) for task in TASKS for group in small if group in chosen]
        for task, group in order.sample(tasks, len(tasks)):
            texts = candidate_lists[task, group]
            question = questions[group][task]
            rows += [(str(person), task, question, text, None, group) for text in order.sample(texts, len(texts))]
    return pl.DataFrame(rows, schema=FORM, orient="row")


# The responses.


def people(answers: Path, groups: Groups, probes: Probes, layout: dict[str, Any] | None = None) -> Responses:
    """Read people's answers as those of one more agent.

    `answers` is the manifest of their file, which errors name. `layout`: what the configuration says of their table.
    """
    file = only_file(answers)
    return people_responses(read(file, Layout.of(layout)), candidate_texts(groups, probes), file)


def people_responses(ranks: Iterable[Rank], candidate_lists: Candidates, path: Path) -> Responses:
    """Return people's answers, a row per participant, task and group; `path`: their file.

    Candidates that a participant did not rank share the places after those that he or she ranked: if the right one is among
    them, it has no rank, and `tied` counts the others. Answers about groups that the study does not ask are left out, and
    the log counts them. DataError: a text is no candidate of its task, or no answer is about the study.
    """
    rows, not_asked = [], []
    ordered = sorted(ranks, key=lambda ranking: (*sheet(ranking), ranking.rank))
    for (task, group, _), sheet_ranks in groupby(ordered, sheet):
        if (task, group) in candidate_lists:
            rows.append(_response(task, group, list(sheet_ranks), candidate_lists[task, group], path))
        else:
            not_asked.append(f"{task} of {group}")
    if not rows:
        raise DataError(
            f"{path} has no answer to the groups of this study, such as {next(iter(candidate_lists))[1]}: name its groups "
            "in definitions.targets."
        )
    if not_asked:
        logger.warning("%d answers are to other groups, such as %s, and are left out", len(not_asked), not_asked[0])
    return pl.DataFrame(rows, schema=RESPONSES, orient="row")


def sheet(ranking: Rank) -> tuple[str, str, str]:
    """Return the key of people's rankings of one group: the task, the group and the participant."""
    return ranking.task, ranking.group, ranking.participant


def _response(task: str, group: str, rankings: list[Rank], texts: list[str], path: Path) -> tuple[object, ...]:
    wrong = [ranking for ranking in rankings if ranking.candidate not in texts]
    if wrong:
        raise DataError(
            f"{path}, line {wrong[0].line}: {wrong[0].candidate!r} is no candidate of {task} of {group}: write it as the "
            "study does, for example as in its questionnaire."
        )
    right_rank = next((ranking.rank for ranking in rankings if ranking.candidate == texts[0]), None)
    better = len(rankings) if right_rank is None else right_rank - 1
    tied = len(texts) - len(rankings) - 1 if right_rank is None else 0
    return task, group, len(texts), better, tied, right_rank, rankings[0].candidate
