"""Models that take people's task: which definition is the word's, and which word is the definition's, chosen in words."""

import random
from collections.abc import Iterator, Mapping
from typing import NamedTuple

import polars as pl

from relprobe.lm.chat_models.interview import InterviewResults, Question, interview
from relprobe.lm.chat_models.orders import drawn_orders
from relprobe.lm.chat_models.replies import Replies
from relprobe.lm.chat_models.settings import ChatModel
from relprobe.studies.conversations import OPTIONS, PROBE
from relprobe.studies.definitions.probes import candidate_texts
from relprobe.studies.definitions.schemas import (
    FEW,
    REPLY_CHOICES,
    RESPONSES,
    TASKS,
    Groups,
    Probes,
    ReplyChoices,
    Responses,
)
from relprobe.studies.letters import TOKENS, lettered_lines, read_choice, readable

# What is asked.


class Sheet(NamedTuple):
    """A task of a group as it is shown once: the options in their order, and the right one."""

    task: str
    group: str
    order: int
    candidates: int  # of the group; more than are shown if these are a sample
    question: str
    options: tuple[str, ...]
    right: str


def sheets(groups: Groups, probes: Probes, orders: int, *, large: bool = False) -> Iterator[Sheet]:
    """Yield both tasks of the groups that people get, those of two to FEW candidates, each in so many orders.

    The first order is drawn, too: the study has the right candidate first. `large`: larger groups are asked, too. Of more
    than FEW candidates, the right one and FEW - 1 others are shown, drawn once for all orders.
    """
    question_texts = {
        group: dict(zip(TASKS, texts, strict=True))
        for group, *texts in groups.select("group", "word", "definition").rows()
    }
    candidate_lists = candidate_texts(groups, probes)
    for (task, group), texts in candidate_lists.items():
        sizes = [len(candidate_lists.get((either_task, group), ())) for either_task in TASKS]
        if min(sizes) >= 2 and (large or max(sizes) <= FEW):
            options = _options(texts, f"others of {task} {group}")
            for number, shown in enumerate(drawn_orders(options, orders, f"{task} {group}"), 1):
                yield Sheet(task, group, number, len(texts), question_texts[group][task], shown, texts[0])


def _options(texts: list[str], key: str) -> list[str]:
    """Return the candidates that are shown: all, or of more than FEW the right one, which is the first, and others drawn."""
    if len(texts) <= FEW:
        return texts
    return [texts[0], *random.Random(key).sample(texts[1:], FEW - 1)]  # noqa: S311 (no secret)


def questions(
    lines: Mapping[str, str], groups: Groups, probes: Probes, orders: int, *, large: bool = False
) -> list[Question]:
    """Return both tasks of the groups as questions (`sheets`). `lines`: the words of each task, with PROBE and OPTIONS."""
    return [
        Question(f"{sheet.task} {sheet.order} {sheet.group}", _text(lines[sheet.task], sheet))
        for sheet in sheets(groups, probes, orders, large=large)
    ]


def replies(
    chat_model: ChatModel, groups: Groups, probes: Probes, *, orders: int = 1, large: bool = False
) -> InterviewResults:
    """Ask a model that only chats to choose the definition of a word and the word of a definition, as people were asked."""
    asked = questions(chat_model.conversation, groups, probes, orders, large=large)
    return interview(chat_model, "definitions", asked, TOKENS)


def _text(line: str, sheet: Sheet) -> str:
    return line.replace(PROBE, sheet.question).replace(OPTIONS, lettered_lines(sheet.options))


def reply_choices(
    replies: Replies, groups: Groups, probes: Probes, *, orders: int = 1, large: bool = False
) -> ReplyChoices:
    """Read the choices in replies: the candidate of every question, "" where there is none."""
    asked = {
        f"{sheet.task} {sheet.order} {sheet.group}": sheet for sheet in sheets(groups, probes, orders, large=large)
    }
    rows = []
    for question, sample, outcome, text in replies.select("question_id", "sample", "outcome", "text").iter_rows():
        sheet = asked[question]
        choice = read_choice(text, sheet.options, outcome)
        columns = sheet.task, sheet.group, sheet.candidates, list(sheet.options), sheet.order
        rows.append((*columns, sample, text, choice, choice == sheet.right))
    return pl.DataFrame(rows, schema=REPLY_CHOICES, orient="row")


# The choices as responses, measured as people's are.


def reply_responses(choices: ReplyChoices) -> Responses:
    """Return the choices as the answers of one more agent, a row for each, as those of people who rank one candidate.

    A wrong choice leaves the right candidate somewhere among the others. An answer that cannot be read counts as a wrong
    choice. A task of which too many answers cannot be read (`letters.readable`) has no responses, and only the groups that
    people get count (`in_small_groups`).

    >>> row = {"task": "d2w", "group": "nod.v.01", "candidates": 3}
    >>> rows = {**row, "shown": [["bow", "nod", "wink"]], "choice": ["bow"], "right": [False]}
    >>> reply_responses(pl.DataFrame(rows)).row(0)
    ('d2w', 'nod.v.01', 3, 1, 1, None, 'bow')
    """
    count = pl.col("candidates")
    table = readable(in_small_groups(choices)).select(
        "task",
        "group",
        candidates=count,
        better=pl.when("right").then(0).otherwise(1),
        tied=pl.when("right").then(0).otherwise(count.cast(pl.Int64) - 2),
        rank=pl.when("right").then(1),
        answer="choice",
    )
    return table.cast(RESPONSES)  # type: ignore[arg-type]


def in_small_groups(choices: pl.DataFrame) -> pl.DataFrame:
    """Return the answers in the groups that people get: those of up to FEW candidates in both tasks."""
    return choices.filter(pl.col("candidates").max().over("group") <= FEW)


def in_large_groups(choices: pl.DataFrame) -> pl.DataFrame:
    """Return the answers in all other groups, where an agent may have seen a sample of the candidates."""
    return choices.filter(pl.col("candidates").max().over("group") > FEW)
