"""Options in letters: how a choice among some texts is shown and read, and what the place of an option earns."""

import re
from collections.abc import Mapping, Sequence

import polars as pl

from relprobe.lm.participants.replies import ANSWER, LENGTH
from relprobe.studies.unreadable import MOST_UNREADABLE, absence_of

TOKENS = 16
"""The most tokens of an answer: a letter, and perhaps a word or two around it."""
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
LETTER = re.compile(r"\W*(?:answer\s*:?\s*)?\W*([a-z])\b\W*", re.IGNORECASE)
"""An answer that is a letter, perhaps with marks around it or after the word "answer"."""


def lettered_lines(shown: Sequence[str]) -> str:
    r"""Return the options as lines, each after its letter. ValueError: there are more of them than letters.

    >>> lettered_lines(["nod", "bow"])
    'A. nod\nB. bow'
    """
    if len(shown) > len(LETTERS):
        raise ValueError(f"there are letters for {len(LETTERS)} options, and not for {len(shown)}")
    return "\n".join(f"{letter}. {text}" for letter, text in zip(LETTERS, shown, strict=False))


def read_choice(text: str, shown: Sequence[str], outcome: str = ANSWER, *, lettered: bool = True) -> str:
    """Return the option that an answer names by its letter, or by its whole text; "" if it names none.

    `outcome`: how the reply ends (`relprobe.lm.participants.replies`); a refusal, for instance, names no option. `lettered`:
    False: the options were shown without letters, so that a letter names none.

    >>> read_choice("**B**.", ["nod", "bow"]), read_choice("Answer: A", ["nod", "bow"]), read_choice("bow", ["nod", "bow"])
    ('bow', 'nod', 'bow')
    >>> read_choice("A or B", ["nod", "bow"]), read_choice("C", ["nod", "bow"])
    ('', '')
    >>> read_choice("B. bow", ["nod", "bow"]), read_choice("B. nod", ["nod", "bow"])
    ('bow', '')
    >>> read_choice("Yes.", ["yes", "no"], lettered=False), read_choice("A", ["yes", "no"], lettered=False)
    ('yes', '')
    """
    if outcome not in (ANSWER, LENGTH):
        return ""
    answer = text.strip().strip("*`\"'“”").strip()
    by_text = {one.lower(): one for one in shown}
    for number, option in enumerate(shown if lettered else ()):
        by_text[f"{LETTERS[number]}. {option}".lower()] = option
    if (same := by_text.get(answer.rstrip(".").lower()) or by_text.get(answer.lower())) is not None:
        return same
    letter = LETTER.fullmatch(answer) if lettered else None
    place = LETTERS.index(letter[1].upper()) if letter else len(shown)
    return shown[place] if place < len(shown) else ""


def readable(choices: pl.DataFrame, task: str = "task") -> pl.DataFrame:
    """Return an agent's answers without those to a task of which too many name no option; the others keep their values.

    `task`: the column that names the task. `choice` is "" where an answer names no option.

    >>> choices = pl.DataFrame({"task": ["d2w", "d2w", "w2d"], "choice": ["nod", "", "to move the head"]})
    >>> readable(choices)["task"].to_list()
    ['w2d']
    """
    return choices.filter((pl.col("choice") == "").mean().over(task) <= MOST_UNREADABLE)


def absence(choices: pl.DataFrame) -> str | None:
    """Say why an agent has no value in a task; None if it has one. `choices`: its answers to this task (`readable`).

    >>> absence(pl.DataFrame({"choice": ["nod", ""]}))
    'no value, as 50 % of its answers name no option (more than 20 %): let it think (thoughts), or ask another model'
    """
    return absence_of(unreadable(choices), "name no option", "let it think (thoughts), or ask another model")


def unreadable(choices: pl.DataFrame) -> float:
    """Return the share of answers without a choice."""
    return choices.select((pl.col("choice") == "").mean()).item() or 0.0


def readings(choices: Mapping[str, pl.DataFrame], question: str) -> pl.DataFrame:
    """Return how much of the answers of each agent could be read: agent, task, questions, answers, unreadable, note.

    `choices`: agent -> its answers, with `task`, `choice` and a column `question`, the same for all orders.
    """
    rows = [
        {
            "agent": agent,
            "task": task,
            "questions": part[question].n_unique(),
            "answers": part.height,
            "unreadable": unreadable(part),
            "note": absence(part),
        }
        for agent, table in choices.items()
        for (task,), part in table.group_by("task", maintain_order=True)
    ]
    schema = {"agent": pl.String, "task": pl.String, "questions": pl.UInt32, "answers": pl.UInt32}
    return pl.DataFrame(rows, schema={**schema, "unreadable": pl.Float64, "note": pl.String})


def places(choices: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    """Return how often an agent chooses the option at each place.

    agent, task, place (from 1), answers (to questions that have this place), chosen (the share of these that choose it), and
    expected (the mean of 1 / the number of options). `choices`: agent -> its answers, with `task`, `shown` and `choice`.
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
            .select("agent", "task", "place", "answers", "chosen", "expected")
            .sort("task", "place")
        )
    return pl.concat(parts)
