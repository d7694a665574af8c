"""The tables of the report: Tables 4 to 7 and 10 of the paper for every agent, and what each agent confuses."""

from collections.abc import Mapping, Sequence

import polars as pl

from relprobe.core.files import ShownTables
from relprobe.lm.score_files.reader import ScoreFile
from relprobe.report.tables import sent_texts
from relprobe.stats.schemas import Averages, Tests
from relprobe.studies.definitions.ask.prompts import POS
from relprobe.studies.definitions.compare.large_groups import large_groups
from relprobe.studies.definitions.compare.sensitivity import unite
from relprobe.studies.definitions.data.texts import LEAKS
from relprobe.studies.definitions.measure.choices import in_small_groups
from relprobe.studies.definitions.measure.conditions import SMALL, depth_names, frequency_names, leak_free
from relprobe.studies.definitions.measure.metrics import MEASURES
from relprobe.studies.definitions.schemas import (
    GUESS,
    TASKS,
    Groups,
    Properties,
    ReplyChoices,
    Responses,
    Sensitivity,
    Sizes,
    TaskContrasts,
)
from relprobe.studies.letters import places, readings

EXAMPLES = 5
"""Confusions per agent, task and part of speech."""


def tables(
    averages: Averages,
    agents: Tests,
    tasks: TaskContrasts,
    sizes: Sizes,
    groups: Groups,
    properties: Properties,
    responses: dict[str, Responses],
    sensitivity: list[Sensitivity],
    people: Averages | None = None,
    reply_choices: dict[str, ReplyChoices] | None = None,
    replies: list[ScoreFile] | None = None,
    *,
    targets: list[str] | None = None,
    depth: bool = True,
    large: bool = False,
) -> ShownTables:
    """Write Tables 4 to 8 and 10, the tests, the confusions of every agent, the effects of choices, and the sizes.

    `people`: the averages over the groups that people answered. `targets`: the synsets or words that the study names.
    `reply_choices`: what the agents that only chat have chosen, and `replies` the files of what they have said.
    `depth`: whether its synsets have depths. `large`: whether these agents were asked about groups of many candidates.
    Without one of these there is no such table.
    """
    chosen = of_takers(reply_choices, groups, large=large) if reply_choices else {}
    said = {"sent": sent_texts(replies)} if replies else {}
    return {
        **chosen,
        **said,
        "overview": overview(averages),
        "averages": averages,
        "leaks": by_leak(averages),
        "told": leak_counts(properties),
        "frequency": by_frequency(averages),
        **({"depth": by_depth(averages)} if depth else {}),
        **({} if people is None else {"people": of_people(people)}),
        "small": wide(averages, [SMALL]),
        "confusions": confusions(responses, groups, properties),
        **({"targets": of_targets(responses, groups, targets)} if targets else {}),
        "tests": agents,
        "tasks": tasks,
        "data": sizes,
        "sensitivity": unite(sensitivity),
    }


def of_takers(choices: Mapping[str, ReplyChoices], groups: Groups, *, large: bool) -> dict[str, pl.DataFrame]:
    """Return how much of the answers of agents that choose could be read, and what the place of an option earns.

    These are over the groups that people get. `large`: the other groups have a table of their own.
    """
    read = {agent: table.with_columns(pl.col("task").str.to_uppercase()) for agent, table in choices.items()}
    few = {agent: in_small_groups(table) for agent, table in read.items()}
    shown = {"choices": readings(few, "group"), "orders": places(few)}
    return {**shown, "large_groups": large_groups(read, groups)} if large else shown


def overview(averages: Averages) -> pl.DataFrame:
    """Return Tables 4 and 5 in one: a row per part of speech and agent, a column per metric."""
    return wide(averages, POS).rename({"condition": "part_of_speech"})


def by_leak(averages: Averages) -> pl.DataFrame:
    """Return a row per part of speech and agent over all groups, and over those whose definition tells nothing."""
    return wide(averages, [name for pos in POS for name in (pos, leak_free(pos))])


def leak_counts(properties: Properties) -> pl.DataFrame:
    """Count the groups of the benchmark by what their definition tells of its word, per part of speech.

    >>> from relprobe.studies.definitions.schemas import PROPERTIES
    >>> row = dict.fromkeys(PROPERTIES) | {"pos": "verb", "kept": True}
    >>> table = leak_counts(pl.DataFrame([row | {"leak": "names"}, row], schema=PROPERTIES))
    >>> table.row(0, named=True)
    {'part_of_speech': 'verb', 'groups': 2, 'names': 1, 'inflects': 0, 'shares': 0, 'leak_free': 1}
    """
    counts = [(pl.col("leak") == leak).sum().alias(leak) for leak in LEAKS]
    kept = properties.filter("kept").group_by(part_of_speech=pl.col("pos").cast(pl.Enum(POS)))
    table = kept.agg(pl.len().alias("groups"), *counts, leak_free=pl.col("leak").is_null().sum())
    return table.sort("part_of_speech").with_columns(pl.col("part_of_speech").cast(pl.String))


def by_frequency(averages: Averages) -> pl.DataFrame:
    """Return Tables 7 and 10, with verbs added: a row per frequency band of the target and agent."""
    return wide(averages, [name for pos in POS for name in frequency_names(pos).values()])


def by_depth(averages: Averages) -> pl.DataFrame:
    """Return Table 6 for every agent and both tasks: a row per range of depths and agent."""
    return wide(averages, depth_names())


def of_people(averages: Averages) -> pl.DataFrame:
    """Return Table 8: a row per condition and agent, over the groups that people answered."""
    return wide(averages, [*POS, SMALL])


def wide(averages: Averages, conditions: Sequence[str]) -> pl.DataFrame:
    """Return a row per condition and agent, in the order of `conditions`, and a column per metric.

    `groups` and `families` count what is averaged, `answered` the groups that the agent has answered; `own_groups`: these
    are not the groups of the other agents. A sample may have no group under any of the conditions; the table then has no
    rows.
    """
    rows = averages.filter(pl.col("condition").is_in(list(conditions)))
    counts = {"groups": "units", "families": "clusters", "answered": "answered", "own_groups": "own_units"}
    wide = rows.pivot("metric", index=["condition", "agent", *counts.values()], values="value", maintain_order=True)
    missing = [pl.lit(None, pl.Float64).alias(one.name) for one in MEASURES if one.name not in wide.columns]
    wide = wide.with_columns(missing).select("condition", "agent", *(one.name for one in MEASURES), **counts)
    return wide.sort(pl.col("condition").cast(pl.Enum(list(conditions))), maintain_order=True)


def confusions(responses: Mapping[str, Responses], groups: Groups, properties: Properties) -> pl.DataFrame:
    """Return, per agent, task and part of speech, the most frequent targets whose task the agent misses.

    `answer` is the candidate that the agent ranks first, `rank` the rank of the right one, null if a person did not rank it.
    The random baseline has no rows, since its answers say nothing.
    """
    about = groups.join(properties.select("group", "uses"), on="group", maintain_order="left")
    rows = _answers(responses, about).filter(pl.col("rank").ne_missing(1))
    missed = rows.sort("uses", "group", descending=[True, False], nulls_last=True)
    return _shown(missed.group_by("agent", "task", "pos", maintain_order=True).head(EXAMPLES), responses, "pos")


def of_targets(responses: Mapping[str, Responses], groups: Groups, targets: Sequence[str]) -> pl.DataFrame:
    """Return what each agent answers in the tasks of named targets, synsets or words; the columns are those of confusions.

    The paper's analysis shows *beckon* and *roleplaying* so. Of people's answers, each has a row.
    """
    wanted = groups.filter(pl.col("group").is_in(list(targets)) | pl.col("word").is_in(list(targets)))
    return _shown(_answers(responses, wanted), responses, "group")


def _answers(responses: Mapping[str, Responses], groups: Groups) -> pl.DataFrame:
    """Return the responses of all agents but the guess, with what describes their groups."""
    parts = [
        table.join(groups.drop("w2d", "d2w"), on="group").with_columns(agent=pl.lit(agent))
        for agent, table in responses.items()
        if agent != GUESS
    ]
    return pl.concat(parts)


def _shown(rows: pl.DataFrame, responses: Mapping[str, Responses], last: str) -> pl.DataFrame:
    agents, tasks = pl.col("agent").cast(pl.Enum(list(responses))), pl.col("task").cast(pl.Enum(TASKS))
    order = [agents, tasks, last] if last == "pos" else [last, tasks, agents]
    return rows.sort(order, maintain_order=True).select(
        *("agent", pl.col("task").str.to_uppercase(), pl.col("pos").alias("part_of_speech")),
        *("word", "definition", "answer", "rank", "candidates"),
    )
