"""The page of the definitions study: figures in words, and where the cells of tables lead to."""

from collections.abc import Mapping
from typing import Any

import polars as pl

from relprobe.report.addresses import of_difference
from relprobe.report.page import Address
from relprobe.report.words.in_words import in_words
from relprobe.studies.definitions.ask.prompts import POS
from relprobe.studies.definitions.measure.metrics import IN_BOTH_TASKS, metric_name
from relprobe.studies.definitions.schemas import TASKS
from relprobe.studies.definitions.show import addresses
from relprobe.studies.definitions.show.names import NAMES
from relprobe.studies.definitions.show.summary import finding, summary

__all__ = ["ADDRESSES", "NAMES", "finding", "summary", "words"]


def words(name: str, tables: Mapping[str, pl.DataFrame]) -> str:
    """Say the values of a figure, from the table behind it; "" if that is not on the page."""
    behind, by = ("overview", "part_of_speech") if name not in tables else (name, "condition")
    if behind not in tables:
        return ""
    of_figure = [measure.name for measure in IN_BOTH_TASKS if name in (measure.figure, behind)]
    columns = [metric_name(task, measure) for task in TASKS for measure in of_figure]
    said = {column: in_words(tables[behind], column, by, "groups", "groups") for column in columns}
    return " ".join(f"{NAMES[column]}: {words}" for column, words in said.items() if words)


def _of_agent(row: Mapping[str, Any], column: str) -> str | None:
    """Return the address of the answers behind an average, or None if the column holds none.

    A group of two parts of speech, such as that of small groups, has no view of its own.
    """
    task, _, measure = column.partition(" ")
    pos = str(row.get("part_of_speech", row.get("condition"))).partition(",")[0]
    if task.lower() not in TASKS or row[column] is None or pos not in POS:
        return None
    return addresses.answers(row["agent"], task, pos, k=1 if measure == "P@1" else None)


def _of_pair(row: Mapping[str, Any], column: str) -> str | None:
    """Return the address of the tasks that one agent answers rightly and the other wrongly, at a difference in P@1."""
    task, _, measure = str(row["metric"]).partition(" ")
    agents = of_difference(row, column)
    if agents is None or measure != "P@1" or row["condition"] not in POS:
        return None
    return addresses.answers(agents[0], task, row["condition"], k=1, against=agents[1])


def _of_task(row: Mapping[str, Any], column: str) -> str | None:
    """Return the address of all agents' answers to a task, at its word."""
    if column != "word":
        return None
    probe = addresses.text(row["task"], row["word"], row["definition"])
    return addresses.answers(row["agent"], row["task"], row["part_of_speech"], probe=probe)


ADDRESSES: dict[str, Address] = {
    **dict.fromkeys(("overview", "leaks", "frequency", "depth", "people"), _of_agent),
    **dict.fromkeys(("confusions", "targets"), _of_task),
    "tests": _of_pair,
}
"""Table -> what its cells lead to."""
