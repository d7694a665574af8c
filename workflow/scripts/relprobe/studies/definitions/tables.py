"""The tables of the study, and the page of all answers."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import polars as pl

from relprobe.report.answers import FIRST_ANSWERS, GOLD, PROBES, SHOWN, Agent, Labels, Texts, publish
from relprobe.report.published import average_values
from relprobe.stats.controls import beyond_controls
from relprobe.stats.schemas import Averages
from relprobe.studies.definitions.addresses import TEXTS
from relprobe.studies.definitions.measures import MEASURES
from relprobe.studies.definitions.results import Results
from relprobe.studies.definitions.schemas import (
    GUESS,
    HUMANS,
    POS,
    TASK_NAMES,
    TASKS,
    Groups,
    Properties,
    Responses,
)

# The tables of the report: Tables 4 and 5 of the paper for every agent, and what the tables of analyses are made with.


def overview(averages: Averages) -> pl.DataFrame:
    """Return Tables 4 and 5 in one: a row per part of speech and agent, a column per metric."""
    return wide(averages, POS).rename({"condition": "part_of_speech"})


def wide(averages: Averages, conditions: Sequence[str]) -> pl.DataFrame:
    """Return a row per condition and agent, in the order of `conditions`, and a column per metric.

    `groups` and `families` count what is averaged, `answered` the groups that the agent has answered; `own_groups`: these
    are not the groups of the other agents. A sample may have no group under any of the conditions; the table then has no
    rows.
    """
    rows = averages.filter(pl.col("condition").is_in(list(conditions)))
    counts = {"groups": "units", "families": "clusters", "answered": "answered", "own_groups": "own_units"}
    wide = rows.pivot("metric", index=["condition", "agent", *counts.values()], values="value", maintain_order=True)
    missing = [pl.lit(None, pl.Float64).alias(metric.name) for metric in MEASURES if metric.name not in wide.columns]
    wide = wide.with_columns(missing).select("condition", "agent", *(metric.name for metric in MEASURES), **counts)
    return wide.sort(pl.col("condition").cast(pl.Enum(list(conditions))), maintain_order=True)


def as_printed(averages: Averages) -> pl.DataFrame:
    """Return averages as the paper prints them, P@1 in percent (OURS of report.published)."""
    scale = pl.col("metric").replace_strict({metric.name: metric.scale for metric in MEASURES})
    return average_values(averages, {metric.name: metric.items for metric in MEASURES}, "metric", "condition", scale)


def described_answers(responses: Mapping[str, Responses], groups: Groups) -> pl.DataFrame:
    """Return the responses of all agents but the guess, with what describes their groups."""
    parts = [
        table.join(groups.drop("w2d", "d2w"), on="group").with_columns(agent=pl.lit(agent))
        for agent, table in responses.items()
        if agent != GUESS
    ]
    return pl.concat(parts)


def shown_answers(rows: pl.DataFrame, responses: Mapping[str, Responses], last: str) -> pl.DataFrame:
    """Return the columns of described answers that a table shows, by agent, task and `last`, which is pos or group."""
    agents, tasks = pl.col("agent").cast(pl.Enum(list(responses))), pl.col("task").cast(pl.Enum(TASKS))
    order = [agents, tasks, last] if last == "pos" else [last, tasks, agents]
    return rows.sort(order, maintain_order=True).select(
        *("agent", pl.col("task").str.to_uppercase(), pl.col("pos").alias("part_of_speech")),
        *("word", "definition", "answer", "rank", "candidates"),
    )


TABLES: dict[str, Callable[[Results], pl.DataFrame]] = {
    "overview": lambda results: overview(results.averages),
    "averages": lambda results: results.averages,
    "tests": lambda results: results.tests,
    "controls": lambda results: beyond_controls(results.tests, results.controls or []),
    "tasks": lambda results: results.tasks,
    "data": lambda results: results.sizes,
}
"""Name -> the table of the page; the other ones are those of analyses."""


# What the answers page of the definitions study shows: the candidate that every agent chose, and the right one's rank.


TITLE = "Answers: definitions"
LEAD = (
    "What every agent answered to each task: which definition is the word's (W2D), and which word is the definition's "
    "(D2W)? The first column has the candidate that the agent ranked first. If that is wrong, the right one stands in the "
    "column of its rank, as far as this is among the first ten; it is bold and on green. Of people, the candidates that "
    "they ranked first stand in the order of their shares. Definitions of WordNet have several semicolons where examples "
    "stood between them; the page shows one."
)
LABELS = Labels(
    *("Task", "Task", "Word"),
    weight="share",
    gold="right_for",
    first="precision at 1",
    others=False,
    prompt_texts=False,
    names={f"{task.upper()} {pos}s": f"{name}, {pos}s" for task, name in TASK_NAMES.items() for pos in POS},
)
ZIPF = pl.when(pl.col("joined") > 0).then(pl.col("joined").log10())
"""The Zipf frequency of a row of PROPERTIES: the common logarithm of the uses of its word in a billion words."""
RIGHT = {"w2d": "definition", "d2w": "word"}
"""Task -> the column of GROUPS that holds the right answer."""


def answers(
    responses: dict[str, Responses],
    groups: Groups,
    properties: Properties,
    template: Path,
    out: Path,
    *,
    source: str = "WordNet",
    models: list[str] | None = None,
    run: str = "",
) -> None:
    """Write the page of all agents' answers to each task.

    `source`: the name of the dictionary. `models`: the agents that are models. `run`: the title of the run.
    """
    data = probes(groups, properties), gold(groups, source)
    publish(Texts(TITLE, LEAD, LABELS, run=run), *data, agents(responses, groups), template, out, models or ())


def probes(groups: Groups, properties: Properties) -> pl.DataFrame:
    """Return the probes of the page (PROBES of report.answers): each group in both tasks, if it has a choice.

    `properties` have the frequencies.
    """
    groups = groups.join(properties.select("group", zipf=ZIPF), on="group", how="left", maintain_order="left")
    texts = {"w2d": pl.format(TEXTS["w2d"], "word"), "d2w": pl.format(TEXTS["d2w"], "definition")}
    parts = [
        groups.filter(pl.col(task).list.len() > 0).select(
            probe_id=pl.format("{}:{}", pl.lit(task), "group"),
            group=_group(task),
            prompt_id=_group(task),
            target=_target(),
            text=texts[task],
            zipf="zipf",
        )
        for task in TASKS
    ]
    return pl.concat(parts).cast(PROBES)


def gold(groups: Groups, source: str) -> pl.DataFrame:
    """Return the right candidates (GOLD of report.answers). `source`: the name of the dictionary."""
    parts = [
        groups.select(target=_target(), group=_group(task), word=RIGHT[task], source=pl.lit(source)) for task in TASKS
    ]
    return pl.concat(parts).cast(GOLD)


def agents(responses: Mapping[str, Responses], groups: Groups) -> list[Agent]:
    """Return what each agent answered. `responses`: those of people have a row per person."""
    return [
        Agent(name, _choices(table) if name == HUMANS else _answer_rows(table, groups), name == HUMANS)
        for name, table in responses.items()
    ]


PROBE = pl.format("{}:{}", "task", "group").alias("probe_id")


def _answer_rows(responses: Responses, groups: Groups) -> pl.DataFrame:
    right = pl.when(task="w2d").then("definition").otherwise("word")
    rows = responses.join(groups.select("group", "word", "definition"), on="group", maintain_order="left")
    rows = rows.with_columns(PROBE, right=right, weight=pl.lit(None))
    first = rows.select("probe_id", rank=pl.lit(1), word="answer", weight="weight")
    later = rows.filter(pl.col("rank").is_between(2, 10)).select("probe_id", "rank", word="right", weight="weight")
    return pl.concat([first.cast(FIRST_ANSWERS), later.cast(FIRST_ANSWERS)])


def _choices(responses: Responses) -> pl.DataFrame:
    """Return the candidates that people ranked first, the most frequent first, with the shares of the people.

    >>> rows = pl.DataFrame({"task": ["d2w"] * 3, "group": ["nod.v.01"] * 3, "answer": ["bow", "nod", "nod"]})
    >>> _choices(rows).select("rank", "word", "weight").rows()
    [(1, 'nod', 0.6666666865348816), (2, 'bow', 0.3333333432674408)]
    """
    counts = responses.group_by(PROBE, word="answer").agg(count=pl.len())
    ordered = counts.sort("probe_id", "count", "word", descending=[False, True, False])
    rank = pl.int_range(1, pl.len() + 1).over("probe_id")
    ranked = ordered.with_columns(rank=rank, weight=pl.col("count") / pl.col("count").sum().over("probe_id"))
    return ranked.filter(pl.col("rank") <= SHOWN).select(list(FIRST_ANSWERS)).cast(FIRST_ANSWERS)


def _group(task: str) -> pl.Expr:
    return pl.format("{} {}s", pl.lit(task.upper()), "pos")


def _target() -> pl.Expr:
    return pl.format("{} ({})", "word", "group")
