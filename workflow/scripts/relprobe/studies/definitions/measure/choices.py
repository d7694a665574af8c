"""The choices of a model that only chats, as people's answers are measured, and what the place of an option earns."""

from collections.abc import Mapping

import polars as pl

from relprobe.studies.definitions.schemas import RESPONSES, ReplyChoices, Responses
from relprobe.studies.unreadable import absence_of


def reply_responses(choices: ReplyChoices) -> Responses:
    """Return the choices as the answers of one more agent, a row for each, as those of people who rank one candidate.

    A wrong choice leaves the right candidate somewhere among the others. An answer that cannot be read counts as a wrong
    choice. An agent of which too many answers cannot be read (`absence`) has no responses.

    >>> rows = {"task": "d2w", "group": "nod.v.01", "shown": [["bow", "nod", "wink"]], "choice": ["bow"], "right": [False]}
    >>> reply_responses(pl.DataFrame(rows)).row(0)
    ('d2w', 'nod.v.01', 3, 1, 1, None, 'bow')
    """
    if absence(choices) is not None:
        return pl.DataFrame(schema=RESPONSES)
    count = pl.col("shown").list.len()
    table = choices.select(
        "task",
        "group",
        candidates=count,
        better=pl.when("right").then(0).otherwise(1),
        tied=pl.when("right").then(0).otherwise(count.cast(pl.Int64) - 2),
        rank=pl.when("right").then(1),
        answer="choice",
    )
    return table.cast(RESPONSES)  # type: ignore[arg-type]


def absence(choices: pl.DataFrame) -> str | None:
    """Say why an agent has no value; None if it has some.

    >>> absence(pl.DataFrame({"choice": ["nod", ""]}))
    'no value, as 50 % of its answers name no option (more than 20 %): let it think (thoughts), or ask another model'
    """
    return absence_of(unreadable(choices), "name no option", "let it think (thoughts), or ask another model")


def unreadable(choices: pl.DataFrame) -> float:
    """Return the share of answers without a choice."""
    return choices.select((pl.col("choice") == "").mean()).item() or 0.0


def of_agents(choices: Mapping[str, ReplyChoices]) -> pl.DataFrame:
    """Return how much of the answers of each agent could be read: agent, task, questions, answers, unreadable, note."""
    rows = [
        {
            "agent": agent,
            "task": str(task).upper(),
            "questions": part["group"].n_unique(),
            "answers": part.height,
            "unreadable": unreadable(part),
            "note": absence(table),
        }
        for agent, table in choices.items()
        for (task,), part in table.group_by("task", maintain_order=True)
    ]
    schema = {"agent": pl.String, "task": pl.String, "questions": pl.UInt32, "answers": pl.UInt32}
    return pl.DataFrame(rows, schema={**schema, "unreadable": pl.Float64, "note": pl.String})


def places(choices: Mapping[str, ReplyChoices]) -> pl.DataFrame:
    """Return how often an agent chooses the option at each place.

    agent, task, place (from 1), answers (to questions that have this place), chosen (the share of these that choose it), and
    expected (the mean of 1 / the number of options).
    """
    parts = []
    for agent, table in choices.items():
        rows = table.with_row_index().explode("shown")
        rows = rows.with_columns(
            place=pl.int_range(pl.len()).over("index") + 1,
            options=pl.len().over("index"),
            is_choice=pl.col("shown") == pl.col("choice"),
        )
        parts.append(
            rows.group_by("task", "place")
            .agg(
                agent=pl.lit(agent).first(),
                answers=pl.len(),
                chosen=pl.col("is_choice").mean(),
                expected=(1 / pl.col("options")).mean(),
            )
            .select("agent", pl.col("task").str.to_uppercase(), "place", "answers", "chosen", "expected")
            .sort("task", "place")
        )
    return pl.concat(parts)
