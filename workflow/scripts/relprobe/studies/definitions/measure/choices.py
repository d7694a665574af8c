"""The choices of a model that only chats, as people's answers are measured."""

import polars as pl

from relprobe.studies.definitions.schemas import FEW, RESPONSES, ReplyChoices, Responses
from relprobe.studies.letters import readable


def reply_responses(choices: ReplyChoices) -> Responses:
    """Return the choices as the answers of one more agent, a row for each, as those of people who rank one candidate.

    A wrong choice leaves the right candidate somewhere among the others. An answer that cannot be read counts as a wrong
    choice. A task of which too many answers cannot be read (`letters.readable`) has no responses, and only the groups that
    people get count (`in_small_groups`).

    >>> about = {"task": "d2w", "group": "nod.v.01", "candidates": 3}
    >>> rows = {**about, "shown": [["bow", "nod", "wink"]], "choice": ["bow"], "right": [False]}
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
