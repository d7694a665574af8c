"""The tables of the study, and the page of all answers."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import polars as pl

from relprobe.core.files import ShownTables
from relprobe.lm.score_files.reader import ScoreFile
from relprobe.report.answers import FIRST_ANSWERS, GOLD, PROBES, SHOWN, Agent, Labels, publish
from relprobe.report.tables import sent_texts
from relprobe.stats.controls import beyond_controls
from relprobe.stats.schemas import Averages, Tests
from relprobe.studies.definitions.chat import in_small_groups
from relprobe.studies.definitions.compare import large_groups
from relprobe.studies.definitions.conditions import SMALL, depth_names, frequency_names, leak_free
from relprobe.studies.definitions.measures import MEASURES
from relprobe.studies.definitions.page import TEXTS
from relprobe.studies.definitions.properties import LEAKS
from relprobe.studies.definitions.schemas import (
    GUESS,
    HUMANS,
    POS,
    TASK_NAMES,
    TASKS,
    Groups,
    Properties,
    ReplyChoices,
    Responses,
    Sensitivity,
    Sizes,
    TaskContrasts,
)
from relprobe.studies.definitions.sensitivity import unite
from relprobe.studies.letters import places, readings

# The tables of the report: Tables 4 to 7 and 10 of the paper for every agent, and what each agent confuses.


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
    controls: list[str] | None = None,
    targets: list[str] | None = None,
    depth: bool = True,
    large: bool = False,
) -> ShownTables:
    """Write Tables 4 to 8 and 10, the tests, the confusions of every agent, the effects of choices, and the sizes.

    `people`: the averages over the groups that people answered. `targets`: the synsets or words that the study names.
    `reply_choices`: what the agents that only chat have chosen, and `replies` the files of what they have said.
    `controls`: the agents that do not know what is asked.
    `depth`: whether its synsets have depths. `large`: whether these agents were asked about groups of many candidates.
    Without one of these there is no such table.
    """
    chosen = taker_replies(reply_choices, groups, large=large) if reply_choices else {}
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
        **({} if people is None else {"people": people_table(people)}),
        "small": wide(averages, [SMALL]),
        "confusions": confusions(responses, groups, properties),
        **({"targets": target_answers(responses, groups, targets)} if targets else {}),
        "tests": agents,
        "controls": beyond_controls(agents, controls or []),
        "tasks": tasks,
        "data": sizes,
        "sensitivity": unite(sensitivity),
    }


def taker_replies(choices: Mapping[str, ReplyChoices], groups: Groups, *, large: bool) -> dict[str, pl.DataFrame]:
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


def people_table(averages: Averages) -> pl.DataFrame:
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
    rows = _described_answers(responses, about).filter(pl.col("rank").ne_missing(1))
    missed = rows.sort("uses", "group", descending=[True, False], nulls_last=True)
    return _shown(missed.group_by("agent", "task", "pos", maintain_order=True).head(EXAMPLES), responses, "pos")


def target_answers(responses: Mapping[str, Responses], groups: Groups, targets: Sequence[str]) -> pl.DataFrame:
    """Return what each agent answers in the tasks of named targets, synsets or words; the columns are those of confusions.

    The paper's analysis shows *beckon* and *roleplaying* so. Of people's answers, each has a row.
    """
    wanted = groups.filter(pl.col("group").is_in(list(targets)) | pl.col("word").is_in(list(targets)))
    return _shown(_described_answers(responses, wanted), responses, "group")


def _described_answers(responses: Mapping[str, Responses], groups: Groups) -> pl.DataFrame:
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
    publish(TITLE, LEAD, *data, agents(responses, groups), template, out, LABELS, models=models or (), run=run)


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
