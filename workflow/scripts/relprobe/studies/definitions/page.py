"""What the page of the study says: names, sentences, and where its answers stand."""

from collections.abc import Collection, Mapping
from typing import Any

import polars as pl

from relprobe.core.claim import Claim
from relprobe.report.addresses import agents_of_difference
from relprobe.report.page import Address
from relprobe.report.page_words import PageWords
from relprobe.report.words.finding import Finding
from relprobe.report.words.finding import finding as found_by
from relprobe.report.words.headline import Headline, verdicts_of
from relprobe.report.words.headline import headline as first_of
from relprobe.report.words.in_words import in_words
from relprobe.report.words.summary import sentences_on
from relprobe.report.words.warnings import warnings
from relprobe.studies.definitions.addresses import answers
from relprobe.studies.definitions.claims import CLAIMS
from relprobe.studies.definitions.measures import IN_BOTH_TASKS, metric_name
from relprobe.studies.definitions.schemas import GUESS, HUMANS, POS, TASK_NAMES, TASKS

# What codes in the tables of the definitions study are called on its page.


MEASURE_NAMES = {measure.name: measure.axis.partition(" (")[0] for measure in IN_BOTH_TASKS}
METRIC_NAMES = {
    metric_name(task, measure): f"{task_name}, {name}"
    for task, task_name in TASK_NAMES.items()
    for measure, name in MEASURE_NAMES.items()
}
"""Metric -> its task and its measure: "word to definition, precision at 1"."""
NAMES = {
    **METRIC_NAMES,
    **MEASURE_NAMES,
    **{task.upper(): name for task, name in TASK_NAMES.items()},
    **{f"{task}_{what}": f"{name}, {what}" for task, name in TASK_NAMES.items() for what in ("candidates", "random")},
}


# The paragraph at the top of the study's page, from its tables.


NO_ANSWER = "No model has an answer to the probes of this study."


def headline(tables: Mapping[str, pl.DataFrame], models: Collection[str]) -> Headline:
    """Return what came out of both tasks: the best model, people, the next model, and where their differences hold.

    `tables`: those of the page by their names, among them overview, tests and controls. `models`: the agents that are
    models; the others are people and controls.
    """
    claims = _claims(tables)
    paragraphs = [
        sentences_on(values, tables["tests"], claim, models, HUMANS, tables["controls"], tables.get("primary"))
        for claim, values in claims
    ]
    return first_of(
        [values for values, *_ in paragraphs] or [NO_ANSWER],
        [difference for _, *differences in paragraphs for difference in differences],
        verdicts_of(claims, tables["controls"], models, HUMANS, tables.get("primary")),
        warnings(tables["tests"], models),
    )


def finding(tables: Mapping[str, pl.DataFrame], models: Collection[str]) -> Finding:
    """Return what came out of the first task. `tables`, `models`: as for `headline`."""
    claims = _claims(tables)
    if not claims:
        return Finding((NO_ANSWER,))
    claim, values = claims[0]
    return found_by(values, claim, models, tables["controls"], HUMANS, tables.get("primary"), tables["tests"])


def _claims(tables: Mapping[str, pl.DataFrame]) -> list[tuple[Claim, pl.DataFrame]]:
    """Return what the sentences are about, a claim and its averages."""
    asked = tables["overview"].filter(pl.col("part_of_speech").is_in(POS))
    claims = []
    for claim in CLAIMS:
        if claim.metric in asked.columns:
            columns = {"condition": "part_of_speech", "value": claim.metric, "own": "own_groups"}
            values = asked.select("agent", metric=pl.lit(claim.metric), **columns)
            guess = values.filter(agent=GUESS)["value"].mean()
            chance = guess if isinstance(guess, float) else None
            claims.append((claim.under(POS, chance), values.filter(pl.col("agent") != GUESS)))
    return claims


# The page of the definitions study: figures in words, and where the cells of tables lead to.


def words(name: str, tables: Mapping[str, pl.DataFrame]) -> str:
    """Return in words the values of a figure, from the table behind it; "" if that is not on the page."""
    behind, by = ("overview", "part_of_speech") if name not in tables else (name, "condition")
    if behind not in tables:
        return ""
    figure_measures = [measure.name for measure in IN_BOTH_TASKS if name in (measure.figure, behind)]
    columns = [metric_name(task, measure) for task in TASKS for measure in figure_measures]
    texts_of_columns = {column: in_words(tables[behind], column, by, "groups", "groups") for column in columns}
    return " ".join(f"{NAMES[column]}: {words}" for column, words in texts_of_columns.items() if words)


def _agent_address(row: Mapping[str, Any], column: str) -> str | None:
    """Return the address of the answers behind an average, or None if the column holds none.

    A group of two parts of speech, such as that of small groups, has no view of its own.
    """
    task, _, measure = column.partition(" ")
    pos = str(row.get("part_of_speech", row.get("condition"))).partition(",")[0]
    if task.lower() not in TASKS or row[column] is None or pos not in POS:
        return None
    return answers(row["agent"], task, pos, k=1 if measure == "P@1" else None)


def _pair_address(row: Mapping[str, Any], column: str) -> str | None:
    """Return the address of the tasks that one agent answers rightly and the other wrongly, at a difference in P@1."""
    task, _, measure = str(row["metric"]).partition(" ")
    agents = agents_of_difference(row, column)
    if agents is None or measure != "P@1" or row["condition"] not in POS:
        return None
    return answers(agents[0], task, row["condition"], k=1, against=agents[1])


ADDRESSES: dict[str, Address] = {"overview": _agent_address, "tests": _pair_address}
"""Table -> what its cells lead to."""


WORDS = PageWords(headline, words, finding=finding, names=NAMES, addresses=ADDRESSES)
